//! Sequences of C calls, right and wrong ones: no crash, the statuses of the header, nothing written outside the buffers,
//! nothing at all by a call that fails, and the values of the definition.
#![no_main]

use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr;
use std::sync::LazyLock;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use pwp_sim as _; // the calls below
use pwp_sim_core::engine::{eval, eval::definition, exact};
use pwp_sim_core::{Affine, Function, Simulator};
use pwp_sim_fuzz::scaling;

/// The handles, which C sees only through pointers.
#[repr(C)]
struct Sim([u8; 0]);
#[repr(C)]
struct Catalog([u8; 0]);

// As `include/pwp_sim.h` has them; a bool is a byte here, and true where it is not 0.
unsafe extern "C" {
    fn pwp_sim_create(source: *const c_char, out: *mut *mut Sim) -> c_int;
    fn pwp_sim_destroy(sim: *mut Sim);
    fn pwp_sim_can_use_pwp_table(sim: *const Sim) -> u8;
    fn pwp_sim_simulate(
        sim: *const Sim,
        name: *const c_char,
        out: *mut f32,
        r#in: *const f32,
        addend: f32,
        multiplier: f32,
        alpha: f32,
        count: usize,
        use_pwp: u8,
    ) -> c_int;
    fn pwp_sim_simulate_scalar(
        sim: *const Sim,
        name: *const c_char,
        x: f32,
        alpha: f32,
        use_pwp: u8,
        out: *mut f32,
    ) -> c_int;
    fn pwp_sim_apply(
        sim: *const Sim,
        function: c_int,
        affine: *const Affine,
        out: *mut f32,
        r#in: *const f32,
        count: usize,
        use_pwp: u8,
    ) -> c_int;
    fn pwp_sim_apply_typed(
        sim: *const Sim,
        function: c_int,
        affine: *const Affine,
        out: *mut f32,
        out_type: c_int,
        r#in: *const f32,
        in_type: c_int,
        count: usize,
        use_pwp: u8,
    ) -> c_int;
    fn pwp_sim_apply_parallel(
        sim: *const Sim,
        function: c_int,
        affine: *const Affine,
        out: *mut f32,
        r#in: *const f32,
        count: usize,
        use_pwp: u8,
        threads: usize,
    ) -> c_int;
    fn pwp_sim_function_from_name(name: *const c_char, out: *mut c_int) -> c_int;
    fn pwp_sim_function_name(function: c_int) -> *const c_char;
    fn pwp_sim_function_count() -> usize;
    fn pwp_sim_function_at(index: usize, out: *mut c_int) -> c_int;
    fn pwp_sim_function_from_any_name(name: *const c_char, out: *mut c_int) -> c_int;
    fn pwp_sim_function_info(function: c_int, out: *mut [u64; 64]) -> c_int;
    fn pwp_sim_function_profiles(function: c_int, profiles: *mut [u32; 3], capacity: usize, count: *mut usize)
    -> c_int;
    fn pwp_sim_status_text(status: c_int) -> *const c_char;
    fn pwp_sim_tier(sim: *const Sim) -> *const c_char;
    fn pwp_sim_table_info(sim: *const Sim, function: c_int, out: *mut [u64; 64]) -> c_int;
    fn pwp_sim_table_section(sim: *const Sim, function: c_int, v: f32, out: *mut [u64; 64]) -> c_int;
    fn pwp_sim_last_error() -> *const c_char;
    fn pwp_sim_catalog_open(source: *const c_char, out: *mut *mut Catalog) -> c_int;
    fn pwp_sim_catalog_close(catalog: *mut Catalog);
    fn pwp_sim_catalog_count(catalog: *const Catalog) -> usize;
    fn pwp_sim_catalog_set_name(catalog: *const Catalog, set: usize, name: *mut *const c_char) -> c_int;
    fn pwp_sim_catalog_set_index(catalog: *const Catalog, name: *const c_char, set: *mut usize) -> c_int;
    fn pwp_sim_catalog_act_count(catalog: *const Catalog, set: usize, count: *mut usize) -> c_int;
    fn pwp_sim_catalog_sets_of(
        catalog: *const Catalog,
        function: *const c_char,
        sets: *mut usize,
        capacity: usize,
        count: *mut usize,
    ) -> c_int;
    fn pwp_sim_catalog_sequence(
        catalog: *const Catalog,
        functions: *const *const c_char,
        n: usize,
        sets: *mut usize,
        first: *mut usize,
        capacity: usize,
        count: *mut usize,
    ) -> c_int;
}

