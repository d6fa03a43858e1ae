//! JSON values with their mistakes kept: the layer between `serde_json` and the schema.
//!
//! The text is read in one pass without a tree. A value of the wrong kind does not stop the reading: it becomes a
//! [`Mistake`] that its owner reports once the object around it has ended, because of two equal keys the last counts.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// What is wrong with a value, and where it stands relative to the value that reports it.
#[derive(Debug, Clone, PartialEq)]
pub struct Mistake {
    steps: Vec<Step>,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq)]
enum Step {
    Key(&'static str),
    Index(usize),
}

/// A value, or the mistake in it. Boxed: mistakes are rare and sections are many.
pub type Checked<T> = Result<T, Box<Mistake>>;

impl Mistake {
    pub fn new(reason: impl Into<String>) -> Box<Mistake> {
        Box::new(Mistake { steps: Vec::new(), reason: reason.into() })
    }

    fn kind(expected: &str, found: &str) -> Box<Mistake> {
        Mistake::new(format!("expected {expected}, found {found}"))
    }

    pub fn in_key(mut self: Box<Mistake>, key: &'static str) -> Box<Mistake> {
        self.steps.push(Step::Key(key));
        self
    }

    pub fn in_index(mut self: Box<Mistake>, index: usize) -> Box<Mistake> {
        self.steps.push(Step::Index(index));
        self
    }

    /// The place as a path: `pos_exponents[3].num_sections`.
    pub fn place(&self) -> String {
        let mut place = String::new();
        for step in self.steps.iter().rev() {
            match step {
                Step::Key(key) if place.is_empty() => place.push_str(key),
                Step::Key(key) => place.extend([".", key]),
                Step::Index(index) => place.push_str(&format!("[{index}]")),
            }
        }
        place
    }
}

/// A type of the schema, read from any JSON value whatever its kind.
pub trait Value<'de>: Sized {
    /// Reads one value whole. The outer error is a syntax error, the inner one a mistake against the schema.
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Checked<Self>, D::Error>;
}

/// A [`Value`] as serde sees it.
pub struct Kept<T>(pub Checked<T>);

impl<'de, T: Value<'de>> Deserialize<'de> for Kept<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::read(deserializer).map(Kept)
    }
}

/// An integer within `MIN..=MAX`, without fraction or exponent: `3.0` and `1e2` are refused, `-0` is 0.
pub struct Integer<const MIN: i64, const MAX: i64>(pub i64);

impl<'de, const MIN: i64, const MAX: i64> Value<'de> for Integer<MIN, MAX> {
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Checked<Self>, D::Error> {
        let text = <&RawValue>::deserialize(deserializer)?.get();
        // JSON's grammar was checked: a first digit or minus means a number, and `+` or leading zeros cannot occur.
        let value = text.parse::<i64>().ok().filter(|value| (MIN..=MAX).contains(value));
        Ok(value.map(Integer).ok_or_else(|| Mistake::kind(&format!("an integer in {MIN}..={MAX}"), &describe(text))))
    }
}

/// `true` or `false`, or 1 or 0.
pub struct Flag(pub bool);

impl<'de> Value<'de> for Flag {
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Checked<Self>, D::Error> {
        Ok(match <&RawValue>::deserialize(deserializer)?.get() {
            "true" | "1" => Ok(Flag(true)),
            "false" | "0" => Ok(Flag(false)),
            other => Err(Mistake::kind("true, false, 1 or 0", &describe(other))),
        })
    }
}

/// What a raw scalar is, for messages: a number as it stands, the kind of anything else.
fn describe(text: &str) -> String {
    match text.as_bytes().first() {
        Some(b'"') => "a string".to_owned(),
        Some(b'[') => "an array".to_owned(),
        Some(b'{') => "an object".to_owned(),
        _ if text.len() > 40 => format!("the number {}...", &text[..40]),
        Some(b'-' | b'0'..=b'9') => format!("the number {text}"),
        _ => text.to_owned(),
    }
}

/// A [`Value`] that is a JSON object.
pub trait Object<'de>: Sized {
    fn from_map<A: MapAccess<'de>>(map: A) -> Result<Checked<Self>, A::Error>;
}

