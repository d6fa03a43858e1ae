//! The layouts of what lies in a caller's memory: libstdc++'s string, vector and unordered_map (new string ABI, 64 bits)
//! and the classes of `PWPSim` made of them (`docs/behaviour.md`, section 7), with the assertions that they are so.

use std::mem::{align_of, offset_of, size_of};

use pwp_sim_core::profile::{SaturationPoint, Section};

/// `std::string`.
#[repr(C)]
pub struct CxxString {
    /// The bytes, followed by a NUL; `local` when there are at most 15.
    pub data: *mut u8,
    pub size: usize,
    pub storage: Storage,
}

/// A string's own 16 bytes.
#[repr(C)]
pub union Storage {
    pub local: [u8; 16],
    /// When `data` is elsewhere: its length without the NUL.
    pub capacity: usize,
}

/// The longest string that `Storage::local` holds.
pub const LOCAL_CAPACITY: usize = 15;

impl CxxString {
    /// The string's bytes.
    ///
    /// # Safety
    /// `this` is a live string, which does not change or end within `'a`.
    pub unsafe fn bytes<'a>(this: *const CxxString) -> &'a [u8] {
        // SAFETY: a live string, says the section above: libstdc++ keeps `data` valid for `size` bytes, also when that is 0.
        unsafe { std::slice::from_raw_parts((*this).data, (*this).size) }
    }

    /// A string for a callee to read while `bytes` lives. It must not be destroyed or written to.
    pub fn borrowing(bytes: &[u8]) -> CxxString {
        CxxString { data: bytes.as_ptr().cast_mut(), size: bytes.len(), storage: Storage { capacity: bytes.len() } }
    }
}

/// `std::vector<T>`.
#[repr(C)]
pub struct Vector<T> {
    pub begin: *mut T,
    pub end: *mut T,
    pub end_of_storage: *mut T,
}

impl<T> Vector<T> {
    /// The elements. A default-constructed vector has null pointers and none.
    ///
    /// # Safety
    /// `this` is a live vector, which does not change or end within `'a`.
    pub unsafe fn elements<'a>(this: *const Vector<T>) -> &'a [T] {
        // SAFETY: a live vector, says the section above: `begin..end` is part of one allocation of libstdc++'s.
        unsafe {
            let Vector { begin, end, .. } = *this;
            if begin.is_null() {
                return &[];
            }
            std::slice::from_raw_parts(begin, end.offset_from_unsigned(begin))
        }
    }
}

/// `std::unordered_map<std::string, PWPSim::AFTable>`.
#[repr(C)]
pub struct TablesMap {
    /// `_M_buckets`: in an empty map the address of `single_bucket`.
    pub buckets: *mut *mut Node,
    /// `_M_bucket_count`.
    pub bucket_count: usize,
    /// `_M_before_begin`: the list of all nodes.
    pub first: *mut Node,
    /// `_M_element_count`.
    pub element_count: usize,
    /// `_M_rehash_policy._M_max_load_factor`: 1 unless someone sets it. Copied, moved and swapped with the map.
    pub max_load_factor: f32,
    /// `_M_rehash_policy._M_next_resize`.
    pub next_resize: usize,
    /// `_M_single_bucket`.
    pub single_bucket: *mut Node,
}

/// A node of [`TablesMap`].
#[repr(C)]
pub struct Node {
    pub next: *mut Node,
    pub key: CxxString,
    pub table: AfTable,
    pub hash: usize,
}

/// `PWPSim::Simulator`.
#[repr(C)]
pub struct Simulator {
    /// `bool can_use_pwp_table`; not zero is true.
    pub can_use_pwp_table: u8,
    pub pwp_path: CxxString,
    pub tables: TablesMap,
}

/// `PWPSim::pwp_nonsat_region`.
#[repr(C)]
pub struct NonsatRegion {
    pub exponent: i32,
    pub num_sections: i32,
    pub extract_size: i32,
    pub sections: Vector<Section>,
}

/// `PWPSim::AFTable`. The bools are bytes: not zero is true. [`SaturationPoint`] is `PWPSim::pwp_sat_region`, and [`Section`] is
/// `PWPSim::exponent_sect`: the same fields in the same order.
#[repr(C)]
pub struct AfTable {
    pub symmetry_en: u8,
    pub symmetry_invert_sign_opt: u8,
    pub symmetry_opt_use_neg_region: u8,
    pub symmetry_point: f32,
    pub zero_result: f32,
    pub nan_result: f32,
    pub pinf_result: f32,
    pub ninf_result: f32,
    pub pos_region: Vector<NonsatRegion>,
    pub neg_region: Vector<NonsatRegion>,
    pub pos_high: SaturationPoint,
    pub pos_low: SaturationPoint,
    pub neg_high: SaturationPoint,
    pub neg_low: SaturationPoint,
}

/// Asserts a type's size, alignment and the offset of each field named.
macro_rules! assert_layout {
    ($type:ty, $size:literal, $align:literal, $($field:ident at $offset:literal),+) => {
        const _: () = {
            assert!(size_of::<$type>() == $size && align_of::<$type>() == $align);
            $(assert!(offset_of!($type, $field) == $offset);)+
        };
    };
}

assert_layout!(CxxString, 32, 8, data at 0, size at 8, storage at 16);
assert_layout!(Vector<u8>, 24, 8, begin at 0, end at 8, end_of_storage at 16);
assert_layout!(TablesMap, 56, 8, buckets at 0, bucket_count at 8, first at 16, element_count at 24,
    max_load_factor at 32, next_resize at 40, single_bucket at 48);
assert_layout!(Node, 232, 8, next at 0, key at 8, table at 40, hash at 224);
assert_layout!(Simulator, 96, 8, can_use_pwp_table at 0, pwp_path at 8, tables at 40);
assert_layout!(Section, 20, 4, x at 0, d0 at 4, d1 at 8, d2 at 12, d3 at 16);
assert_layout!(SaturationPoint, 28, 4, sat_point at 0, mantissa_point at 4, section at 8);
assert_layout!(NonsatRegion, 40, 8, exponent at 0, num_sections at 4, extract_size at 8, sections at 16);
assert_layout!(AfTable, 184, 8, symmetry_en at 0, symmetry_invert_sign_opt at 1, symmetry_opt_use_neg_region at 2,
    symmetry_point at 4, zero_result at 8, nan_result at 12, pinf_result at 16, ninf_result at 20, pos_region at 24,
    neg_region at 48, pos_high at 72, pos_low at 100, neg_high at 128, neg_low at 156);
