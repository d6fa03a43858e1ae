//! Memory that runs out is an error here, and not the end of the process.
//!
//! What grows with a file, a path or a directory is allocated by the functions of this module, which give [`NoMemory`].
//! What is small and of a fixed number (an `Arc`, a path for the system, the text of an error) is allocated as
//! everywhere in Rust, where failure ends the process; the shared library has an allocator that then lends from a reserve and
//! says so here ([`lend`]). Nothing that was lent may outlive its call: whoever keeps something for later calls asks a
//! [`Watch`] first.

use std::collections::TryReserveError;
use std::ffi::OsStr;
use std::fmt::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// There is not enough memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoMemory;

impl From<TryReserveError> for NoMemory {
    fn from(_: TryReserveError) -> NoMemory {
        NoMemory
    }
}

/// What is fallible for want of memory alone.
pub type Result<T> = std::result::Result<T, NoMemory>;

/// How often the reserve has lent.
static LENT: AtomicUsize = AtomicUsize::new(0);

/// Says that an allocation failed and was made from a reserve. For the library's allocator.
pub fn lend() {
    LENT.fetch_add(1, Ordering::Relaxed);
}

/// Tells whether memory was lent since it was made. Also that of another thread counts: memory is short then.
#[derive(Debug, Clone, Copy)]
pub struct Watch(usize);

impl Watch {
    /// A watch from now on.
    pub fn new() -> Watch {
        Watch(LENT.load(Ordering::Relaxed))
    }

    /// # Errors
    /// [`NoMemory`] where memory was lent since.
    pub fn check(self) -> Result<()> {
        if LENT.load(Ordering::Relaxed) == self.0 { Ok(()) } else { Err(NoMemory) }
    }
}

impl Default for Watch {
    fn default() -> Watch {
        Watch::new()
    }
}

/// Room for `more` items. What was lent does not count as room.
///
/// # Errors
/// [`NoMemory`]
pub fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<()> {
    let watch = Watch::new();
    list.try_reserve_exact(more)?;
    watch.check()
}

/// Appends `item`.
///
/// # Errors
/// [`NoMemory`]
#[inline]
pub fn push<T>(list: &mut Vec<T>, item: T) -> Result<()> {
    if list.len() == list.capacity() {
        grow(list)?;
    }
    list.push(item);
    Ok(())
}

#[cold]
fn grow<T>(list: &mut Vec<T>) -> Result<()> {
    reserve(list, list.capacity().max(4))
}

/// The items of an iterator that knows how many there are at most.
///
/// # Errors
/// [`NoMemory`]
pub fn collect<T>(items: impl IntoIterator<Item = T>) -> Result<Vec<T>> {
    let items = items.into_iter();
    let mut list = Vec::new();
    reserve(&mut list, items.size_hint().0)?;
    for item in items {
        push(&mut list, item)?;
    }
    Ok(list)
}

/// As [`collect`], of items that may be errors; the first one ends it.
///
/// # Errors
/// That one, or [`NoMemory`].
pub fn try_collect<T, E: From<NoMemory>>(
    items: impl IntoIterator<Item = std::result::Result<T, E>>,
) -> std::result::Result<Vec<T>, E> {
    let mut list = Vec::new();
    for item in items {
        push(&mut list, item?)?;
    }
    Ok(list)
}

/// A copy of a slice.
///
/// # Errors
/// [`NoMemory`]
pub fn slice<T: Copy>(items: &[T]) -> Result<Vec<T>> {
    let mut list = Vec::new();
    reserve(&mut list, items.len())?;
    list.extend_from_slice(items);
    Ok(list)
}

/// An array on the heap, made there: it need not fit the stack.
///
/// # Errors
/// [`NoMemory`]
pub fn array<T: Clone, const N: usize>(item: T) -> Result<Box<[T; N]>> {
    let mut list = Vec::new();
    reserve(&mut list, N)?;
    list.resize(N, item);
    list.into_boxed_slice().try_into().map_err(|_| NoMemory)
}

/// A copy of a string.
///
/// # Errors
/// [`NoMemory`]
pub fn string(text: &str) -> Result<String> {
    let mut copy = String::new();
    append(&mut copy, text)?;
    Ok(copy)
}

/// Appends to a string.
///
/// # Errors
/// [`NoMemory`]
pub fn append(text: &mut String, more: &str) -> Result<()> {
    let watch = Watch::new();
    text.try_reserve(more.len())?;
    watch.check()?;
    text.push_str(more);
    Ok(())
}

/// A copy of a path.
///
/// # Errors
/// [`NoMemory`]
pub fn path(path: &Path) -> Result<PathBuf> {
    let watch = Watch::new();
    let mut copy = PathBuf::new();
    copy.try_reserve_exact(path.as_os_str().len())?;
    watch.check()?;
    copy.push(path);
    Ok(copy)
}

/// The path of `name` in `directory`.
///
/// # Errors
/// [`NoMemory`]
pub fn join(directory: &Path, name: impl AsRef<OsStr>) -> Result<PathBuf> {
    let (watch, name) = (Watch::new(), name.as_ref());
    let mut joined = PathBuf::new();
    joined.try_reserve_exact(directory.as_os_str().len() + 1 + name.len())?;
    watch.check()?;
    joined.push(directory);
    joined.push(name);
    Ok(joined)
}

/// The text, or as much of it as there is memory for: for messages, which do not fail for that.
pub fn written(arguments: fmt::Arguments<'_>) -> String {
    let mut text = Text::default();
    let _ = text.write_fmt(arguments); // fails for want of memory alone
    text.0
}

/// A text that is written to as long as there is memory for it.
#[derive(Debug, Default)]
pub struct Text(pub String);

impl Write for Text {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.0.try_reserve(part.len()).map_err(|_| fmt::Error)?;
        self.0.push_str(part);
        Ok(())
    }
}

/// `format!`, of as much as there is memory for ([`written`](crate::memory::written)).
macro_rules! text {
    ($($argument:tt)*) => {
        $crate::memory::written(format_args!($($argument)*))
    };
}
pub(crate) use text;

#[cfg(test)]
mod tests {
    use super::*;

    /// More than any machine has.
    const TOO_MUCH: usize = isize::MAX as usize / 2;

    #[test]
    fn a_list_that_cannot_grow_stays_as_it_was() {
        let mut list = vec![1u8, 2];
        assert_eq!(reserve(&mut list, TOO_MUCH), Err(NoMemory));
        assert_eq!(list, [1, 2]);
    }

    #[test]
    fn what_is_collected_and_copied_is_the_same() {
        assert_eq!(collect(0..100), Ok((0..100).collect()));
        let odd = |n: i32| if n % 2 == 1 { Ok(n) } else { Err(NoMemory) };
        assert_eq!(try_collect([1, 3, 5].map(odd)), Ok(vec![1, 3, 5]));
        assert_eq!(try_collect([1, 4, 5].map(odd)), Err(NoMemory));
        assert_eq!((slice(&[1, 2]), array::<_, 3>(7)), (Ok(vec![1, 2]), Ok(Box::new([7, 7, 7]))));
        assert_eq!(string("text"), Ok("text".to_owned()));
        assert_eq!(text!("{}-{:?}", 1, "a"), "1-\"a\"");
    }

    #[test]
    fn paths_are_joined_as_the_standard_library_does() {
        for (directory, name) in [("a", "b"), ("a/", "b"), ("", "b"), ("/", "b"), ("a", "")] {
            assert_eq!(join(Path::new(directory), name), Ok(Path::new(directory).join(name)));
            assert_eq!(path(Path::new(directory)), Ok(PathBuf::from(directory)));
        }
    }
}
