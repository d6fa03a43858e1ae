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
