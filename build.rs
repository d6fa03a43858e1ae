//! Link arguments of the shared library: its SONAME, and `nodelete`, so that a thread that called in can end after
//! a `dlclose` without running code that is gone.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libpwp_sim.so");
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
