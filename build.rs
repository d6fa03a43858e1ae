//! Link arguments of the shared library: its SONAME, and `nodelete`, so that a thread that called in can end after
//! a `dlclose` without running code that is gone. Decides whether the C++ symbols are built, and links libstdc++ for
//! them.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-check-cfg=cfg(cxx_abi)");
    let target = |key: &str| std::env::var(format!("CARGO_CFG_TARGET_{key}")).unwrap_or_default();
    if target("OS") == "linux" {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libpwp_sim.so");
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
        let feature = std::env::var_os("CARGO_FEATURE_CXX_ABI").is_some();
        let known = ["x86_64", "aarch64"].contains(&target("ARCH").as_str());
        if feature && known && target("ENV") == "gnu" && target("POINTER_WIDTH") == "64" {
            println!("cargo:rustc-cfg=cxx_abi");
            println!("cargo:rustc-link-lib=dylib=stdc++");
        }
    }
}
