//! The small JSON files of a catalog as trees that keep their order and name the place of a mistake.
//!
//! Integers are integers: a number with a fraction or an exponent is never one. Of two equal keys the last counts and
//! the first one's place is kept (`docs/behaviour.md`, section 3, whose care holds here too).

use std::collections::HashMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::error::{Error, Result};
use crate::profile::MAX_NESTING;

/// The longest text that is parsed: a tree takes up to 24 bytes for one of text, and the largest published file has
/// 50 kB.
const MAX_TEXT_BYTES: usize = 16 << 20;

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number written without fraction or exponent that fits 64 signed bits.
    Integer(i64),
    /// Any other number.
    Float(f64),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Node>),
    /// An object, in the order of the file, no key twice.
    Object(Vec<(String, Node)>),
}

impl Node {
    /// Parses `text`; `file` is for the message.
    ///
    /// # Errors
    /// [`Error::ProfileFormat`] where `text` is not JSON, longer than 16 MiB or nested more than [`MAX_NESTING`] deep.
    pub fn parse(text: &str, file: &Path) -> Result<Node> {
        if text.len() > MAX_TEXT_BYTES {
            return Err(At::root(&Node::Null, file).fail(format!("larger than {MAX_TEXT_BYTES} bytes")));
        }
        let mut json = serde_json::Deserializer::from_str(text);
        let node = Reader { depth: 0 }.deserialize(&mut json).and_then(|node| json.end().map(|()| node));
        node.map_err(|error| Error::ProfileFormat {
            file: file.to_owned(),
            place: String::new(),
            reason: format!("not JSON: {error}"),
        })
    }

    /// The text of the tree, indented by four spaces as the published files are.
    pub fn to_text(&self) -> String {
        let mut text = Vec::new();
        let format = serde_json::ser::PrettyFormatter::with_indent(b"    ");
        self.serialize(&mut serde_json::Serializer::with_formatter(&mut text, format))
            .expect("a tree of strings and numbers can be written to memory");
        String::from_utf8(text).expect("serde_json writes UTF-8")
    }

    /// What the value is, for messages.
    fn describe(&self) -> String {
        match self {
            Node::Null => "null".to_owned(),
            Node::Bool(value) => value.to_string(),
            Node::Integer(value) => format!("the number {value}"),
            Node::Float(value) => format!("the number {value:?}"),
            Node::String(_) => "a string".to_owned(),
            Node::Array(_) => "an array".to_owned(),
            Node::Object(_) => "an object".to_owned(),
        }
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Node::Null => serializer.serialize_unit(),
            Node::Bool(value) => serializer.serialize_bool(*value),
            Node::Integer(value) => serializer.serialize_i64(*value),
            Node::Float(value) => serializer.serialize_f64(*value),
            Node::String(value) => serializer.serialize_str(value),
            Node::Array(items) => serializer.collect_seq(items),
            Node::Object(entries) => serializer.collect_map(entries.iter().map(|(key, node)| (key, node))),
        }
    }
}

impl From<u32> for Node {
    fn from(value: u32) -> Node {
        Node::Integer(i64::from(value))
    }
}

impl From<i32> for Node {
    fn from(value: i32) -> Node {
        Node::Integer(i64::from(value))
    }
}

impl From<&str> for Node {
    fn from(value: &str) -> Node {
        Node::String(value.to_owned())
    }
}

impl<K: Into<String>> FromIterator<(K, Node)> for Node {
    fn from_iter<I: IntoIterator<Item = (K, Node)>>(entries: I) -> Node {
        Node::Object(entries.into_iter().map(|(key, node)| (key.into(), node)).collect())
    }
}

/// Builds a [`Node`]; counts the depth, so that the stack does not depend on the file.
#[derive(Clone, Copy)]
struct Reader {
    depth: usize,
}

impl Reader {
    fn deeper<E: serde::de::Error>(self) -> std::result::Result<Reader, E> {
        if self.depth == MAX_NESTING {
            return Err(E::custom(format!("nested more than {MAX_NESTING} deep")));
        }
        Ok(Reader { depth: self.depth + 1 })
    }
}

