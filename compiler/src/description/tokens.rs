//! Tokens of `mechanism!` → `ParsedValue`.
//!
//! The grammar is TOML's, as far as Rust's tokens allow, so that a file can be pasted:
//!
//! ```text
//! document = { "[" key "]" | entry }        entry = key "=" value [","]
//! key      = name { "." name }              value = text | number | bool | "[" … "]" | "{" entry … "}"
//! ```
//!
//! Comments are Rust's, and names with a hyphen stand in quotes.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Error, Ident, Lit, LitStr, Result, Token, braced, bracketed, token};

use super::value::{Entries, MAX_DEPTH, ParsedValue, SourcePlace, TableEntry, ValueKind};

/// Tokens of `mechanism!`.
#[derive(Clone, Debug)]
pub struct TokenSource {
    /// The tokens between the braces.
    pub tokens: TokenStream,
}

/// Reads tokens; reports the first syntax error.
pub(super) fn parse(source: &TokenSource) -> Result<ParsedValue> {
    check_depth(&source.tokens, 0)?;
    document.parse2(source.tokens.clone())
}

/// Before `syn` sees the tokens, because it recurses into groups without a limit.
fn check_depth(tokens: &TokenStream, depth: usize) -> Result<()> {
    for token in tokens.clone() {
        let TokenTree::Group(group) = token else {
            continue;
        };
        if depth == MAX_DEPTH {
            return Err(Error::new(group.span(), "nested too deeply"));
        }
        check_depth(&group.stream(), depth + 1)?;
    }
    Ok(())
}

struct KeyToken {
    name: String,
    span: Span,
}

fn document(input: ParseStream) -> Result<ParsedValue> {
    let mut root = Entries::new();
    let mut header = Vec::new();
    let mut headers = Vec::new();
    while !input.is_empty() {
        if input.peek(token::Bracket) {
            header = read_header(input, &mut headers)?;
            descend(&mut root, &header)?;
        } else {
            entry(input, descend(&mut root, &header)?, header.len())?;
        }
    }
    let place = SourcePlace::Token(Span::call_site());
    let kind = ValueKind::Table(root);
    Ok(ParsedValue { kind, place })
}

/// `[a.b]`, once for each table.
fn read_header(input: ParseStream, seen: &mut Vec<String>) -> Result<Vec<KeyToken>> {
    let content;
    let bracket = bracketed!(content in input);
    let keys = dotted(&content)?;
    if !content.is_empty() {
        return Err(content.error("expected `]`"));
    }
    let names: Vec<_> = keys.iter().map(|key| key.name.as_str()).collect();
    let name = names.join(".");
    if seen.contains(&name) {
        let message = format!("the table `{name}` is written twice");
        return Err(Error::new(bracket.span.join(), message));
    }
    seen.push(name);
    Ok(keys)
}

fn entry(input: ParseStream, table: &mut Entries, depth: usize) -> Result<()> {
    let mut keys = dotted(input)?;
    input.parse::<Token![=]>()?;
    let value = value(input, depth + keys.len())?;
    input.parse::<Option<Token![,]>>()?;
    let Some(last) = keys.pop() else {
        return Ok(());
    };
    let table = descend(table, &keys)?;
    if table.contains_key(&last.name) {
        let message = format!("the key `{}` is written twice", last.name);
        return Err(Error::new(last.span, message));
    }
    let key = SourcePlace::Token(last.span);
    table.insert(last.name, TableEntry { key, value });
    Ok(())
}

/// One key or several with dots between; at most [`MAX_DEPTH`].
fn dotted(input: ParseStream) -> Result<Vec<KeyToken>> {
    let mut keys = vec![input.parse::<KeyToken>()?];
    while input.parse::<Option<Token![.]>>()?.is_some() {
        if keys.len() == MAX_DEPTH {
            return Err(input.error(format!("a key has more than {MAX_DEPTH} parts")));
        }
        keys.push(input.parse()?);
    }
    Ok(keys)
}

