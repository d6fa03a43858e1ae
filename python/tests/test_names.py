"""Functions by their names, their tables, and catalogs."""

from __future__ import annotations

import pickle
import typing
from pathlib import Path

import numpy as np
import pytest

import pwp_sim

from conftest import assert_same


def test_there_are_31_functions_and_each_is_found_by_all_its_names(sim: pwp_sim.Simulator) -> None:
    assert len(sim.functions) == len(pwp_sim.functions()) == 31
    for info in pwp_sim.functions():
        assert info.names[0] == info.name
        for name in info.names:
            assert pwp_sim.function(name) is info
            assert sim.function(name) is sim.functions[info.name] is getattr(sim, name)


def test_a_name_may_be_the_compilers_the_profiles_or_the_front_ends(sim: pwp_sim.Simulator) -> None:
    ln = sim.Ln
    assert ln is sim.ln is sim.log is sim.function("ln_40p") is sim.function("ln_400p")
    assert (ln.info.name, ln.info.profile, ln.info.front_end) == ("Ln", "ln", "log")
    assert ln.info.bir == 11 and ln.info.value == 11
    assert [profile.budget for profile in ln.info.profiles] == [40, 400]
    assert ln.info.function_class is pwp_sim.FunctionClass.TABLE
    assert sim.Ln_prime.info.function_class is pwp_sim.FunctionClass.CLOSED_FORM
    assert sim.relu.info.function_class is pwp_sim.FunctionClass.HARDWIRED


def test_the_functions_for_editors_are_those_that_there_are(sim: pwp_sim.Simulator) -> None:
    source = Path(pwp_sim.simulator.__file__).read_text()
    listed = {line.split(":")[0].strip() for line in source.splitlines() if line.endswith(": Activation")}
    readable = {name for info in pwp_sim.functions() for name in info.names if name == name.lower()} | {"Ln_prime"}
    dx = {name for name in readable if name.endswith("_dx")}
    assert listed == readable - dx
    assert readable <= set(dir(sim))


def test_table_info_is_what_the_table_has(sim: pwp_sim.Simulator) -> None:
    info = sim.gelu.table_info
    assert repr(info) == repr(sim.table_info("Gelu"))
    assert (info.num_sections, info.zero_result, info.ninf_result) == (504, 0.0, 0.0)
    assert info.pos.count + info.neg.count == 21
    sigmoid = sim.sigmoid.table_info
    assert sigmoid.symmetry_en and sigmoid.symmetry_invert_sign_opt and sigmoid.symmetry_opt_use_neg_region
    assert sigmoid.symmetry_point == 1.0


def test_a_section_evaluates_to_the_result(sim: pwp_sim.Simulator) -> None:
    for v in (0.3, 1.7, -2.2):
        section = sim.gelu.section(v)
        assert section.place is pwp_sim.Place.OCTAVE and section.negative == (v < 0)
        t = float(np.float32(v)) - section.x
        cubic = section.d0 + t * section.d1 + t * t * section.d2 + t**3 * section.d3
        assert float(sim.gelu(v)) == pytest.approx(cubic, rel=1e-6)
    assert sim.section("gelu", 100.0).place is pwp_sim.Place.POS_HIGH
    special = sim.gelu.section(float("inf"))
    assert special.place is pwp_sim.Place.SPECIAL and special.d0 == float("inf") and special.exponent is None


def test_a_catalog_lists_its_sets_in_order() -> None:
    catalog = pwp_sim.Catalog("trainium")
    assert len(catalog) == len(list(catalog)) > 5
    assert [found.index for found in catalog] == list(range(len(catalog)))
    found = catalog["gelu_and_others"]
    assert found == catalog[found.index] and "gelu" in found and found.budgets["relu"] == 1
    assert isinstance(catalog[1:3], tuple)
    with pytest.raises(KeyError):
        catalog["nothing"]
    with pytest.raises(IndexError):
        catalog[1000]


def test_a_catalog_knows_the_sets_of_a_function_and_the_loads_of_a_list() -> None:
    catalog = pwp_sim.Catalog("trainium")
    holding = catalog.sets_of("log")
    assert holding and all("ln" in found for found in holding)
    loads = catalog.sequence(["exp", "gelu", "relu", "log"])
    assert [load.first for load in loads] == sorted(load.first for load in loads) and loads[0].first == 0
    assert catalog.sequence([]) == ()
    with pytest.raises(pwp_sim.UnsupportedFunctionError):
        catalog.sets_of("nothing")
    with pytest.raises(pwp_sim.ProfileIOError):
        pwp_sim.Catalog("nowhere")


def test_a_set_has_the_tables_of_its_functions_alone(sim: pwp_sim.Simulator) -> None:
    of_set = pwp_sim.Simulator("builtin:trainium#gelu_and_others")
    x = np.linspace(-3, 3, 100, dtype=np.float32)
    assert_same(of_set.gelu(x), sim.gelu(x))
    assert not of_set.ln.has_table
    with pytest.raises(pwp_sim.NoProfileError):
        of_set.ln(abs(x))


def test_simulators_functions_and_catalogs_can_be_pickled(sim: pwp_sim.Simulator) -> None:
    x = np.linspace(-3, 3, 100, dtype=np.float32)
    again = pickle.loads(pickle.dumps(pwp_sim.Simulator("builtin:", tier="scalar", threads=2)))
    assert (again.tier, again.threads) == ("scalar", 2)
    assert_same(pickle.loads(pickle.dumps(sim.gelu))(x), sim.gelu(x))
    assert list(pickle.loads(pickle.dumps(pwp_sim.Catalog("trainium")))) == list(pwp_sim.Catalog("trainium"))


def test_one_wheel_serves_every_python_and_holds_the_library() -> None:
    from importlib.metadata import distribution

    installed = distribution("pwp-sim")
    tags = [line for line in (installed.read_text("WHEEL") or "").splitlines() if line.startswith("Tag: ")]
    assert len(tags) == 1 and tags[0].startswith("Tag: py3-none-") and tags[0] != "Tag: py3-none-any"
    assert pwp_sim.LIBRARY in [Path(str(installed.locate_file(file))) for file in installed.files or ()]


def test_the_package_has_the_version_of_its_library_and_is_typed() -> None:
    from importlib.metadata import version

    assert version("pwp-sim") == pwp_sim.__version__
    assert (Path(pwp_sim.__file__).parent / "py.typed").is_file()
    assert typing.get_type_hints(pwp_sim.Activation.__call__)["unhandled"] is str