impl<'de> DeserializeSeed<'de> for Reader {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> std::result::Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> std::result::Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> std::result::Result<Node, E> {
        Ok(Node::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> std::result::Result<Node, E> {
        Ok(i64::try_from(value).map_or(Node::Float(value as f64), Node::Integer))
    }

    fn visit_f64<E>(self, value: f64) -> std::result::Result<Node, E> {
        Ok(Node::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> std::result::Result<Node, E> {
        Ok(Node::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<Node, A::Error> {
        let inner = self.deeper::<A::Error>()?;
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(inner)? {
            items.push(item);
        }
        Ok(Node::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Node, A::Error> {
        let inner = self.deeper::<A::Error>()?;
        let mut entries: Vec<(String, Node)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        while let Some(key) = map.next_key::<String>()? {
            let node = map.next_value_seed(inner)?;
            match places.get(&key) {
                Some(&place) => entries[place].1 = node,
                None => {
                    places.insert(key.clone(), entries.len());
                    entries.push((key, node));
                }
            }
        }
        Ok(Node::Object(entries))
    }
}

/// A value of a file and its place in it, `act_func_sets[3].name`: asks for a kind, or says what is wrong where.
#[derive(Debug, Clone)]
pub struct At<'a> {
    file: &'a Path,
    place: String,
    node: &'a Node,
}

impl<'a> At<'a> {
    /// The whole of `file`.
    pub fn root(node: &'a Node, file: &'a Path) -> At<'a> {
        At { file, place: String::new(), node }
    }

    /// A format error at this place.
    pub fn fail(&self, reason: impl Into<String>) -> Error {
        Error::ProfileFormat { file: PathBuf::from(self.file), place: self.place.clone(), reason: reason.into() }
    }

    fn expected(&self, what: &str) -> Error {
        self.fail(format!("expected {what}, found {}", self.node.describe()))
    }

    fn member(&self, key: &str, node: &'a Node) -> At<'a> {
        let dot = if self.place.is_empty() { "" } else { "." };
        At { file: self.file, place: format!("{}{dot}{key}", self.place), node }
    }

    /// The value of a key that must be there.
    pub fn key(&self, key: &str) -> Result<At<'a>> {
        let Node::Object(entries) = self.node else { return Err(self.expected("an object")) };
        match entries.iter().find(|(name, _)| name == key) {
            Some((_, node)) => Ok(self.member(key, node)),
            None => Err(self.member(key, self.node).fail("missing")),
        }
    }

    /// The keys and values of an object, in order.
    pub fn entries(&self) -> Result<impl ExactSizeIterator<Item = (&'a str, At<'a>)>> {
        let Node::Object(entries) = self.node else { return Err(self.expected("an object")) };
        Ok(entries.iter().map(|(key, node)| (key.as_str(), self.member(key, node))))
    }

    /// The items of an array.
    pub fn items(&self) -> Result<impl ExactSizeIterator<Item = At<'a>>> {
        let Node::Array(items) = self.node else { return Err(self.expected("an array")) };
        let item = |(index, node)| At { file: self.file, place: format!("{}[{index}]", self.place), node };
        Ok(items.iter().enumerate().map(item))
    }

    /// A string.
    pub fn string(&self) -> Result<&'a str> {
        let Node::String(value) = self.node else { return Err(self.expected("a string")) };
        Ok(value)
    }

    /// An integer within `range`.
    pub fn integer(&self, range: RangeInclusive<i64>) -> Result<i64> {
        match self.node {
            Node::Integer(value) if range.contains(value) => Ok(*value),
            _ => Err(self.expected(&format!("an integer from {} to {}", range.start(), range.end()))),
        }
    }

    /// An integer of 32 unsigned bits.
    pub fn u32(&self) -> Result<u32> {
        Ok(self.integer(0..=u32::MAX.into())? as u32)
    }

    /// An integer of 32 signed bits.
    pub fn i32(&self) -> Result<i32> {
        Ok(self.integer(i32::MIN.into()..=i32::MAX.into())? as i32)
    }

    /// A float by its bit pattern, written as a signed or an unsigned 32-bit integer.
    pub fn float_bits(&self) -> Result<f32> {
        Ok(f32::from_bits(self.integer(i32::MIN.into()..=u32::MAX.into())? as u32))
    }

    /// `true` or `false`, or 1 or 0.
    pub fn flag(&self) -> Result<bool> {
        match self.node {
            Node::Bool(value) => Ok(*value),
            Node::Integer(value @ 0..=1) => Ok(*value == 1),
            _ => Err(self.expected("true, false, 1 or 0")),
        }
    }

    /// The name of a file beside this one: not empty, no path.
    pub fn file_name(&self) -> Result<&'a str> {
        let name = self.string()?;
        if name.is_empty() || name == "." || name == ".." || name.contains(['/', '\\', '\0']) {
            return Err(self.fail(format!("expected a plain file name, found {name:?}")));
        }
        Ok(name)
    }

    /// Whether the value is an array.
    pub fn is_array(&self) -> bool {
        matches!(self.node, Node::Array(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Node> {
        Node::parse(text, Path::new("t.json"))
    }

    #[test]
    fn objects_keep_their_order_and_the_last_of_equal_keys() {
        let node = parse(r#"{"z": 1, "a": 2, "z": 3}"#).unwrap();
        let order: Node = [("z", Node::Integer(3)), ("a", Node::Integer(2))].into_iter().collect();
        assert_eq!(node, order);
    }

    #[test]
    fn a_mistake_names_file_place_and_both_kinds() {
        let node = parse(r#"{"a": [{"b": 1.0}]}"#).unwrap();
        let root = At::root(&node, Path::new("t.json"));
        let item = root.key("a").unwrap().items().unwrap().next().unwrap();
        let text = item.key("b").unwrap().u32().unwrap_err().to_string();
        assert!(
            text.contains("t.json: a[0].b: expected an integer from 0 to 4294967295, found the number 1.0"),
            "{text}"
        );
        let text = item.key("c").unwrap_err().to_string();
        assert!(text.contains("a[0].c: missing"), "{text}");
    }

    #[test]
    fn integers_have_no_fraction_no_exponent_and_fit() {
        let file = Path::new("t.json");
        for text in ["1.0", "1e0", "4294967296", "99999999999999999999999", "-2147483649", "\"1\"", "null", "true"] {
            let node = parse(text).unwrap();
            assert!(At::root(&node, file).float_bits().is_err(), "{text}");
        }
        for (text, bits) in [("4294967295", u32::MAX), ("-1", u32::MAX), ("-2147483648", 1 << 31), ("0", 0)] {
            let node = parse(text).unwrap();
            assert_eq!(At::root(&node, file).float_bits().unwrap().to_bits(), bits);
        }
    }

    #[test]
    fn nesting_is_limited() {
        let nested = |depth| "[".repeat(depth) + &"]".repeat(depth);
        assert!(parse(&nested(MAX_NESTING)).is_ok());
        assert!(parse(&nested(MAX_NESTING + 1)).is_err());
        assert!(parse(&nested(100_000)).is_err());
    }

    #[test]
    fn file_names_are_plain() {
        for (text, good) in [(r#""a.bin""#, true), (r#""../a""#, false), (r#""""#, false), (r#"".."#, false)] {
            let Ok(node) = parse(text) else { continue };
            assert_eq!(At::root(&node, Path::new("t.json")).file_name().is_ok(), good, "{text}");
        }
    }

    #[test]
    fn text_reads_back() {
        let node = parse(r#"{"a": [1, -2.5, true, null, "\u0000\"é"], "b": {}}"#).unwrap();
        assert_eq!(parse(&node.to_text()).unwrap(), node);
    }
}
