//! Compiles the C++ side: only C++ can construct the original's `std::string` and catch what it throws.

fn main() {
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    println!("cargo::rerun-if-changed=src/foreign.cpp");
    println!("cargo::rerun-if-changed=src/foreign.h");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .warnings(true)
        .extra_warnings(true)
        .file("src/foreign.cpp")
        // The same object from any directory.
        .flag_if_supported(format!("-ffile-prefix-map={root}=cli/foreign"))
        .compile("foreign");
    println!("cargo::rustc-link-lib=dl");
}
