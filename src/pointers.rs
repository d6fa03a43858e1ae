//! A caller's pointers as types. Each is made by an unsafe `new`, which says what the pointer must be good for; what can
//! be told about it is told by `checked`, and from there on no code needs to be unsafe.

use std::ffi::{CStr, c_char};
use std::marker::PhantomData;

use pwp_sim_core::engine::memory::{self, Watch};
use pwp_sim_core::function::{ID_END, SHORT_NAME};
use pwp_sim_core::{Error, Function, Numerics, Result};

/// The error for a null pointer.
fn null(what: &str) -> Error {
    Error::InvalidArgument(format!("{what} is null"))
}

/// A caller's `bool`. In Rust a `bool` of any other byte than 0 and 1 is undefined behaviour; in C it takes no more than
/// a cast or uninitialised memory.
pub type Flag = u8;

/// What a caller's `use_pwp` asks for. Every byte but 0 is true.
#[inline(always)]
pub fn numerics(use_pwp: Flag) -> Numerics {
    if use_pwp != 0 { Numerics::Table } else { Numerics::Exact }
}

/// What a handle of the C ABI stands for.
pub trait Object {
    /// What messages call it.
    const WHAT: &'static str;
}

/// An object that a call reads.
#[derive(Clone, Copy)]
pub struct Handle<'a, T>(Option<&'a T>);

impl<'a, T: Object> Handle<'a, T> {
    /// # Safety
    /// Null, or a `T` that stays alive and is not written to for `'a`.
    #[inline(always)]
    pub unsafe fn new(object: *const T) -> Self {
        // SAFETY: null, or alive and unchanged, says the section above.
        Handle(unsafe { object.as_ref() })
    }

    /// The object, if there is one.
    #[inline(always)]
    pub fn get(self) -> Option<&'a T> {
        self.0
    }

    /// # Errors
    /// [`Error::InvalidArgument`] for null.
    #[inline]
    pub fn checked(self) -> Result<&'a T> {
        self.0.ok_or_else(|| null(T::WHAT))
    }
}

/// A handle of this object, for [`Owned`] to take back.
///
/// # Errors
/// [`Error::NoMemory`]
pub fn into_handle<T>(object: T) -> Result<*mut T> {
    let watch = Watch::new();
    let object = Box::new(object);
    watch.check()?;
    Ok(Box::into_raw(object))
}

/// An object that a call frees.
pub struct Owned<T>(Option<Box<T>>);

impl<T> Owned<T> {
    /// # Safety
    /// Null, or what `Box::into_raw` gave and nobody uses any more.
    pub unsafe fn new(object: *mut T) -> Self {
        // SAFETY: not null, and so a box's, says the section above.
        Owned((!object.is_null()).then(|| unsafe { Box::from_raw(object) }))
    }

    /// Null is nothing to free and no error.
    pub fn checked(self) -> Result<Option<Box<T>>> {
        Ok(self.0)
    }
}

/// A value that a call reads, or none.
pub struct In<T>(*const T);

impl<T: Copy> In<T> {
    /// # Safety
    /// Null, or readable for a `T` of any alignment as long as this lives.
    #[inline(always)]
    pub unsafe fn new(value: *const T) -> Self {
        In(value)
    }

    /// The value, or none for null.
    #[inline(always)]
    pub fn get(self) -> Option<T> {
        // SAFETY: not null, and so readable, says `new`.
        (!self.0.is_null()).then(|| unsafe { self.0.read_unaligned() })
    }

    /// Null is no value and no error.
    #[inline]
    pub fn checked(self) -> Result<Option<T>> {
        Ok(self.get())
    }
}

/// The place of a result, not yet known to be one.
pub struct Out<T>(*mut T, &'static str);

/// The place of a result.
pub struct Place<T>(*mut T);

impl<T> Out<T> {
    /// A place that messages call `what`.
    ///
    /// # Safety
    /// Null, or writable for a `T` of any alignment as long as this or its [`Place`] lives.
    #[inline(always)]
    pub unsafe fn new(place: *mut T, what: &'static str) -> Self {
        Out(place, what)
    }

    /// The place, if there is one.
    #[inline(always)]
    pub fn get(self) -> Option<Place<T>> {
        // One comparison, for null and for a place that the address space cuts off.
        (self.0.addr().wrapping_sub(1) < usize::MAX - size_of::<T>()).then_some(Place(self.0))
    }

    /// # Errors
    /// [`Error::InvalidArgument`] for null.
    #[inline]
    pub fn checked(self) -> Result<Place<T>> {
        let what = self.1;
        self.get().ok_or_else(|| null(what))
    }
}

impl<T> Clone for Place<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Place<T> {}

impl<T> Place<T> {
    /// Writes the result.
    #[inline(always)]
    pub fn put(self, value: T) {
        // SAFETY: `Out::get` made it, of a pointer that is not null and so writable, says `Out::new`.
        unsafe { self.0.write_unaligned(value) }
    }
}

/// The places of a list of results, of which a call fills as many as there is room for.
pub struct List<T>(*mut T, usize, &'static str);

/// [`List`], once it is known that there is room.
pub struct Places<T>(*mut T, usize);

impl<T> List<T> {
    /// Places that messages call `what`.
    ///
    /// # Safety
    /// Null, or writable for `capacity` values of any alignment as long as this or its [`Places`] live.
    pub unsafe fn new(places: *mut T, capacity: usize, what: &'static str) -> Self {
        List(places, capacity, what)
    }

    /// # Errors
    /// [`Error::InvalidArgument`] for null, unless the capacity is 0.
    pub fn checked(self) -> Result<Places<T>> {
        let List(places, capacity, what) = self;
        if places.is_null() && capacity > 0 { Err(null(what)) } else { Ok(Places(places, capacity)) }
    }
}

impl<T> Places<T> {
    /// Writes the first of `values`, as many as there is room for.
    pub fn put(self, values: impl IntoIterator<Item = T>) {
        for (index, value) in values.into_iter().take(self.1).enumerate() {
            // SAFETY: `index` is below the capacity, which is then not 0, and so the pointer, which `List::checked` found
            // not null, is writable there, says `List::new`.
            unsafe { self.0.add(index).write_unaligned(value) }
        }
    }
}

/// A C string.
#[derive(Clone, Copy)]
pub struct Text<'a>(*const c_char, &'static str, PhantomData<&'a CStr>);

impl<'a> Text<'a> {
    /// A string that messages call `what`.
    ///
    /// # Safety
    /// Null, or NUL-terminated, alive and not written to for `'a`.
    #[inline(always)]
    pub unsafe fn new(string: *const c_char, what: &'static str) -> Self {
        Text(string, what, PhantomData)
    }

    /// The string, or none for null.
    #[inline]
    pub fn bytes(self) -> Option<&'a [u8]> {
        // SAFETY: not null, and so NUL-terminated and alive, says `new`.
        (!self.0.is_null()).then(|| unsafe { CStr::from_ptr(self.0) }.to_bytes())
    }

    /// # Errors
    /// [`Error::InvalidArgument`] for null and for a string that is not UTF-8.
    pub fn checked(self) -> Result<&'a str> {
        let bytes = self.bytes().ok_or_else(|| null(self.1))?;
        std::str::from_utf8(bytes).map_err(|_| {
            let shown = String::from_utf8_lossy(bytes);
            Error::InvalidArgument(format!("{} {shown:?} is not UTF-8", self.1))
        })
    }
}