const OK: c_int = 0;
const UNSUPPORTED: c_int = 2;
const UNHANDLED: c_int = 6;
const INTERNAL: c_int = 7;
const NO_MEMORY: c_int = 8;

/// Where simulators come from, with the same simulator made by the core.
static SOURCES: LazyLock<Vec<(CString, Simulator)>> = LazyLock::new(|| {
    let source = |name: &str| (CString::new(name).unwrap(), Simulator::open(name).unwrap());
    ["", "builtin:", "builtin:trainium#exp_and_others", "builtin:with_ln#0"].map(source).into()
});

/// A simulator's index; one past the last is null.
type Handle = u8;

#[derive(Debug, Clone, Arbitrary)]
enum Name {
    Known(u8),
    Bytes(Vec<u8>),
    Null,
}

impl Name {
    fn c_string(&self) -> Option<CString> {
        match self {
            Name::Known(index) => {
                let all: Vec<Function> = Function::all().collect();
                Some(CString::new(all[usize::from(*index) % all.len()].name()).unwrap())
            }
            Name::Bytes(bytes) => {
                CString::new(bytes.iter().copied().filter(|byte| *byte != 0).collect::<Vec<_>>()).ok()
            }
            Name::Null => None,
        }
    }

    fn function(&self) -> Option<Function> {
        Function::from_name(self.c_string()?.to_str().ok()?).ok()
    }
}

fn pointer(text: &Option<CString>) -> *const c_char {
    text.as_ref().map_or(ptr::null(), |text| text.as_ptr())
}

/// Two buffers of floats in one piece of memory: anywhere in it, overlapping or not, aligned or not.
#[derive(Debug, Clone, Copy, Arbitrary)]
struct Buffers {
    out: u8,
    input: u8,
    count: u8,
    aligned: bool,
    /// Null pointers, which are fine where the count is 0.
    null_out: bool,
    null_input: bool,
    fill: u32,
}

#[derive(Debug, Clone, Copy, Arbitrary)]
struct Floats(u32, u32, u32);

#[derive(Debug, Clone, Arbitrary)]
enum Op {
    Create(u8),
    CreateFrom(Name),
    Destroy(Handle),
    Simulate(Handle, Name, Buffers, Floats, u8),
    Apply(Handle, i8, Option<Floats>, Buffers, u8, Option<u8>),
    Scalar(Handle, Name, Floats, u8),
    Info(Handle, i32, u32),
    Names(Name, i32),
    Catalog(Name, Vec<Name>, u8, u16),
    LastError,
}

struct State {
    sims: Vec<(*mut Sim, usize)>,
}

impl State {
    /// The simulator of a handle, with its source's index.
    fn sim(&self, handle: Handle) -> (*mut Sim, Option<usize>) {
        match self.sims.get(usize::from(handle) % (self.sims.len() + 1)) {
            Some(&(sim, source)) => (sim, Some(source)),
            None => (ptr::null_mut(), None),
        }
    }

