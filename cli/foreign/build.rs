//! Compiles the C++ side: only C++ can construct the original's `std::string` and catch what it throws.

fn main() {
    println!("cargo::rerun-if-changed=src/foreign.cpp");
    println!("cargo::rerun-if-changed=src/foreign.h");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .warnings(true)
        .extra_warnings(true)
        .file("src/foreign.cpp")
        .compile("foreign");
    println!("cargo::rustc-link-lib=dl");
}
