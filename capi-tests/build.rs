//! Binds `include/pwp_sim.h` twice, by bindgen and by the C compiler: `tests/layout.rs` compares what the two see with
//! the Rust side.

use std::path::PathBuf;

fn main() {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("..");
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    let header = root.join("include/pwp_sim.h");
    println!("cargo:rerun-if-changed={}", header.display());
    println!("cargo:rerun-if-changed=c/layout.c");

    let builder = || {
        bindgen::builder()
            .header(header.to_str().expect("the path is UTF-8"))
            .allowlist_item("(PWP_SIM|pwp_sim)_.*|pwp_sim")
            .prepend_enum_name(false)
            .generate_comments(false)
    };
    // The types as the header has them.
    let whole = builder().ignore_functions().generate().expect("bindgen reads the header");
    whole.write_to_file(out.join("header.rs")).expect("OUT_DIR is writable");
    // The calls alone, over the Rust side's types: what the tests call, and whose signatures they compare.
    let calls = builder()
        .blocklist_type(".*")
        .raw_line("use ::pwp_sim_core::Affine as pwp_sim_affine;")
        .raw_line("use ::pwp_sim::c::calls::{FunctionId as pwp_sim_function, pwp_sim};")
        .raw_line("use ::pwp_sim::c::catalog::pwp_sim_catalog;")
        .raw_line("use ::pwp_sim::c::functions::{pwp_sim_function_info_t, pwp_sim_profile_t};")
        .raw_line("use ::pwp_sim::c::pwp_sim_status;")
        .raw_line("use ::pwp_sim::c::DtypeId as pwp_sim_dtype;")
        .raw_line("use ::pwp_sim::c::types::*;")
        .generate()
        .expect("bindgen reads the header");
    calls.write_to_file(out.join("calls.rs")).expect("OUT_DIR is writable");

    cc::Build::new()
        .file("c/layout.c")
        .include(root.join("include"))
        .std("c99")
        .flags(["-Wall", "-Wextra", "-pedantic", "-Wstrict-prototypes", "-Werror"])
        .compile("pwp_sim_layout");
    // The same once more with enums as short as can be.
    cc::Build::new()
        .file("c/layout.c")
        .include(root.join("include"))
        .std("c99")
        .flag("-fshort-enums")
        .define("pwp_sim_test_measures", "pwp_sim_test_short_measures")
        .define("pwp_sim_test_values", "pwp_sim_test_short_values")
        .define("pwp_sim_test_functions", "pwp_sim_test_short_functions")
        .compile("pwp_sim_layout_short");
    // The calls with a byte for each bool argument and an integer for a status, as the Rust side takes them, to compare
    // signatures.
    let calls = std::fs::read_to_string(out.join("calls.rs")).expect("it was written above");
    let signatures = calls.replace("use_pwp: bool", "use_pwp: u8").replace("(status: pwp_sim_status)", "(status: i32)");
    std::fs::write(out.join("signatures.rs"), signatures).expect("OUT_DIR is writable");
}