impl<'de, T: Object<'de>> Value<'de> for T {
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Checked<Self>, D::Error> {
        deserializer.deserialize_any(Container(PhantomData::<T>))
    }
}

/// A JSON array of [`Value`]s. The first mistake in it is the one that is kept.
pub struct Array<T>(pub Vec<T>);

impl<'de, T: Value<'de>> Value<'de> for Array<T> {
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Checked<Self>, D::Error> {
        deserializer.deserialize_any(Container(PhantomData::<Array<T>>))
    }
}

/// Visits a value that should be a container of the kind that `C` says.
struct Container<C>(PhantomData<C>);

trait Expect<'de>: Sized {
    const KIND: &'static str;

    fn map<A: MapAccess<'de>>(mut map: A) -> Result<Checked<Self>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self::wrong("an object"))
    }

    fn seq<A: SeqAccess<'de>>(mut seq: A) -> Result<Checked<Self>, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Self::wrong("an array"))
    }

    fn wrong(found: &str) -> Checked<Self> {
        Err(Mistake::kind(Self::KIND, found))
    }
}

impl<'de, T: Object<'de>> Expect<'de> for T {
    const KIND: &'static str = "an object";

    fn map<A: MapAccess<'de>>(map: A) -> Result<Checked<Self>, A::Error> {
        T::from_map(map)
    }
}

impl<'de, T: Value<'de>> Expect<'de> for Array<T> {
    const KIND: &'static str = "an array";

    fn seq<A: SeqAccess<'de>>(mut seq: A) -> Result<Checked<Self>, A::Error> {
        let mut items = Vec::new();
        let mut mistake = None;
        while let Some(Kept(item)) = seq.next_element::<Kept<T>>()? {
            match item {
                Ok(item) if mistake.is_none() => items.push(item),
                Err(first) if mistake.is_none() => mistake = Some(first.in_index(items.len())),
                _ => {}
            }
        }
        Ok(mistake.map_or(Ok(Array(items)), Err))
    }
}

impl<'de, C: Expect<'de>> Visitor<'de> for Container<C> {
    type Value = Checked<C>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(C::KIND)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(C::wrong(if value { "true" } else { "false" }))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(C::wrong(&format!("the number {value}")))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(C::wrong(&format!("the number {value}")))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(C::wrong(&format!("the number {value}")))
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(C::wrong("a string"))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(C::wrong("null"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        C::seq(seq)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        C::map(map)
    }
}

/// Reads an object's key as one of the schema's, none for any other.
pub struct Key(pub &'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Option<&'static str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key {
    type Value = Option<&'static str>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().find(|known| **known == key).copied())
    }
}

/// Defines a struct of the schema's keys, each a `Checked` value or none, and reads `$target` from a JSON object through
/// it and its method `$finish`. Of two equal keys the last counts; unknown keys are skipped.
macro_rules! fields {
    ($name:ident::$finish:ident -> $target:ident { $($field:ident: $type:ty),* $(,)? }) => {
        #[derive(Default)]
        struct $name {
            $($field: Option<$crate::profile::json::Checked<$type>>),*
        }

        impl<'de> $crate::profile::json::Object<'de> for $target {
            fn from_map<A: serde::de::MapAccess<'de>>(
                mut map: A,
            ) -> ::std::result::Result<$crate::profile::json::Checked<Self>, A::Error> {
                use $crate::profile::json::{Kept, Key};
                let mut fields = $name::default();
                while let Some(key) = map.next_key_seed(Key(&[$(stringify!($field)),*]))? {
                    $(if key == Some(stringify!($field)) {
                        fields.$field = Some(map.next_value::<Kept<$type>>()?.0);
                        continue;
                    })*
                    map.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(fields.$finish())
            }
        }
    };
}

/// Takes a field out of a [`fields!`] struct: the value, or the mistake with its key in front.
macro_rules! required {
    ($fields:expr, $field:ident) => {
        $fields
            .$field
            .unwrap_or_else(|| Err($crate::profile::json::Mistake::new("missing")))
            .map_err(|mistake| mistake.in_key(stringify!($field)))?
    };
}

pub(super) use {fields, required};