/// A path, which is any bytes, or null.
pub struct Path<'a>(Text<'a>);

impl<'a> Path<'a> {
    /// # Safety
    /// As [`Text::new`].
    pub unsafe fn new(path: *const c_char) -> Self {
        // SAFETY: the same is asked here.
        Path(unsafe { Text::new(path, "the path") })
    }

    /// Null is no path and no error.
    pub fn checked(self) -> Result<Option<&'a [u8]>> {
        Ok(self.0.bytes())
    }
}

/// A list of C strings.
pub struct Texts<'a>(*const *const c_char, usize, &'static str, PhantomData<&'a CStr>);

impl<'a> Texts<'a> {
    /// `count` strings that messages call `list`.
    ///
    /// # Safety
    /// Null, or readable for `count` pointers of any alignment, each as [`Text::new`] asks.
    pub unsafe fn new(strings: *const *const c_char, count: usize, list: &'static str) -> Self {
        Texts(strings, count, list, PhantomData)
    }

    /// # Errors
    /// [`Error::InvalidArgument`] for null, unless the list is empty; for a list that does not fit the address space;
    /// and as [`Text::checked`].
    pub fn checked(self) -> Result<Vec<&'a str>> {
        let Texts(strings, count, list, _) = self;
        if strings.is_null() && count > 0 {
            return Err(null(list));
        }
        if count > isize::MAX as usize / size_of::<*const c_char>() {
            return Err(Error::InvalidArgument(format!("{count} {list} do not fit the address space")));
        }
        // SAFETY: `index` is below the count, which is then not 0, and so the list is not null: readable, and the string
        // in it good, says `new`.
        let text = |index| unsafe { Text::new(strings.add(index).read_unaligned(), "the function name") };
        memory::try_collect((0..count).map(|index| text(index).checked()))
    }
}

/// The name of a function.
#[derive(Clone, Copy)]
pub struct Name<'a>(Text<'a>);

/// A [`Name`] that is text.
pub enum Named<'a> {
    /// A function's.
    Known(Function),
    /// Nobody's.
    Unknown(&'a str),
}

impl<'a> Name<'a> {
    /// # Safety
    /// As [`Text::new`].
    #[inline(always)]
    pub unsafe fn new(name: *const c_char) -> Self {
        // SAFETY: the same is asked here.
        Name(unsafe { Text::new(name, "the function name") })
    }

    /// The value of the function of this name; [`ID_END`] where none has it.
    #[inline]
    pub fn value(self) -> i32 {
        self.known().map_or(ID_END as i32, |function| function as i32)
    }

    /// # Errors
    /// As [`Text::checked`]: only a name that no function has is looked at for being text.
    #[inline]
    pub fn checked(self) -> Result<Named<'a>> {
        match self.known() {
            Some(function) => Ok(Named::Known(function)),
            None => self.0.checked().map(Named::Unknown),
        }
    }

    #[inline]
    fn known(self) -> Option<Function> {
        let name = self.0.0;
        if name.is_null() {
            return None;
        }
        let mut word = 0;
        for index in 0..=SHORT_NAME {
            // SAFETY: not null, and so NUL-terminated, says `new`; no byte before this one is the NUL.
            let byte = unsafe { name.add(index).read() } as u8;
            if byte == 0 {
                return Function::of_word(word);
            }
            word |= u64::from(byte).wrapping_shl(8 * index as u32); // the ninth byte makes it a long name
        }
        self.known_long()
    }

    #[inline(never)]
    fn known_long(self) -> Option<Function> {
        Function::of_name(self.0.bytes()?)
    }
}

impl Named<'_> {
    /// # Errors
    /// [`Error::UnsupportedFunction`] for a name that no function has.
    #[inline]
    pub fn function(self) -> Result<Function> {
        match self {
            Named::Known(function) => Ok(function),
            Named::Unknown(name) => Err(Error::UnsupportedFunction(name.to_owned())),
        }
    }
}