    fn run(&mut self, op: &Op) {
        match op {
            Op::Create(source) if self.sims.len() < 8 => {
                let source = usize::from(*source) % SOURCES.len();
                let mut sim = ptr::null_mut();
                // SAFETY: a string with its NUL, and a place for the handle.
                assert_eq!(unsafe { pwp_sim_create(SOURCES[source].0.as_ptr(), &mut sim) }, OK);
                assert!(!sim.is_null());
                self.sims.push((sim, source));
            }
            Op::Create(_) => {}
            Op::CreateFrom(name) => {
                // Not a path: the file system would be part of the input.
                let Some(name) = name.c_string().filter(|name| !name.to_bytes().contains(&b'/')) else { return };
                let name = CString::new([b"builtin:", name.to_bytes()].concat()).unwrap();
                let mut sim = ptr::dangling_mut();
                // SAFETY: as above.
                let status = unsafe { pwp_sim_create(name.as_ptr(), &mut sim) };
                assert!((0..INTERNAL).contains(&status));
                assert_eq!(sim.is_null(), status != OK);
                // SAFETY: null or the simulator just made, which nothing else uses.
                unsafe { pwp_sim_destroy(sim) };
            }
            Op::Destroy(handle) => {
                let (sim, source) = self.sim(*handle);
                // SAFETY: null, or a simulator that is dropped from the list here.
                unsafe { pwp_sim_destroy(sim) };
                if source.is_some() {
                    self.sims.retain(|(kept, _)| *kept != sim);
                }
            }
            Op::Simulate(handle, name, buffers, floats, use_pwp) => {
                let (sim, source) = self.sim(*handle);
                let [addend, multiplier, alpha] =
                    [floats.0, floats.1, floats.2].map(|bits| scaling(f32::from_bits(bits)));
                let affine = Affine { scale: multiplier, bias: addend, alpha };
                let text = name.c_string();
                buffers.check(source, name.function(), &affine, *use_pwp, |out, input, count| {
                    // SAFETY: the handle and the name are null or alive, the buffers `count` floats or null.
                    unsafe {
                        pwp_sim_simulate(sim, pointer(&text), out, input, addend, multiplier, alpha, count, *use_pwp)
                    }
                });
            }
            Op::Apply(handle, function, floats, buffers, use_pwp, threads) => {
                let (sim, source) = self.sim(*handle);
                let given = floats.map(|floats| {
                    let [scale, bias, alpha] = [floats.0, floats.1, floats.2].map(|bits| scaling(f32::from_bits(bits)));
                    Affine { scale, bias, alpha }
                });
                let affine = given.as_ref().map_or(ptr::null(), ptr::from_ref);
                let known = Function::all().find(|known| *known as c_int == c_int::from(*function));
                let scaling = given.unwrap_or(Affine::UNIT);
                buffers.check(source, known, &scaling, *use_pwp, |out, input, count| {
                    let function = c_int::from(*function);
                    match threads {
                        // SAFETY: the handle and the affine are null or alive, the buffers `count` floats or null.
                        None => unsafe { pwp_sim_apply(sim, function, affine, out, input, count, *use_pwp) },
                        // SAFETY: as for pwp_sim_apply.
                        Some(threads) => unsafe {
                            let threads = usize::from(*threads % 4);
                            // Two buffers of floats are the call above by another way.
                            if threads == 3 {
                                let use_pwp = *use_pwp;
                                return pwp_sim_apply_typed(sim, function, affine, out, 0, input, 0, count, use_pwp);
                            }
                            pwp_sim_apply_parallel(sim, function, affine, out, input, count, *use_pwp, threads)
                        },
                    }
                });
            }
            Op::Scalar(handle, name, floats, use_pwp) => {
                let (sim, source) = self.sim(*handle);
                let (x, alpha) = (f32::from_bits(floats.0), scaling(f32::from_bits(floats.1)));
                let text = name.c_string();
                let mut out = f32::from_bits(0x7fed_cba9);
                // SAFETY: the handle and the name are null or alive, the output one float.
                let status = unsafe { pwp_sim_simulate_scalar(sim, pointer(&text), x, alpha, *use_pwp, &mut out) };
                let expected = source
                    .zip(name.function())
                    .map(|(source, function)| value(&SOURCES[source].1, function, x, alpha, *use_pwp));
                match expected {
                    Some(Some(Some(y))) => assert_eq!((status, out.to_bits()), (OK, y.to_bits())),
                    Some(Some(None)) => assert_eq!(status, UNHANDLED),
                    _ => assert!(status != OK && status < INTERNAL && out.to_bits() == 0x7fed_cba9, "{status}"),
                }
            }
            Op::Info(handle, function, bits) => {
                let (sim, source) = self.sim(*handle);
                let function = if bits & 1 == 0 { function % 40 } else { *function };
                let mut out = [0; 64];
                // SAFETY: the handle is null or alive; both structs are smaller than the 512 bytes.
                let statuses = unsafe {
                    [
                        pwp_sim_table_info(sim, function, &mut out),
                        pwp_sim_table_section(sim, function, f32::from_bits(*bits), &mut out),
                    ]
                };
                assert!(statuses.iter().all(|status| (0..INTERNAL).contains(status)));
                // SAFETY: the handle is null or alive.
                let (tables, tier) = unsafe { (pwp_sim_can_use_pwp_table(sim), pwp_sim_tier(sim)) };
                assert_eq!(tables != 0, source.is_some_and(|source| SOURCES[source].1.has_tables()));
                assert_eq!(tier.is_null(), sim.is_null());
            }
            Op::Names(name, function) => {
                let text = name.c_string();
                let mut out = -1;
                // SAFETY: a string with its NUL or null, and a place for the number.
                let status = unsafe { pwp_sim_function_from_name(pointer(&text), &mut out) };
                assert_eq!(status == OK, name.function().is_some());
                // SAFETY: takes any number; the string that comes back is static.
                unsafe {
                    for number in [out, *function, function % 64] {
                        let name = pwp_sim_function_name(number);
                        if !name.is_null() {
                            assert_eq!(pwp_sim_function_from_name(name, &mut out), OK);
                            assert_eq!(out, number);
                            // Each exact name is also one of the names of any kind.
                            assert_eq!(pwp_sim_function_from_any_name(name, &mut out), OK);
                            assert_eq!(out, number);
                        }
                        let (mut info, mut profiles, mut count) = ([0; 64], [[0; 3]; 2], 0);
                        let known = if name.is_null() { UNSUPPORTED } else { OK };
                        assert_eq!(pwp_sim_function_info(number, &mut info), known);
                        assert_eq!(pwp_sim_function_profiles(number, profiles.as_mut_ptr(), 2, &mut count), known);
                        let index = number as u32 as usize;
                        assert_eq!(pwp_sim_function_at(index, &mut out) == OK, index < pwp_sim_function_count());
                        assert_eq!(pwp_sim_status_text(number).is_null(), !(0..=NO_MEMORY).contains(&number));
                    }
                    let any = pwp_sim_function_from_any_name(pointer(&text), &mut out);
                    assert!((0..INTERNAL).contains(&any) && (status != OK || any == OK));
                }
            }
            Op::Catalog(source, names, capacity, set) => self.catalog(source, names, *capacity, *set),
            Op::LastError => {
                // SAFETY: the string lives until the next failure on this thread.
                let text = unsafe { CStr::from_ptr(pwp_sim_last_error()) };
                assert!(text.to_str().is_ok(), "{text:?}");
            }
        }
    }

