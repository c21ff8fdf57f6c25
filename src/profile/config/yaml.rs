//! The one place that knows the YAML parser.
//!
//! It is used at the level of events, so that plain and quoted scalars stay
//! apart, places are kept, and no message of the parser (which may quote the
//! source) is passed on.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::rc::Rc;

use serde_saphyr::granit_parser::{Event, Parser, ScalarStyle, Tag};

use super::scalar::Scalar;
use super::tree::{Kind, Node};
use crate::profile::diagnostic::{Diagnostic, Severity, printable};

/// The deepest nesting that is followed.
const DEEPEST: usize = 64;

/// The most nodes, each alias counted as often as it is used.
const LARGEST: usize = 100_000;

/// Where the types of YAML 1.1 live, among them some that 1.2 no longer knows.
const TYPES: &str = "tag:yaml.org,2002:";

/// Reads the one document of a text; an empty text has none. Duplicate keys come
/// back as diagnostics beside the tree, in which the last one counts.
pub(super) fn document(
    text: &str,
) -> Result<(Option<Rc<Node>>, Vec<Diagnostic>), Diagnostic> {
    let mut builder = Builder::default();
    for next in Parser::new_from_str(text) {
        let (event, span) = next.map_err(|error| {
            problem(
                place(error.marker().line(), error.marker().col()),
                "the YAML is not valid",
            )
        })?;
        builder.take(event, place(span.start.line(), span.start.col()))?;
    }
    Ok((builder.root, builder.duplicates))
}

fn place(line: usize, column: usize) -> (u32, u32) {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    (number(line), number(column).saturating_add(1))
}

fn problem(place: (u32, u32), message: &str) -> Diagnostic {
    Diagnostic::new(Severity::Error, "bad-yaml", place, message)
}

#[derive(Default)]
struct Builder {
    root: Option<Rc<Node>>,
    documents: usize,
    open: Vec<Open>,
    anchors: BTreeMap<usize, Rc<Node>>,
    duplicates: Vec<Diagnostic>,
}

/// A list or map whose end has not come.
struct Open {
    place: (u32, u32),
    anchor: usize,
    is_map: bool,
    /// Items; keys and values in turn where it is a map.
    items: Vec<Rc<Node>>,
}

