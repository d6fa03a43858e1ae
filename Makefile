# What there is to make. Every target works in a fresh clone; what it needs and is missing is installed (Debian, root).
#
#   make            the library, optimised
#   make demo       builds and runs capi-tests/examples/demo.c
#   make test       every test
#   make examples   runs the examples of the Rust interface, core/examples
#   make test-python    installs the Python package into an environment of its own, and tests it and the documents' examples
#   make test-torch     the same with PyTorch (on x86-64 PyPI's comes with CUDA's libraries, 6 GB), and tests pwp_sim.torch
#   make test-sweep     the same with Dask, and tests pwp_sim.sweep
#   make test-html  the page of pwp report --html in headless Chromium: sorted by a click, read under the pointer, light and dark
#   make test-cmake     this checkout within another CMake project, and that make uninstall leaves nothing
#   make test-languages the examples in Go (cgo) and in Node (koffi), capi-tests/examples
#   make bench-python   times calls from Python beside the C calls that they make
#   make test-aarch64   the vector tests for AArch64, under qemu-user; AARCH64_TESTS chooses them
#   make sweep      all 2^32 inputs of FUNCTION (Exp), NUMERICS table or exact, PROFILES a directory or builtin:
#   make bench      times ours beside the reference; BENCH=all for every function, exact for the closed forms
#   make instructions   counts instructions per element
#   make sweep-builtin  all 2^32 inputs of every embedded table, on every tier
#   make sweep-exact    all 2^32 inputs of every closed form, on every tier; FUNCTIONS="Exp Gelu" for some
#   make sweep-types    all 2^32 floats to binary16 and bfloat16, on every tier
#   make fuzz       SECONDS (600) in each fuzz target; fuzz/run.sh says more
#   make coverage   lines covered by the tests in Rust and by the C and C++ clients, by file
#   make tables     generates the embedded tables anew
#   make header     writes include/pwp_sim.h and include/pwp_sim.cffi.h anew; HEADER_FLAGS=--check compares them
#   make licences   writes docs/licences.md anew: the crates in what is built, by their licences
#   make install    into PREFIX (/usr/local) and its LIBDIR (lib, or absolute), under DESTDIR, with the command pwp, its man pages and completions;
#                   PWP=no without pwp, PWP_FLAGS=--no-default-features for one without MPFR, STRIP=no for libraries with their lines for debuggers
#   make uninstall  removes what the last make install from this checkout installed; with the same DESTDIR
#   make deb        packages for Debian, libpwp-sim, libpwp-sim-dev and pwp, into DEB_OUT (target/debian); scripts/deb says more
#   make test-deb   installs them into a clean Debian, uses them there and takes them away again; as root
#   make test-package       packs the crates, builds each from what is inside, and installs from the library's
#   make test-system-mpfr   pwp with the system's GMP and MPFR, in a Debian 13 where this one's GMP is too old
#   make test-reproducible  builds twice, in two places, and compares the bytes
#   make help       shows this
CARGO ?= cargo
CARGO_TARGET_DIR ?= target
override CARGO_TARGET_DIR := $(abspath $(CARGO_TARGET_DIR))
export CARGO_TARGET_DIR
CARGO_OUT ?= $(CARGO_TARGET_DIR)/release
PREFIX ?= /usr/local
LIBDIR ?= lib
# What is passed on has no directory of this machine in it.
RELEASE = RUSTFLAGS="$$(scripts/release_flags)" $(CARGO)
# The released crate of the library is without pwp, which is a crate of its own.
PWP ?= $(if $(wildcard cli/Cargo.toml),yes,no)
DEB_OUT ?= $(CARGO_TARGET_DIR)/debian
JOBS ?= $(shell nproc)
CTEST_BUILD ?= $(CARGO_TARGET_DIR)/ctest
INSTALL_BUILD ?= $(CARGO_TARGET_DIR)/install
FUNCTION ?= Exp
NUMERICS ?= table
PROFILES ?= builtin:
# Not the longest, which takes minutes under an emulator.
AARCH64_TESTS ?= lanes:: eval:: table:: exact:: --skip one_input_of_each_256
EXAMPLES := quick_start table_error sets parallel
# Builds with the features of the whole workspace, and, for the example's sake, of its tests: what `make cargo-test` built
# serves again, where each crate's own features would have the dependencies built once more.
AS_TESTED := --workspace --example quick_start
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)