    fn catalog(&self, source: &Name, names: &[Name], capacity: u8, set: u16) {
        let source = match source {
            Name::Known(index) => Some([c"trainium", c"with_ln", c"builtin:trainium"][usize::from(*index) % 3].into()),
            other => other.c_string().filter(|name| !name.to_bytes().contains(&b'/')),
        };
        let mut catalog = ptr::null_mut();
        // SAFETY: a string with its NUL or null, and a place for the handle.
        let status = unsafe { pwp_sim_catalog_open(pointer(&source), &mut catalog) };
        assert_eq!(catalog.is_null(), status != OK);
        let (mut index, mut count, mut text) = (0, 0, ptr::null());
        let texts: Vec<Option<CString>> = names.iter().take(32).map(Name::c_string).collect();
        let pointers: Vec<*const c_char> = texts.iter().map(pointer).collect();
        let (mut sets, mut first) = ([usize::MAX; 256], [usize::MAX; 256]);
        let capacity = usize::from(capacity);
        // SAFETY: the catalog is null or alive, strings have their NUL or are null, the arrays hold `capacity` numbers.
        unsafe {
            let size = pwp_sim_catalog_count(catalog);
            let set = usize::from(set);
            let known = pwp_sim_catalog_set_name(catalog, set, &mut text);
            assert_eq!(known == OK, set < size);
            assert_eq!(pwp_sim_catalog_act_count(catalog, set, &mut count), known);
            if known == OK {
                assert_eq!(pwp_sim_catalog_set_index(catalog, text, &mut index), OK);
                assert_eq!(index, set);
            }
            for &name in &pointers {
                let status = pwp_sim_catalog_sets_of(catalog, name, sets.as_mut_ptr(), capacity, &mut count);
                assert!((0..INTERNAL).contains(&status));
                assert!(sets[capacity..].iter().all(|&set| set == usize::MAX));
            }
            let [sets, first] = [&mut sets, &mut first].map(|array| array.as_mut_ptr());
            let functions = if pointers.is_empty() { ptr::null() } else { pointers.as_ptr() };
            let status =
                pwp_sim_catalog_sequence(catalog, functions, pointers.len(), sets, first, capacity, &mut count);
            assert!((0..INTERNAL).contains(&status));
            pwp_sim_catalog_close(catalog);
        }
        assert!(first[capacity..].iter().all(|&first| first == usize::MAX));
    }
}

