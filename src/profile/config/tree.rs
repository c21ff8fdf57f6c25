//! A YAML document as a tree that keeps places.

use std::rc::Rc;

use super::scalar::Scalar;

/// A node and where it is.
pub(super) struct Node {
    pub(super) place: (u32, u32),
    pub(super) kind: Kind,
    /// Nodes in it, each alias counted as often as it is used.
    pub(super) size: usize,
    /// How deep it is nested, aliases included.
    pub(super) depth: usize,
}

/// What a node is.
pub(super) enum Kind {
    Scalar(Scalar),
    List(Vec<Rc<Node>>),
    Map(Vec<(Rc<Node>, Rc<Node>)>),
}

impl Node {
    pub(super) fn new(place: (u32, u32), kind: Kind) -> Self {
        let mut size = 1_usize;
        let mut depth = 0;
        let mut count = |child: &Node| {
            size = size.saturating_add(child.size);
            depth = depth.max(child.depth + 1);
        };
        match &kind {
            Kind::Scalar(_) => {}
            Kind::List(items) => items.iter().for_each(|item| count(item)),
            Kind::Map(pairs) => pairs.iter().for_each(|(key, value)| {
                count(key);
                count(value);
            }),
        }
        Self {
            place,
            kind,
            size,
            depth,
        }
    }

    /// The value of a key of a map.
    pub(super) fn get(&self, name: &str) -> Option<&Node> {
        let Kind::Map(pairs) = &self.kind else {
            return None;
        };
        let named = |key: &Node| key.text_if_string() == Some(name);
        pairs
            .iter()
            .find(|(key, _)| named(key))
            .map(|(_, value)| &**value)
    }

    /// The text, where the node is a string.
    pub(super) fn text_if_string(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar(Scalar::Text(text)) => Some(text),
            _ => None,
        }
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(self.kind, Kind::Scalar(Scalar::Null))
    }
}
