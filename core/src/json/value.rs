//! The kinds of value that a schema is made of, with their mistakes kept.
//!
//! A value of the wrong kind does not stop the reading: it becomes a [`Mistake`] that its owner reports once the object
//! around it has ended, because of two equal keys the last counts.

use std::borrow::Cow;

use super::reader::{Quoted, Read, Reader, Token};
use crate::memory::{self, Watch, text};

/// What is wrong with a value, and where it stands relative to the value that reports it.
#[derive(Debug, Clone, PartialEq)]
pub struct Mistake {
    steps: Vec<Step>,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq)]
enum Step {
    Key(Cow<'static, str>),
    Index(usize),
}

/// A value, or the mistake in it. Boxed: mistakes are rare and sections are many.
pub type Checked<T> = Result<T, Box<Mistake>>;

impl Mistake {
    pub fn new(reason: impl Into<String>) -> Box<Mistake> {
        Box::new(Mistake { steps: Vec::new(), reason: reason.into() })
    }

    pub fn in_key(mut self: Box<Mistake>, key: impl Into<Cow<'static, str>>) -> Box<Mistake> {
        self.steps.push(Step::Key(key.into()));
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
                Step::Key(key) if place.is_empty() => place = text!("{key}"),
                Step::Key(key) => place = text!("{place}.{key}"),
                Step::Index(index) => place = text!("{place}[{index}]"),
            }
        }
        place
    }
}

/// A type of the schema, read from any JSON value whatever its kind.
pub trait Value: Sized {
    /// Reads the rest of the value that begins with `token`, whole. The outer error is a syntax error, the inner one a
    /// mistake against the schema.
    fn read<'t>(reader: &mut Reader<'t>, token: Token<'t>) -> Read<Checked<Self>>;
}

/// Reads a value of the kind `T`, or the mistake in it.
#[inline]
pub fn value<T: Value>(reader: &mut Reader) -> Read<Checked<T>> {
    let token = reader.token()?;
    T::read(reader, token)
}

/// Reads past a value that is not what was expected.
#[cold]
pub fn wrong<T>(reader: &mut Reader, token: Token, expected: &str) -> Read<Checked<T>> {
    let reason = text!("expected {expected}, found {}", token.describe());
    reader.skip(token)?;
    Ok(Err(Mistake::new(reason)))
}

/// An integer within `MIN..=MAX`, without fraction or exponent: `3.0` and `1e2` are refused, `-0` is 0.
pub struct Integer<const MIN: i64, const MAX: i64>(pub i64);

impl<const MIN: i64, const MAX: i64> Value for Integer<MIN, MAX> {
    #[inline]
    fn read<'t>(reader: &mut Reader<'t>, token: Token<'t>) -> Read<Checked<Self>> {
        let Token::Number(text) = token else { return wrong(reader, token, &Self::expected()) };
        // The grammar was checked: there is no `+` and no leading zero.
        match text.parse::<i64>() {
            Ok(value) if (MIN..=MAX).contains(&value) => Ok(Ok(Integer(value))),
            _ => wrong(reader, token, &Self::expected()),
        }
    }
}

impl<const MIN: i64, const MAX: i64> Integer<MIN, MAX> {
    fn expected() -> String {
        text!("an integer in {MIN}..={MAX}")
    }
}

/// A float by its bit pattern, written as a signed or an unsigned 32-bit integer.
pub struct FloatBits(pub f32);

impl Value for FloatBits {
    #[inline]
    fn read<'t>(reader: &mut Reader<'t>, token: Token<'t>) -> Read<Checked<Self>> {
        let bits = Integer::<{ i32::MIN as i64 }, { u32::MAX as i64 }>::read(reader, token)?;
        Ok(bits.map(|bits| FloatBits(f32::from_bits(bits.0 as u32))))
    }
}

/// `true` or `false`, or 1 or 0.
pub struct Flag(pub bool);

impl Value for Flag {
    fn read<'t>(reader: &mut Reader<'t>, token: Token<'t>) -> Read<Checked<Self>> {
        match token {
            Token::Bool(value) => Ok(Ok(Flag(value))),
            Token::Number("0") => Ok(Ok(Flag(false))),
            Token::Number("1") => Ok(Ok(Flag(true))),
            _ => wrong(reader, token, "true, false, 1 or 0"),
        }
    }
}

/// A string.
pub struct Text(pub String);

impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl Value for Text {
    fn read<'t>(reader: &mut Reader<'t>, token: Token<'t>) -> Read<Checked<Self>> {
        match token {
            Token::String(quoted) => Ok(unquoted(quoted)?.map(Text)),
            _ => wrong(reader, token, "a string"),
        }
    }
}

fn unquoted(quoted: Quoted) -> Read<Checked<String>> {
    let half = || Mistake::new(text!("expected text, found half of a surrogate pair in an escape"));
    Ok(quoted.text()?.ok_or_else(half))
}

/// The name of a file beside this one: not empty, no path.
pub struct FileName(pub String);

impl Value for FileName {
    fn read<'t>(reader: &mut Reader<'t>, token: Token<'t>) -> Read<Checked<Self>> {
        let plain = |Text(name): Text| {
            if name.is_empty() || name == "." || name == ".." || name.contains(['/', '\\', '\0']) {
                return Err(Mistake::new(text!("expected a plain file name, found {name:?}")));
            }
            Ok(FileName(name))
        };
        Ok(Text::read(reader, token)?.and_then(plain))
    }
}

