//! A tree of JSON that keeps its order, to be written.

use serde::ser::{Serialize, Serializer};

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Integer(i64),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Node>),
    /// An object, in this order.
    Object(Vec<(String, Node)>),
}

impl Node {
    /// The text of the tree, indented by four spaces as the published files are.
    pub fn to_text(&self) -> String {
        let mut text = Vec::new();
        let format = serde_json::ser::PrettyFormatter::with_indent(b"    ");
        self.serialize(&mut serde_json::Serializer::with_formatter(&mut text, format))
            .expect("a tree of strings and numbers can be written to memory");
        String::from_utf8(text).expect("serde_json writes UTF-8")
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Node::Bool(value) => serializer.serialize_bool(*value),
            Node::Integer(value) => serializer.serialize_i64(*value),
            Node::String(value) => serializer.serialize_str(value),
            Node::Array(items) => serializer.collect_seq(items),
            Node::Object(members) => serializer.collect_map(members.iter().map(|(key, node)| (key, node))),
        }
    }
}

impl From<bool> for Node {
    fn from(value: bool) -> Node {
        Node::Bool(value)
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
    fn from_iter<I: IntoIterator<Item = (K, Node)>>(members: I) -> Node {
        Node::Object(members.into_iter().map(|(key, node)| (key.into(), node)).collect())
    }
}