impl Builder {
    fn take(&mut self, event: Event<'_>, place: (u32, u32)) -> Result<(), Diagnostic> {
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(problem(place, "a second document"));
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                let scalar = scalar(&text, style, tag.as_deref()).map_err(|()| {
                    problem(place, "a scalar that its type does not allow")
                })?;
                self.put(Rc::new(Node::new(place, Kind::Scalar(scalar))), anchor)?;
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.open(place, anchor, tag.as_deref(), "seq")?;
            }
            Event::MappingStart(_, anchor, tag) => {
                self.open(place, anchor, tag.as_deref(), "map")?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.close()?,
            Event::Alias(anchor) => {
                let node = self.anchors.get(&anchor).cloned();
                let node = node.ok_or_else(|| problem(place, "an alias inside itself"))?;
                self.put(node, 0)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn open(
        &mut self,
        place: (u32, u32),
        anchor: usize,
        tag: Option<&Tag>,
        own: &str,
    ) -> Result<(), Diagnostic> {
        if self.open.len() >= DEEPEST {
            return Err(problem(place, "nested too deeply"));
        }
        if tag.is_some_and(|tag| tag.suffix_in_namespace(TYPES).as_deref() != Some(own)) {
            return Err(problem(place, "an unknown tag"));
        }
        self.open.push(Open {
            place,
            anchor,
            is_map: own == "map",
            items: Vec::new(),
        });
        Ok(())
    }

    fn close(&mut self) -> Result<(), Diagnostic> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        let kind = if open.is_map {
            Kind::Map(self.map(open.items)?)
        } else {
            Kind::List(open.items)
        };
        self.put(Rc::new(Node::new(open.place, kind)), open.anchor)
    }

    fn put(&mut self, node: Rc<Node>, anchor: usize) -> Result<(), Diagnostic> {
        let is_key = self
            .open
            .last()
            .is_some_and(|open| open.is_map && open.items.len().is_multiple_of(2));
        if !is_key && matches!(node.kind, Kind::Scalar(Scalar::Merge)) {
            return Err(problem(node.place, "`<<` outside a map's keys; quote it"));
        }
        if node.depth > DEEPEST {
            return Err(problem(
                node.place,
                "nested too deeply once its aliases are expanded",
            ));
        }
        if node.size > LARGEST {
            return Err(problem(
                node.place,
                "too large once its aliases are expanded",
            ));
        }
        if anchor != 0 {
            self.anchors.insert(anchor, Rc::clone(&node));
        }
        match self.open.last_mut() {
            Some(open) => open.items.push(node),
            None => self.root = Some(node),
        }
        Ok(())
    }

    /// Pairs up keys and values: what `<<` merges comes first and gives way.
    fn map(&mut self, items: Vec<Rc<Node>>) -> Result<Vec<Pair>, Diagnostic> {
        let mut merged = Pairs::default();
        let mut own = Pairs::default();
        let mut items = items.into_iter();
        while let (Some(key), Some(value)) = (items.next(), items.next()) {
            match &key.kind {
                Kind::Scalar(Scalar::Merge) => merge(&value, &mut merged)?,
                Kind::Scalar(scalar) => {
                    let identity = scalar.identity();
                    let place = key.place;
                    let name = key.text_if_string().and_then(printable);
                    if own.set(identity, (key, value)) {
                        let twice =
                            problem(place, "the same key twice in one map").key(name);
                        self.duplicates.push(Diagnostic {
                            code: "duplicate-key",
                            ..twice
                        });
                    }
                }
                _ => return Err(problem(key.place, "a key that is a list or a map")),
            }
        }
        merged.add(&own.pairs);
        Ok(merged.pairs)
    }
}

type Pair = (Rc<Node>, Rc<Node>);

/// The pairs of a map in order, with an index by key.
#[derive(Default)]
struct Pairs {
    pairs: Vec<Pair>,
    index: BTreeMap<String, usize>,
}

impl Pairs {
    /// Sets a key where it stands, or at the end; whether it was there.
    fn set(&mut self, identity: String, pair: Pair) -> bool {
        match self.index.entry(identity) {
            Entry::Occupied(at) => {
                self.pairs[*at.get()].1 = pair.1;
                true
            }
            Entry::Vacant(free) => {
                free.insert(self.pairs.len());
                self.pairs.push(pair);
                false
            }
        }
    }

    fn add(&mut self, pairs: &[Pair]) {
        for (key, value) in pairs {
            if let Kind::Scalar(scalar) = &key.kind {
                self.set(scalar.identity(), (Rc::clone(key), Rc::clone(value)));
            }
        }
    }
}

/// Adds what a `<<` names: a map, or a list of maps of which the first counts.
fn merge(source: &Node, merged: &mut Pairs) -> Result<(), Diagnostic> {
    let mut add = |map: &Node| match &map.kind {
        Kind::Map(pairs) => {
            merged.add(pairs);
            Ok(())
        }
        _ => Err(problem(map.place, "`<<` needs a map")),
    };
    match &source.kind {
        Kind::List(maps) => maps.iter().rev().try_for_each(|map| add(map)),
        _ => add(source),
    }
}

fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Result<Scalar, ()> {
    match tag {
        Some(tag) => match tag.suffix_in_namespace(TYPES) {
            Some(name) => Scalar::tagged(&name, text),
            None if tag.original() == "!" => Ok(Scalar::Text(text.to_owned())),
            None => Err(()),
        },
        None if style == ScalarStyle::Plain && text == "<<" => Ok(Scalar::Merge),
        None if style == ScalarStyle::Plain => Scalar::plain(text),
        None => Ok(Scalar::Text(text.to_owned())),
    }
}