.PHONY: fuzz coverage all demo test examples test-html test-python test-torch test-sweep test-languages test-cmake bench-python cargo-test ctest-build ctest sweep bench instructions sweep-builtin sweep-exact sweep-types tables header licences deb deb-tools test-deb test-package test-system-mpfr test-reproducible install install-built install-tools uninstall help tools clean

all:
	$(RELEASE) build --release --package pwp-sim

tools:
	@scripts/install_tools

demo: all
	$(CC) -std=c11 -O2 -Wall -Wextra -Iinclude capi-tests/examples/demo.c -o $(CARGO_OUT)/demo \
		-L$(CARGO_OUT) -lpwp_sim -Wl,-rpath,$(CARGO_OUT) -lm
	$(CARGO_OUT)/demo

test: cargo-test ctest

examples:
	$(CARGO) build $(AS_TESTED) $(EXAMPLES:%=--example %)
	for example in $(EXAMPLES); do \
		$(CARGO_TARGET_DIR)/debug/examples/$$example || exit 1; \
	done

test-python:
	python/test.sh

test-torch:
	EXTRAS=torch,examples python/test.sh tests/test_torch.py

test-sweep:
	EXTRAS=sweep,parquet python/test.sh tests/test_sweep.py

test-languages: all
	capi-tests/examples/languages.sh $(CARGO_OUT)/libpwp_sim.so $(CARGO_TARGET_DIR)/languages

# PWP_SCREENSHOTS=DIR keeps a picture of the page in each theme.
test-html:
	@scripts/install_tools browser
	$(CARGO) test --package pwp --test browser -- --ignored

test-cmake: install-tools all
	capi-tests/package/checkout.sh . $(CARGO_TARGET_DIR)

# Status 1 where a call on 16 Mi elements takes more than 1.2 times what the C call takes.
bench-python:
	"$$(python/environment.sh)" python/bench/numpy_call.py --bar 1.2

cargo-test: tools
	$(CARGO) test --workspace

ctest-build: tools all
	$(CARGO) build $(AS_TESTED) --bin profiles
	$(CARGO) build $(AS_TESTED) --no-default-features --features pwp-sim/default --bin pwp
	mkdir -p $(CTEST_BUILD) && cp $(CARGO_TARGET_DIR)/debug/pwp $(CTEST_BUILD)/pwp
	cmake -S capi-tests -B $(CTEST_BUILD) -DPWP_SIM_LIBRARY=$(CARGO_OUT)/libpwp_sim.so \
		-DPROFILES_TOOL=$(CARGO_TARGET_DIR)/debug/profiles -DPWP=$(CTEST_BUILD)/pwp $(if $(HARNESS_INPUTS),-DHARNESS_INPUTS=$(HARNESS_INPUTS))
	cmake --build $(CTEST_BUILD) --parallel $(JOBS)

ctest: ctest-build
	ctest --test-dir $(CTEST_BUILD) --output-on-failure --parallel $(JOBS)

test-aarch64:
	capi-tests/test_aarch64.sh $(CARGO_TARGET_DIR)/aarch64 $(AARCH64_TESTS)

sweep: ctest-build
	$(CTEST_BUILD)/harness/sweep $(CARGO_OUT)/libpwp_sim.so $(FUNCTION) $(NUMERICS) \
		$(if $(filter table,$(NUMERICS)),$(PROFILES) $(if $(filter builtin:,$(PROFILES)),$(CTEST_BUILD)/profiles/builtin,$(PROFILES)))

# Ratios to the reference, in one process. BENCH=all times every function, BENCH=exact the closed forms alone. The rows go
# to bench.json in CTEST_BUILD too, and the ratios of the closed forms to bench.svg.
bench: ctest-build
	$(CTEST_BUILD)/bench/bench $(CARGO_OUT)/libpwp_sim.so builtin: $(CTEST_BUILD)/profiles/builtin \
		$(or $(BENCH),summary) $(CTEST_BUILD)/bench

# Instructions per element, which are the same in every run.
instructions: ctest-build
	capi-tests/bench/instructions.sh $(CTEST_BUILD)/bench/calls $(CARGO_OUT)/libpwp_sim.so