/// What the definition gives: none where the call is an error, none within where the input is unhandled.
fn value(simulator: &Simulator, function: Function, x: f32, alpha: f32, use_pwp: u8) -> Option<Option<f32>> {
    if use_pwp == 0 || !simulator.has_tables() || function == Function::Prelu {
        return Some(Some(exact::evaluate(function, x, alpha)));
    }
    simulator.table(function).ok().map(|table| definition::evaluate(table, x))
}

impl Buffers {
    /// Makes a call on the buffers and checks its status and every byte of the memory around them.
    fn check(
        &self,
        source: Option<usize>,
        function: Option<Function>,
        affine: &Affine,
        use_pwp: u8,
        call: impl FnOnce(*mut f32, *const f32, usize) -> c_int,
    ) {
        let count = usize::from(self.count);
        let unit = if self.aligned { 4 } else { 1 };
        let [out, input] = [self.out, self.input].map(|offset| 64 + unit * usize::from(offset));
        let mut seed = self.fill;
        let mut memory: Vec<u8> = Vec::with_capacity(2304);
        while memory.len() < 2304 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            memory.extend(seed.to_le_bytes());
        }
        let before = memory.clone();
        let base = memory.as_mut_ptr();
        // SAFETY: both ends are within the memory: 64 + 4 * 255 + 4 * 255 < 2304.
        let (start_out, start_in) =
            unsafe { (base.add(out).cast::<f32>(), base.add(input).cast::<f32>().cast_const()) };
        let pointer_out = if self.null_out { ptr::null_mut() } else { start_out };
        let pointer_in = if self.null_input { ptr::null() } else { start_in };
        let status = call(pointer_out, pointer_in, count);
        let null = count > 0 && (self.null_out || self.null_input);
        let mut expected = before.clone();
        let mut lost = false;
        let simulator = source.map(|source| &SOURCES[source].1);
        let right = simulator
            .zip(function)
            .is_some_and(|(simulator, function)| !null && value(simulator, function, 1.0, 0.0, use_pwp).is_some());
        if right {
            let (simulator, function) = (simulator.unwrap(), function.unwrap());
            // What the loop over the elements in order gives, whatever overlaps.
            for index in (0..count).map(|index| 4 * index) {
                let at = input + index;
                let x = f32::from_le_bytes(expected[at..at + 4].try_into().unwrap());
                let y = value(simulator, function, affine.scaled(x), affine.alpha, use_pwp).unwrap();
                lost |= y.is_none();
                expected[out + index..out + index + 4].copy_from_slice(&y.unwrap_or(eval::NAN).to_le_bytes());
            }
            assert_eq!(status, if lost { UNHANDLED } else { OK });
        } else {
            assert!(status != OK && status < INTERNAL, "{status}");
        }
        if let Some(at) = (0..memory.len()).find(|&at| memory[at] != expected[at]) {
            panic!("byte {at} is {:02x}, not {:02x}; the output is at {out}", memory[at], expected[at]);
        }
    }
}

fuzz_target!(|ops: Vec<Op>| {
    let mut state = State { sims: Vec::new() };
    for op in ops.iter().take(64) {
        state.run(op);
    }
    for (sim, _) in state.sims {
        // SAFETY: the simulators that are left are alive.
        unsafe { pwp_sim_destroy(sim) };
    }
});
