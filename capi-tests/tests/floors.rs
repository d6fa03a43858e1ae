//! The floors of the house: no module of the core or of the interfaces imports one above it, and in no crate do two import
//! each other, also in tests. The order of the floors is the one that ARCHITECTURE.md states.
//!
//! What counts as an import is a path in the source that begins with `crate`, `super` or `self`; a name that a module
//! re-exports counts as an import of where it comes from.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;
use syn::{ItemMod, ItemUse, Macro, UseTree, Visibility};

/// A module's place: `["catalog", "image"]`; the crate's root is empty.
type Module = Vec<String>;

/// A crate's modules, one a file, with their source.
type Sources = BTreeMap<Module, String>;

/// An import as it is written: the module that it stands in, and the absolute path.
type Import = (Module, Vec<String>);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The sources under `directory`, the ones of `bin` apart: those are crates of their own.
fn sources(directory: &Path) -> Sources {
    fn walk(directory: &Path, module: &[String], sources: &mut Sources) {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                if name != "bin" {
                    walk(&path, &[module, &[name]].concat(), sources);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") && name != "main" {
                let own = if ["mod", "lib"].contains(&name.as_str()) { vec![] } else { vec![name] };
                sources.insert([module, &own].concat(), std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    let mut sources = Sources::new();
    walk(directory, &[], &mut sources);
    sources
}

/// Collects the imports of one file.
struct Visitor {
    /// The file's module, and the inline modules around the place.
    module: Module,
    imports: Vec<Vec<String>>,
    /// The names that the file's module re-exports, with their paths.
    exports: BTreeMap<String, Vec<String>>,
    inline: usize,
}

impl Visitor {
    /// The absolute path of one that begins with `crate`, `super` or `self`.
    fn absolute(&self, path: &[String]) -> Option<Vec<String>> {
        let ups = path.iter().take_while(|segment| *segment == "super").count();
        let (base, rest): (&[String], _) = match path.first()?.as_str() {
            "crate" => (&[], &path[1..]),
            "self" => (&self.module, &path[1..]),
            "super" => (self.module.get(..self.module.len().checked_sub(ups)?)?, &path[ups..]),
            _ => return None,
        };
        Some([base, rest].concat())
    }

    fn path(&mut self, path: &[String]) {
        self.imports.extend(self.absolute(path));
    }

    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.path(&std::mem::take(&mut path));
                    }
                    path.push(ident.to_string());
                    colons = 0;
                }
                other => {
                    self.path(&std::mem::take(&mut path));
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.tokens(group.stream());
                    }
                }
            }
        }
        self.path(&path);
    }

    fn tree(&mut self, tree: &UseTree, before: &[String], public: bool) {
        let mut leaf = |name: &syn::Ident, shown: &syn::Ident| {
            let path = if name == "self" { before.to_vec() } else { [before, &[name.to_string()]].concat() };
            if public && self.inline == 0 {
                // Also `pub use lookup::Lookup`, of a child.
                let absolute = self.absolute(&path).unwrap_or_else(|| [&self.module, path.as_slice()].concat());
                self.exports.insert(shown.to_string(), absolute);
            }
            self.imports.extend(self.absolute(&path));
        };
        match tree {
            UseTree::Path(path) => self.tree(&path.tree, &[before, &[path.ident.to_string()]].concat(), public),
            UseTree::Name(name) => leaf(&name.ident, &name.ident),
            UseTree::Rename(rename) => leaf(&rename.ident, &rename.rename),
            UseTree::Glob(_) => self.path(before),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(tree, before, public)),
        }
    }
}

impl Visit<'_> for Visitor {
    fn visit_item_use(&mut self, item: &ItemUse) {
        self.tree(&item.tree, &[], !matches!(item.vis, Visibility::Inherited));
    }

    fn visit_path(&mut self, path: &syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.path(&segments);
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, macro_: &Macro) {
        self.visit_path(&macro_.path);
        self.tokens(macro_.tokens.clone());
    }

    fn visit_item_mod(&mut self, item: &ItemMod) {
        if item.content.is_some() {
            self.module.push(item.ident.to_string());
            self.inline += 1;
            syn::visit::visit_item_mod(self, item);
            self.inline -= 1;
            self.module.pop();
        }
    }
}

/// The imports of a crate, each with the modules it leads from and to.
fn imports(sources: &Sources) -> BTreeSet<(Module, Module)> {
    let mut exports: BTreeMap<Module, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    let mut written: Vec<Import> = Vec::new();
    for (module, text) in sources {
        let mut visitor = Visitor { module: module.clone(), imports: Vec::new(), exports: BTreeMap::new(), inline: 0 };
        visitor.visit_file(&syn::parse_file(text).unwrap_or_else(|error| panic!("{module:?}: {error}")));
        written.extend(visitor.imports.into_iter().map(|path| (module.clone(), path)));
        exports.insert(module.clone(), visitor.exports);
    }
    let mut found = BTreeSet::new();
    for (from, mut path) in written {
        // No chain of re-exports is longer than the modules are many.
        for _ in 0..=sources.len() {
            let deepest = (0..=path.len()).rev().find(|&length| sources.contains_key(&path[..length])).unwrap_or(0);
            let to = path[..deepest].to_vec();
            match path.get(deepest).and_then(|name| exports.get(&to)?.get(name)) {
                Some(origin) if *origin != path => path = [origin, &path[deepest + 1..]].concat(),
                _ => {
                    found.insert((from.clone(), to));
                    break;
                }
            }
        }
    }
    found
}