# All 2^32 inputs of every embedded table: none unhandled, and every tier of this CPU gives the scalar tier's bits.
# TABLES names some of them: "exp_400p tanh_4p".
sweep-builtin:
	$(RELEASE) run --release --package capi-tests --bin sweep_builtin -- $(TABLES)

# All 2^32 inputs of every closed form: every tier of this CPU gives the definition's bits, with this machine's libm.
# FUNCTIONS names some of them: "Exp Gelu".
sweep-exact:
	$(RELEASE) run --release --package capi-tests --bin sweep_exact -- $(FUNCTIONS)

# All 2^32 floats, narrowed to binary16 and bfloat16 on every tier of this CPU, with the formats' numbers.
sweep-types:
	$(RELEASE) test --release --package pwp-sim-core --lib -- --ignored --nocapture every_float_narrows

# The embedded tables anew: images, and the record of what they reach.
tables:
	$(RELEASE) run --release --package pwp -- generate --out $(CARGO_TARGET_DIR)/tables --images core/src/catalog/embedded/images \
		--record docs/tables.md
	$(RELEASE) run --release --package pwp -- report --bounds cli/bounds.csv

fuzz:
	fuzz/run.sh all $(or $(SECONDS),600)

coverage:
	.ci/coverage

header: tools
	$(CARGO) build $(AS_TESTED) --bin header
	$(CARGO_TARGET_DIR)/debug/header $(HEADER_FLAGS)

licences:
	scripts/licences

install-tools:
	@scripts/install_tools $(if $(filter no,$(PWP)),library,install)

install: install-tools all
ifeq ($(PWP),no)
	$(MAKE) install-built
else
	$(RELEASE) build --release --package pwp $(PWP_FLAGS)
	$(MAKE) install-built PWP_COMMAND=$(CARGO_TARGET_DIR)/release/pwp
endif

# Installs what stands in CARGO_OUT.
install-built: install-tools
	cmake -S cmake -B $(INSTALL_BUILD) -DPWP_SIM_VERSION=$(VERSION) -DPWP_SIM_BUILD_DIR=$(CARGO_OUT) \
		-DPWP_COMMAND=$(PWP_COMMAND) -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DCMAKE_INSTALL_LIBDIR=$(LIBDIR)
	cmake --install $(INSTALL_BUILD) --prefix $(PREFIX) $(if $(filter no,$(STRIP)),,--strip)

# cmake notes what it installs, without DESTDIR, the last line without an end.
uninstall:
	@test -f $(INSTALL_BUILD)/install_manifest.txt || \
		{ echo "nothing was installed from here: $(INSTALL_BUILD)/install_manifest.txt is not there" >&2; exit 1; }
	@while read -r file || [ -n "$$file" ]; do \
		rm -f "$(DESTDIR)$$file" || exit 1; \
		case $$file in */cmake/pwp_sim/*) \
			rmdir "$(DESTDIR)$${file%/*}" 2>/dev/null || true;; \
		esac; \
	done < $(INSTALL_BUILD)/install_manifest.txt
	@rm $(INSTALL_BUILD)/install_manifest.txt

deb-tools:
	@scripts/install_tools deb $(CARGO_TARGET_DIR)/tools

deb: deb-tools
	PATH="$(CARGO_TARGET_DIR)/tools/bin:$$PATH" scripts/deb $(DEB_OUT)

# Packs once more, which gives the same bytes.
test-deb: deb
	@scripts/install_tools debian lintian
	PATH="$(CARGO_TARGET_DIR)/tools/bin:$$PATH" scripts/deb $(CARGO_TARGET_DIR)/debian/again
	for package in $(CARGO_TARGET_DIR)/debian/again/*.deb; do cmp "$$package" "$(DEB_OUT)/$${package##*/}" || exit 1; done
	capi-tests/package/debian.sh $(DEB_OUT) $(CARGO_TARGET_DIR)/debian/clean

test-package: install-tools
	capi-tests/package/crates.sh . $(CARGO_TARGET_DIR)

test-system-mpfr:
	@scripts/install_tools debian
	capi-tests/package/system_mpfr.sh . $(CARGO_TARGET_DIR)/system-mpfr

test-reproducible:
	scripts/test_reproducible $(CARGO_TARGET_DIR)/reproducible

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' $(firstword $(MAKEFILE_LIST))

clean:
	$(CARGO) clean
