//! The calling thread's floating-point control bits. The fast evaluators are exact in the default environment only.

/// Whether arithmetic rounds to nearest, keeps denormals, and traps on nothing: what Rust assumes everywhere, and
/// what a C caller may have changed. The exception flags, which any arithmetic sets, do not count.
#[inline]
pub(crate) fn is_default() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        // MXCSR: denormals-are-zero, the six exception masks, rounding control, flush-to-zero.
        let mut mxcsr = 0u32;
        // SAFETY: stores the 32-bit register to a local of that size; every x86-64 CPU has SSE.
        unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &mut mxcsr, options(nostack, preserves_flags)) };
        mxcsr & 0xffc0 == 0x1f80
    }
    #[cfg(target_arch = "aarch64")]
    {
        let fpcr: u64;
        // SAFETY: reads a register that every program may read.
        unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) fpcr, options(nomem, nostack, preserves_flags)) };
        fpcr == 0 // AArch64 Linux starts every program with 0; there are no sticky bits in this register
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    {
        false // unknown: always the steps of the definition
    }
}

/// Runs `work` with other control bits in MXCSR.
#[cfg(all(test, target_arch = "x86_64"))]
pub(crate) fn with_mxcsr<T>(control: u32, work: impl FnOnce() -> T) -> T {
    struct Restore;
    impl Drop for Restore {
        fn drop(&mut self) {
            load(0x1f80);
        }
    }
    fn load(mxcsr: u32) {
        // SAFETY: reads a local; the callers keep all exceptions masked, and restore the default on every way out.
        unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &mxcsr, options(nostack, preserves_flags)) };
    }
    let _restore = Restore;
    load(std::hint::black_box(control));
    std::hint::black_box(work())
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn rounding_and_denormal_modes_count_and_flags_do_not() {
        assert!(is_default());
        for flags in 0..0x40 {
            assert!(with_mxcsr(0x1f80 | flags, is_default));
        }
        for control in [0x3f80, 0x5f80, 0x7f80, 0x9f80, 0x1fc0] {
            assert!(!with_mxcsr(control, is_default), "{control:x}");
        }
        assert!(is_default());
    }
}
