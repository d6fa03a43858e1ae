// Simulators in the client's own memory: copied, moved, assigned and destroyed by code compiled into the client.
#include "inputs.h"
#include "outcome.h"
#include "parts.h"

#include <list>
#include <map>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

using PWPSim::Simulator;

namespace {

char const *const LONG = "a_directory_with_a_long_name";

void show(char const *what, Simulator &simulator)
{
    say("%s: %s path %s", what, fingerprint(simulator).c_str(), simulator.pwp_path.c_str());
}

struct Owner {
    char first;
    double numbers[3];
    Simulator simulator;
    int last;
};

Simulator by_value(Simulator simulator)
{
    return simulator;
}

void copies()
{
    Simulator a("p");
    Simulator b(LONG);
    Simulator exact("");
    Simulator copy(a);
    show("copy", copy);
    copy = b;
    show("assigned from another directory", copy);
    copy = exact;
    show("assigned from one without tables", copy);
    copy = a;
    show("assigned back", copy);
    Simulator &self = copy;
    copy = self;
    show("assigned to itself", copy);
    exact = std::move(copy);
    show("move-assigned", exact);
    Simulator moved(std::move(exact));
    show("moved", moved);
    std::swap(a, b);
    show("swapped, first", a);
    show("swapped, second", b);
    a.tables.swap(b.tables);
    show("only the tables swapped, first", a);
    show("only the tables swapped, second", b);
    Simulator returned = by_value(by_value(a));
    show("by value", returned);
    auto outlived = std::make_unique<Simulator>(LONG);
    Simulator survivor = *outlived;
    outlived.reset();
    show("outlived its original", survivor);
}

void containers()
{
    std::vector<Simulator> vector;
    for (int i = 0; i < 20; i++) {
        vector.emplace_back(i % 2 == 0 ? "p" : LONG);
        vector.push_back(vector[static_cast<std::size_t>(i) / 2]);
    }
    vector.erase(vector.begin() + 3, vector.begin() + 7);
    vector.insert(vector.begin(), Simulator(""));
    for (Simulator &simulator : vector) {
        show("in a vector", simulator);
    }
    std::map<std::string, Simulator> map;
    map.emplace("x", "p");
    map.emplace("y", LONG);
    map.at("x") = map.at("y");
    show("in a map", map.at("x"));
    std::list<Simulator> list(3, map.at("y"));
    show("in a list", list.back());
    Simulator array[2] = {Simulator("p"), Simulator(LONG)};
    show("in an array", array[1]);
}

void places()
{
    Owner owner{'x', {1.0, 2.0, 3.0}, Simulator("p"), 42};
    Owner other{'y', {4.0, 5.0, 6.0}, Simulator(LONG), 43};
    show("a member", owner.simulator);
    owner = other;
    show("a member, assigned", owner.simulator);
    say("its neighbours %c %g %d", owner.first, owner.numbers[2], owner.last);
    // Memory that is not zero, used twice.
    std::aligned_storage<sizeof(Simulator), alignof(Simulator)>::type memory;
    for (char const *path : {"p", LONG, ""}) {
        std::memset(&memory, 0xa5, sizeof memory);
        Simulator *const simulator = new (&memory) Simulator(path);
        show("in used memory", *simulator);
        simulator->~Simulator();
    }
}

void flag()
{
    Simulator simulator("p");
    simulator.can_use_pwp_table = false;
    show("flag cleared", simulator);
    Simulator copy(simulator);
    show("flag cleared and copied", copy);
    simulator.can_use_pwp_table = true;
    show("flag set again", simulator);
    Simulator exact("");
    exact.can_use_pwp_table = true;
    show("flag set where there are no tables", exact);
    say("prelu needs none %s", text(exact.simulate("Prelu", -2.0f, 0.5f, true)).c_str());
}

void own_table()
{
    PWPSim::AFTable table{};
    table.zero_result = 5.0f;
    table.pos_high = {0, 0, {0.0f, 3.0f, 0.0f, 0.0f, 0.0f}};
    table.neg_high = {0, 0, {0.0f, 4.0f, 0.0f, 0.0f, 0.0f}};
    Simulator simulator("p");
    simulator.tables["Gelu"] = table;
    simulator.tables["Ln_prime"] = table;
    show("with a table of its own", simulator);
    std::vector<float> out(4, 0.0f);
    std::vector<float> const in = {0.0f, 1.0f, -1.0f, 8.0f};
    simulator.simulate("Ln_prime", out.data(), in.data(), -8.0f, 1.0f, 0.0f, 4, true);
    say("its buffer %s", text(out).c_str());
    simulator.simulate("Ln_prime", out.data(), in.data(), -8.0f, 1.0f, 0.0f, 4, false);
    say("not asked for %s", text(out).c_str());
    Simulator copy = simulator;
    simulator.tables.erase("Ln_prime");
    say("a copy has it too %s", text(copy.simulate("Ln_prime", 1.0f, 0.0f, true)).c_str());
    say("taken out again: throws %s", throws_runtime_error([&] {
        simulator.simulate("Ln_prime", 1.0f, 0.0f, true);
    }).c_str());
}

}  // namespace

void part_objects()
{
    copies();
    containers();
    places();
    flag();
    own_table();
}