impl Parse for KeyToken {
    fn parse(input: ParseStream) -> Result<Self> {
        if input.peek(LitStr) {
            let text: LitStr = input.parse()?;
            let (name, span) = (text.value(), text.span());
            return Ok(KeyToken { name, span });
        }
        if input.peek(Token![#]) {
            return Err(input.error("expected a key; comments are written `// …` in `mechanism!`"));
        }
        if !input.peek(Ident::peek_any) {
            return Err(input.error("expected a key"));
        }
        let ident = input.call(Ident::parse_any)?;
        let (name, span) = (ident.unraw().to_string(), ident.span());
        Ok(KeyToken { name, span })
    }
}

/// The table that the keys lead to; those that do not exist yet begin here.
fn descend<'t>(mut table: &'t mut Entries, keys: &[KeyToken]) -> Result<&'t mut Entries> {
    for key in keys {
        let place = SourcePlace::Token(key.span);
        let entry = table.entry(key.name.clone()).or_insert_with(|| TableEntry {
            key: place.clone(),
            value: ParsedValue {
                kind: ValueKind::Table(Entries::new()),
                place,
            },
        });
        let ValueKind::Table(inner) = &mut entry.value.kind else {
            let message = format!("`{}` already has a value that is no table", key.name);
            return Err(Error::new(key.span, message));
        };
        table = inner;
    }
    Ok(table)
}

fn value(input: ParseStream, depth: usize) -> Result<ParsedValue> {
    if depth > MAX_DEPTH {
        return Err(input.error("tables and lists are nested too deeply"));
    }
    if input.peek(token::Bracket) {
        list(input, depth)
    } else if input.peek(token::Brace) {
        inline_table(input, depth)
    } else {
        scalar(input)
    }
}

fn list(input: ParseStream, depth: usize) -> Result<ParsedValue> {
    let content;
    let bracket = bracketed!(content in input);
    let mut list = Vec::new();
    while !content.is_empty() {
        list.push(value(&content, depth + 1)?);
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
    }
    let place = SourcePlace::Token(bracket.span.join());
    let kind = ValueKind::List(list);
    Ok(ParsedValue { kind, place })
}

fn inline_table(input: ParseStream, depth: usize) -> Result<ParsedValue> {
    let content;
    let brace = braced!(content in input);
    let mut table = Entries::new();
    while !content.is_empty() {
        entry(&content, &mut table, depth + 1)?;
    }
    let place = SourcePlace::Token(brace.span.join());
    let kind = ValueKind::Table(table);
    Ok(ParsedValue { kind, place })
}

fn scalar(input: ParseStream) -> Result<ParsedValue> {
    let minus = input.parse::<Option<Token![-]>>()?.is_some();
    let signed = minus || input.parse::<Option<Token![+]>>()?.is_some();
    let sign = if minus { -1.0 } else { 1.0 };
    let span = input.span();
    let number = |number: f64| Ok(ValueKind::Number(sign * number));
    let kind = if input.peek(Ident) {
        let word: Ident = input.parse()?;
        match word.to_string().as_str() {
            "inf" => number(f64::INFINITY),
            "nan" => number(f64::NAN),
            _ => Err(Error::new(
                span,
                "expected a value; a text stands in quotes",
            )),
        }
    } else if !input.peek(Lit) {
        Err(input.error("expected a value"))
    } else {
        match input.parse()? {
            Lit::Int(digits) if digits.suffix().is_empty() => number(digits.base10_parse()?),
            Lit::Float(digits) if digits.suffix().is_empty() => number(digits.base10_parse()?),
            Lit::Str(text) if !signed => Ok(ValueKind::Text(text.value())),
            Lit::Bool(truth) if !signed => Ok(ValueKind::Bool(truth.value)),
            Lit::Int(_) | Lit::Float(_) => Err(Error::new(
                span,
                "expected a plain number; a number with a unit stands in quotes",
            )),
            _ => Err(Error::new(
                span,
                "expected a text in double quotes, a number or a bool",
            )),
        }
    }?;
    let place = SourcePlace::Token(span);
    Ok(ParsedValue { kind, place })
}
