//! Shapes of bodies, from which mass, centre and inertia follow.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AxisRef, Number, Orientation};

/// One shape, or a list of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Shapes {
    /// A body of one piece.
    One(Box<Shape>),
    /// A body of several pieces.
    Many(Vec<Shape>),
}

impl Default for Shapes {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

impl Shapes {
    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Many(list) if list.is_empty())
    }
}

/// A solid of uniform density, in the frame of its body. Its lengths may use parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// The type of solid.
    #[serde(rename = "type")]
    pub kind: ShapeType,
    /// `rod`, `cylinder`: length along its axis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Number>,
    /// Radius. For a `rod` it only determines the mass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Number>,
    /// `box`: its edges, two in the plane and three in space, along x, y and z of the shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Vec<Number>>,
    /// `polygon`: corners in order, two components each, in the x–y plane of the shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corners: Option<Vec<Vec<Number>>>,
    /// `disc`, `polygon`, and `box` in the plane: extent along the normal, half of it on each side; thin if
    /// absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thickness: Option<Number>,
    /// Centre of the shape, or origin of the corners of a `polygon`, in the body's frame; its origin if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Vec<Number>>,
    /// `rod`, `cylinder`: two points of the body between which it reaches, instead of `length`, `at` and `axis`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub between: Option<[String; 2]>,
    /// `rod`, `cylinder`, `disc`: direction of its axis in the body's frame: `x` of a rod if absent, else `z`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<AxisRef>,
    /// `rod`, `box`, `polygon` in the plane: angle by which it is turned in the body's frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle: Option<Number>,
    /// `box`, `polygon` in space: its orientation in the body's frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orientation: Option<Orientation>,
    /// Density.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<Number>,
    /// A material instead of the density, such as `steel`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<Material>,
    /// Mass of this shape instead of a density.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<Number>,
}

/// Kinds of shapes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ShapeType {
    /// A thin rod: it has no moment of inertia about its own axis.
    #[default]
    Rod,
    /// A box, in the plane a rectangle.
    Box,
    /// A round cylinder, in space.
    Cylinder,
    /// A round plate.
    Disc,
    /// A ball.
    Sphere,
    /// A plate with straight edges.
    Polygon,
}

impl ShapeType {
    /// Its word in a description.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Rod => "rod",
            Self::Box => "box",
            Self::Cylinder => "cylinder",
            Self::Disc => "disc",
            Self::Sphere => "sphere",
            Self::Polygon => "polygon",
        }
    }
}

/// Materials whose density is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Material {
    /// Mild steel, 7850 kg/m³.
    Steel,
    /// Stainless steel 1.4301 (304), 7900 kg/m³.
    StainlessSteel,
    /// Grey cast iron, 7200 kg/m³.
    CastIron,
    /// Aluminium, 2700 kg/m³.
    #[serde(alias = "aluminum")]
    Aluminium,
    /// Brass CuZn37, 8440 kg/m³.
    Brass,
    /// Bronze CuSn8, 8800 kg/m³.
    Bronze,
    /// Copper, 8960 kg/m³.
    Copper,
    /// Titanium, 4510 kg/m³.
    Titanium,
    /// Magnesium, 1740 kg/m³.
    Magnesium,
    /// Lead, 11340 kg/m³.
    Lead,
    /// Oak, 710 kg/m³.
    Oak,
    /// Softwood such as spruce, 460 kg/m³.
    #[serde(alias = "wood")]
    Softwood,
    /// Birch plywood, 680 kg/m³.
    Plywood,
    /// ABS, 1050 kg/m³.
    #[serde(alias = "plastic")]
    Abs,
    /// PLA, 1240 kg/m³.
    Pla,
    /// Polyamide 6.6 (nylon), 1140 kg/m³.
    #[serde(alias = "nylon")]
    Polyamide,
    /// Polyoxymethylene (acetal), 1410 kg/m³.
    Pom,
    /// Acrylic glass (PMMA), 1190 kg/m³.
    Acrylic,
    /// Natural rubber, 930 kg/m³.
    Rubber,
    /// Concrete, 2400 kg/m³.
    Concrete,
}

impl Material {
    /// Density in kg/m³ at room temperature. Metals and woods differ from batch to batch by more than these figures
    /// are rounded.
    ///
    /// Sources: pure metals from the CRC Handbook of Chemistry and Physics; steel, cast iron, aluminium and concrete
    /// from EN 1991-1-1, annex A; stainless steel from EN 10088-1; brass CuZn37 and bronze CuSn8 from data sheets of
    /// the German copper institute; oak and spruce from EN 350; plywood from the Handbook of Finnish Plywood; plastics
    /// and rubber as makers' data sheets give them by ISO 1183.
    pub const fn density(self) -> f64 {
        match self {
            Self::Steel => 7850.0,
            Self::StainlessSteel => 7900.0,
            Self::CastIron => 7200.0,
            Self::Aluminium => 2700.0,
            Self::Brass => 8440.0,
            Self::Bronze => 8800.0,
            Self::Copper => 8960.0,
            Self::Titanium => 4510.0,
            Self::Magnesium => 1740.0,
            Self::Lead => 11_340.0,
            Self::Oak => 710.0,
            Self::Softwood => 460.0,
            Self::Plywood => 680.0,
            Self::Abs => 1050.0,
            Self::Pla => 1240.0,
            Self::Polyamide => 1140.0,
            Self::Pom => 1410.0,
            Self::Acrylic => 1190.0,
            Self::Rubber => 930.0,
            Self::Concrete => 2400.0,
        }
    }
}
