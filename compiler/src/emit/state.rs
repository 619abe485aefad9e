//! The struct, its default, and the constants and sizes of the trait.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::Names;
use super::context::{EmitContext, general};
use super::docs::{doc, plain};
use super::events;
use super::imports::ImportSource;
use super::plan::{Statement, StatementPlan};
use crate::assembly::Assembly;
use crate::kernel::{Array, Instruction, Name};
use crate::model::{Model, jumping};
use crate::options::Lanes;

/// The struct and its `Default`.
pub fn state(context: &EmitContext, model: &Model, name: &Ident) -> TokenStream {
    let sizes = &context.sizes;
    let (parameters, inputs) = (context.array(sizes.parameters), context.array(sizes.inputs));
    let derived = (sizes.derived > 0).then(|| {
        let kind = context.array(sizes.derived);
        quote!(derived: #kind,)
    });
    let variables = (sizes.variables > 0).then(|| {
        let kind = context.vector(sizes.variables);
        let cell = context.imports.name(ImportSource::Cells, "Cell");
        quote!(variables: #cell<#kind>,)
    });
    let has = match sizes.variables {
        0 => "parameters and inputs",
        _ => "parameters, inputs and variables",
    };
    let doc = doc(&format!(
        "The mechanism `{}`: its {has}.",
        plain(&model.name)
    ));
    let acronym = acronym(&name.to_string());
    let default = default(context, model, name);
    let declared = match context.lanes {
        Lanes::One => name.clone(),
        Lanes::Any => general(name),
    };
    // With its bound, because a cell of vectors is cloned and compared only if they can be copied.
    let parameter = context.generics();
    quote! {
        #doc
        #acronym
        #[derive(Clone, Debug, PartialEq)]
        pub struct #declared #parameter {
            parameters: #parameters,
            inputs: #inputs,
            #variables
            #derived
        }
        #default
    }
}

/// The associated types and constants of the trait's implementation.
pub fn items(
    context: &EmitContext,
    model: &Model,
    names: &Names,
    assembly: &Assembly,
) -> TokenStream {
    let types = types(context);
    let constants = constants(context, model, names, assembly);
    quote!(#types #constants)
}

/// The constant that leaves accelerations to the dense solve of the runtime. It is only written if they have no
/// unrolled solve.
pub fn unrolled(plans: &[StatementPlan]) -> Option<TokenStream> {
    let has_margin = |statement: &Statement| match statement {
        Statement::Write(slot, _) => slot.array == Array::Margin,
        Statement::Let(_) | Statement::SinCos(..) => false,
    };
    let accelerate = plans.iter().find(|plan| plan.name == Name::Accelerate)?;
    let is_unrolled = accelerate.statements.iter().any(has_margin);
    // An outline has no statements at all.
    (!is_unrolled && !accelerate.statements.is_empty()).then(|| {
        quote!(
            const UNROLLED: bool = false;
        )
    })
}

/// The constant that no output depends on multipliers. It is only written where multipliers are hard to find.
pub fn without_multipliers(plans: &[StatementPlan], assembly: &Assembly) -> Option<TokenStream> {
    let asks = |instruction: &Instruction| match instruction {
        Instruction::Load(slot) => slot.array == Array::Multipliers,
        _ => false,
    };
    let outputs = plans.iter().find(|plan| plan.name == Name::Outputs)?;
    let is_quiet = !assembly.redundant.is_empty() && !outputs.needed().any(asks);
    is_quiet.then(|| {
        quote!(
            const OUTPUTS_NEED_MULTIPLIERS: bool = false;
        )
    })
}

/// `start`, and the methods that read and set parameters and inputs.
pub fn methods(context: &EmitContext, model: &Model, assembly: &Assembly) -> TokenStream {
    let real = &context.real;
    let start = pair(context, &assembly.coordinates, &assembly.velocities);
    let defaults = model.parameters.iter().map(|p| context.number(p.default));
    let is_default = if model.parameters.is_empty() {
        quote!(true)
    } else {
        quote!(self.parameters == [#(#defaults),*])
    };
    let prepare = (context.sizes.derived > 0)
        .then(|| quote!(Self::prepare(&self.parameters, &mut self.derived);));
    quote! {
        /// The start that the compiler assembled at the default parameters.
        fn start(&self) -> (Self::Coordinates, Self::Velocities) { #start }
        /// True if all parameters have their default values.
        fn is_default(&self) -> bool { #is_default }
        /// Values of the parameters, in the order of `PARAMETERS`.
        fn parameters(&self) -> &[#real] { &self.parameters }
        /// Sets a parameter and what is derived from it.
        fn set_parameter(&mut self, index: usize, value: #real) {
            self.parameters[index] = value;
            #prepare
        }
        /// Values of the inputs, in the order of `INPUTS`.
        fn inputs(&self) -> &[#real] { &self.inputs }
        /// Values of the inputs, to be set between steps.
        fn inputs_mut(&mut self) -> &mut [#real] { &mut self.inputs }
    }
}

/// A name that is written in capitals keeps them.
fn acronym(name: &str) -> Option<TokenStream> {
    let capitals = name.len() > 2 && name.chars().all(|c| c.is_ascii_uppercase());
    capitals.then(
        || quote!(#[allow(clippy::upper_case_acronyms, reason = "the description has this name")]),
    )
}

fn default(context: &EmitContext, model: &Model, name: &Ident) -> TokenStream {
    let parameters = model
        .parameters
        .iter()
        .map(|parameter| context.number(parameter.default));
    let inputs = model.inputs.iter().map(|input| context.number(input.start));
    let derived = (context.sizes.derived > 0).then(|| {
        let n_derived = proc_macro2::Literal::usize_unsuffixed(context.sizes.derived);
        let zero = context.number(0.0);
        quote!(let mut derived = [#zero; #n_derived]; Self::prepare(&parameters, &mut derived);)
    });
    let field = derived.is_some().then(|| quote!(derived,));
    let variables = events::cell(context, model).map(|cell| quote!(variables: #cell,));
    let (trait_name, _) = context.defaults();
    let (generics, name) = (context.generics(), context.type_of(name));
    quote! {
        impl #generics #trait_name for #name {
            /// The default parameters, and what else a run starts with.
            fn default() -> Self {
                let parameters = [#(#parameters),*];
                let inputs = [#(#inputs),*];
                #derived
                Self { parameters, inputs, #variables #field }
            }
        }
    }
}

fn types(context: &EmitContext) -> TokenStream {
    let real = &context.real;
    let vector = |array| context.vector(context.shape(array).0);
    let matrix = |array| {
        let (rows, columns) = context.shape(array);
        context.matrix(rows, columns)
    };
    let coordinates = vector(Array::Coordinates);
    let velocities = vector(Array::Velocities);
    let multipliers = vector(Array::Multipliers);
    let factor = vector(Array::Factor);
    let holds = vector(Array::HoldValues);
    let outputs = vector(Array::Outputs);
    let reactions = vector(Array::Reactions);
    let variables = vector(Array::Variables);
    let (events, transitions) = (vector(Array::Events), vector(Array::Transitions));
    let (mass, rows) = (matrix(Array::Mass), matrix(Array::Rows));
    let n_rows = context.shape(Array::Rows).0;
    let schur = context.matrix(n_rows, n_rows);
    quote! {
        type Scalar = #real;
        type Coordinates = #coordinates;
        type Velocities = #velocities;
        type Multipliers = #multipliers;
        type Factor = #factor;
        type Holds = #holds;
        type Outputs = #outputs;
        type Reactions = #reactions;
        type Variables = #variables;
        type Events = #events;
        type Transitions = #transitions;
        type Schur = #schur;
        type Mass = #mass;
        type Rows = #rows;
    }
}

fn constants(
    context: &EmitContext,
    model: &Model,
    names: &Names,
    assembly: &Assembly,
) -> TokenStream {
    let list = |names: Vec<&String>| quote!(&'static [&'static str] = &[#(#names),*]);
    let name = &model.name;
    let coordinates = list(names.coordinates.iter().collect());
    let velocities = list(names.velocities.iter().collect());
    let rows = list(names.constraints.iter().collect());
    let holds = list(names.holds.iter().collect());
    let parameters = list(model.parameters.iter().map(|one| &one.name).collect());
    let inputs = list(model.inputs.iter().map(|one| &one.name).collect());
    let outputs = list(model.outputs.iter().map(|one| &one.name).collect());
    let joints = list(model.joints.iter().map(|one| &one.name).collect());
    let indices = |rows: &[usize]| -> Vec<proc_macro2::Literal> {
        let rows = rows.iter();
        rows.map(|row| proc_macro2::Literal::usize_unsuffixed(*row))
            .collect()
    };
    let redundant = indices(&assembly.redundant_rows());
    let freedoms = proc_macro2::Literal::usize_unsuffixed(assembly.freedoms);
    let compliant = (names.n_compliant > 0).then(|| {
        let n = proc_macro2::Literal::usize_unsuffixed(names.n_compliant);
        quote!(const COMPLIANT: usize = #n;)
    });
    let shares = (!assembly.shares.is_empty()).then(|| {
        let shares = assembly.shares.iter().map(|share| context.double(*share));
        quote!(const SHARES: &'static [f64] = &[#(#shares),*];)
    });
    let jumps = jumping(model);
    let jumps = (!jumps.is_empty()).then(|| {
        let jumps = list(jumps);
        quote!(const JUMPS: #jumps;)
    });
    let couplings = (!assembly.redundant.is_empty() && !names.couplings.is_empty()).then(|| {
        let rows = indices(&names.couplings);
        quote!(const COUPLINGS: &'static [usize] = &[#(#rows),*];)
    });
    let rounded = assembly.rounded.then(|| {
        quote!(
            const ROUNDED: bool = true;
        )
    });
    let size = context.double(assembly.size);
    let defaults = defaults(context, model);
    quote! {
        const NAME: &'static str = #name;
        const COORDINATES: #coordinates;
        const VELOCITIES: #velocities;
        const CONSTRAINTS: #rows;
        const PARAMETERS: #parameters;
        const INPUTS: #inputs;
        const OUTPUTS: #outputs;
        const JOINTS: #joints;
        const HOLDS: #holds;
        #compliant
        #shares
        #jumps
        #couplings
        const REDUNDANT: &'static [usize] = &[#(#redundant),*];
        #rounded
        const FREEDOMS: usize = #freedoms;
        const SIZE: f64 = #size;
        #defaults
    }
}

fn defaults(context: &EmitContext, model: &Model) -> TokenStream {
    let kind = context.item("Defaults");
    let until = context.double(model.simulation.until);
    let step = context.double(model.simulation.step);
    let tolerance = context.double(model.simulation.tolerance);
    let integrator = model.simulation.integrator.word();
    let stabilizer = model.simulation.stabilizer.word();
    quote! {
        const DEFAULTS: #kind = #kind {
            until: #until,
            step: #step,
            tolerance: #tolerance,
            integrator: #integrator,
            stabilizer: #stabilizer,
        };
    }
}

fn pair(context: &EmitContext, coordinates: &[f64], velocities: &[f64]) -> TokenStream {
    let vector = |values: &[f64]| context.vector_of(values.iter().copied());
    let (coordinates, velocities) = (vector(coordinates), vector(velocities));
    quote!((#coordinates, #velocities))
}