/// A JSON array of [`Value`]s. The first mistake in it is the one that is kept.
pub struct Array<T>(pub Vec<T>);

impl<T: Value> Value for Array<T> {
    fn read<'t>(reader: &mut Reader<'t>, token: Token<'t>) -> Read<Checked<Self>> {
        if !matches!(token, Token::Array) {
            return wrong(reader, token, "an array");
        }
        let mut items = Vec::new();
        let mut mistake = None;
        reader.items(|reader| {
            if mistake.is_some() {
                return reader.skip_value();
            }
            match value::<T>(reader)? {
                Ok(item) => memory::push(&mut items, item)?,
                Err(first) => mistake = Some(first.in_index(items.len())),
            }
            Ok(())
        })?;
        Ok(mistake.map_or(Ok(Array(items)), Err))
    }
}

/// A JSON object with keys of its own: the members in the order of the file, no key twice. Of two equal keys the last
/// one's value counts, at the first one's place.
pub struct Map<T>(pub Vec<(String, T)>);

impl<T: Value> Value for Map<T> {
    fn read<'t>(reader: &mut Reader<'t>, token: Token<'t>) -> Read<Checked<Self>> {
        if !matches!(token, Token::Object) {
            return wrong(reader, token, "an object");
        }
        let mut members: Vec<(String, Checked<T>)> = Vec::new();
        let mut mistake = None;
        let watch = Watch::new();
        reader.members(|reader, key| {
            let value = value::<T>(reader)?;
            watch.check()?; // there may be a mistake in every member
            match unquoted(key)? {
                Ok(key) => memory::push(&mut members, (key, value))?,
                Err(half) => drop(mistake.get_or_insert(half)),
            }
            Ok(())
        })?;
        if let Some(mistake) = mistake {
            return Ok(Err(mistake));
        }
        keep_last(&mut members)?;
        let mut checked = Vec::new();
        memory::reserve(&mut checked, members.len())?;
        for (key, value) in members {
            match value {
                Ok(value) => checked.push((key, value)),
                Err(mistake) => return Ok(Err(mistake.in_key(key))),
            }
        }
        Ok(Ok(Map(checked)))
    }
}

/// Of the members of one key, the first gets the last one's value and the others go.
fn keep_last<T>(members: &mut Vec<(String, T)>) -> memory::Result<()> {
    let mut order = memory::collect(0..members.len())?;
    order.sort_unstable_by(|&one, &other| members[one].0.cmp(&members[other].0).then(one.cmp(&other)));
    let mut gone: Vec<usize> = Vec::new();
    let mut rest = order.as_slice();
    while let [first, ..] = *rest {
        let equal = rest.iter().take_while(|&&other| members[other].0 == members[first].0).count();
        let (equal, others) = rest.split_at(equal);
        rest = others;
        if let &[first, ref repeated @ .., last] = equal {
            let (before, end) = members.split_at_mut(last);
            std::mem::swap(&mut before[first].1, &mut end[0].1);
            for &repeated in repeated.iter().chain([&last]) {
                memory::push(&mut gone, repeated)?;
            }
        }
    }
    gone.sort_unstable();
    let mut gone = gone.into_iter().peekable();
    let mut index = 0;
    members.retain(|_| {
        let goes = gone.next_if_eq(&index).is_some();
        index += 1;
        !goes
    });
    Ok(())
}

/// A [`Value`] that is a JSON object with the keys of a schema; [`fields!`] makes them.
pub trait Object: Sized {
    /// Reads the members after the opening brace, and the closing one.
    fn read_members(reader: &mut Reader) -> Read<Checked<Self>>;
}

impl<T: Object> Value for T {
    #[inline]
    fn read<'t>(reader: &mut Reader<'t>, token: Token<'t>) -> Read<Checked<Self>> {
        match token {
            Token::Object => T::read_members(reader),
            _ => wrong(reader, token, "an object"),
        }
    }
}

/// Defines a struct of the schema's keys, each a `Checked` value or none, and reads `$target` from a JSON object through
/// it and its method `$finish`. Of two equal keys the last counts; unknown keys are skipped.
macro_rules! fields {
    ($name:ident::$finish:ident -> $target:ident { $($field:ident: $type:ty),* $(,)? }) => {
        #[derive(Default)]
        struct $name {
            $($field: Option<$crate::json::Checked<$type>>),*
        }

        impl $crate::json::Object for $target {
            fn read_members(reader: &mut $crate::json::Reader) -> $crate::json::Read<$crate::json::Checked<Self>> {
                let mut fields = $name::default();
                reader.members(|reader, key| {
                    $(if key.is(stringify!($field)) {
                        fields.$field = Some($crate::json::value::<$type>(reader)?);
                        return Ok(());
                    })*
                    reader.skip_value()
                })?;
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
            .unwrap_or_else(|| Err($crate::json::Mistake::new("missing")))
            .map_err(|mistake| mistake.in_key(stringify!($field)))?
    };
}

pub(crate) use {fields, required};