/// The imports among neighbours, by the module that holds both: from, to. A module and what it holds are no neighbours.
fn neighbours(sources: &Sources) -> BTreeMap<Module, BTreeSet<(String, String)>> {
    let mut by_holder: BTreeMap<Module, BTreeSet<(String, String)>> = BTreeMap::new();
    for (from, to) in imports(sources) {
        let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        if let (Some(a), Some(b)) = (from.get(common), to.get(common)) {
            by_holder.entry(from[..common].to_vec()).or_default().insert((a.clone(), b.clone()));
        }
    }
    by_holder
}

/// The circles of imports among neighbours, as text: none in a sound crate.
fn circles(sources: &Sources) -> Vec<String> {
    let mut circles = Vec::new();
    for (holder, mut edges) in neighbours(sources) {
        // What imports nothing is in no circle, nor what then imports nothing else.
        while let before = edges.len()
            && {
                let from: BTreeSet<String> = edges.iter().map(|(from, _)| from.clone()).collect();
                edges.retain(|(_, to)| from.contains(to));
                edges.len() < before
            }
        {}
        if !edges.is_empty() {
            circles.push(format!("in {holder:?}: {edges:?}"));
        }
    }
    circles
}

/// The imports that lead up, or along a floor, the modules without a floor, and the names on floors that are no module's.
/// `floors` are from the bottom.
fn upward(sources: &Sources, floors: &[Vec<String>]) -> Vec<String> {
    let floor = |module: &str| floors.iter().position(|floor| floor.iter().any(|name| name == module));
    let tops: BTreeSet<&String> = sources.keys().filter_map(|module| module.first()).collect();
    let mut wrong: Vec<String> =
        tops.iter().filter(|top| floor(top).is_none()).map(|top| format!("{top} is on no floor")).collect();
    let names = floors.iter().flatten();
    wrong.extend(names.filter(|name| !tops.contains(name)).map(|name| format!("{name} is on a floor and no module")));
    let edges = neighbours(sources).remove(&Module::new()).unwrap_or_default();
    wrong
        .extend(edges.iter().filter(|(from, to)| floor(from) <= floor(to)).map(|(from, to)| format!("{from} -> {to}")));
    wrong
}

/// The floors of a crate, from the bottom: ARCHITECTURE.md lists them from the top, in a block that is marked
/// `floors <directory>`.
fn floors(directory: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mark = format!("```floors {directory}\n");
    let block = text.split_once(&mark).unwrap_or_else(|| panic!("ARCHITECTURE.md has no block {mark}")).1;
    let lines = block.split_once("```").unwrap().0.lines().rev();
    let names =
        |line: &str| line.split_once("  ").map_or(line, |(names, _)| names).split(", ").map(str::to_owned).collect();
    lines.map(names).collect()
}

const CRATES: [&str; 4] = ["core/src", "src", "cli/src", "capi-tests/src"];

#[test]
fn no_module_imports_one_above_it() {
    for directory in ["core/src", "src"] {
        assert_eq!(upward(&sources(&root().join(directory)), &floors(directory)), [""; 0], "{directory}");
    }
}

#[test]
fn no_two_modules_import_each_other_also_by_way_of_others() {
    for directory in CRATES {
        assert_eq!(circles(&sources(&root().join(directory))), [""; 0], "{directory}");
    }
}

/// A crate of a few lines: modules, `::` between their names, and what is in them.
fn small(modules: &[(&str, &str)]) -> Sources {
    let module = |path: &str| path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
    modules.iter().map(|(path, text)| (module(path), (*text).to_owned())).collect()
}

#[test]
fn an_upward_import_is_found_however_it_is_spelt() {
    let floors = ["low", "high"].map(|name| vec![name.to_owned()]);
    for text in [
        "use crate::high::X;",
        "use crate::{high::X};",
        "use super::high;",
        "use crate::X;",
        "fn f() { crate::high::g() }",
        "fn f() { let _: Option<crate::high::X> = None; }",
        "fn f() { assert!(g(crate::high::X)) }",
        "#[cfg(test)] mod tests { use super::super::high::X; }",
        "#[cfg(test)] mod tests { use crate::high::*; }",
    ] {
        let sources = small(&[("", "pub use high::X;"), ("low", text), ("high", "pub struct X;")]);
        assert_eq!(upward(&sources, &floors), ["low -> high"], "{text}");
        assert_eq!(
            upward(&sources, &floors.clone().map(|_| vec!["low".to_owned(), "high".to_owned()])),
            ["low -> high"]
        );
    }
    let downward =
        small(&[("", ""), ("low", "struct X;"), ("high", "use crate::low::X; use super::low; use self::Y;")]);
    assert_eq!(upward(&downward, &floors), [""; 0]);
    let more = small(&[("low", ""), ("new", "")]);
    assert_eq!(upward(&more, &floors), ["new is on no floor", "high is on a floor and no module"]);
}

#[test]
fn a_circle_is_found_at_any_depth_and_a_module_and_what_it_holds_are_none() {
    let text = "use super::b::X;";
    let circle = small(&[("m", ""), ("m::a", text), ("m::b", "use super::c::X;"), ("m::c", "use super::a::X;")]);
    assert_eq!(circles(&circle).len(), 1);
    let hidden = small(&[("m", "pub use a::Y;"), ("m::a", text), ("m::b", "fn f() -> super::Y {}")]);
    assert_eq!(circles(&hidden).len(), 1);
    let line =
        small(&[("m", "use self::a::X;"), ("m::a", text), ("m::b", "use super::Y; use super::c::X;"), ("m::c", "")]);
    assert_eq!(circles(&line), [""; 0]);
}
