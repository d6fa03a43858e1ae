// Runs the visitor's instructions and prints what comes out; swap_test.sh runs it on the reference and on ours and
// compares. What can be checked without another library is checked here, and a mismatch ends the client.
//
//     visitor_client DIR         (DIR as the swap test's write_profiles made it)
#include "answering.h"
#include "inputs.h"
#include "text.h"
#include "visitor.h"

#include <cstdlib>
#include <functional>

#include <unistd.h>

using namespace visitor;

namespace {

void expect(bool ok, char const *what)
{
    if (!ok) {
        std::fprintf(stderr, "FAILED: %s\n", what);
        std::exit(1);
    }
}

Tile a_tile(std::size_t rows, std::size_t columns, std::uint64_t seed)
{
    return {rows, columns, random_inputs(rows * columns, seed)};
}

bool same(Tile const &a, Tile const &b)
{
    return hash(a.elements) == hash(b.elements);
}

std::string refused(std::function<void()> const &call)
{
    try {
        call();
    } catch (Refusal const &refusal) {
        return refusal.what();
    }
    return "not refused";
}

void activations(bool use_pwp)
{
    Visitor bulk("p", Dispatch::bulk, use_pwp);
    Visitor elements("p", Dispatch::elements, use_pwp);
    Operand const column = Operand::rows({0.5f, -1.0f, 2.0f, 0.0f, 1e-3f});
    Operand const other = Operand::rows({1.0f, 0.0f, -0.25f, 3.0f, -7.0f});
    for (char const *name : function_names()) {
        if (use_pwp && std::string(name) == "Ln_prime") {
            continue;  // it has no table
        }
        for (Activation const &instruction : {
                 Activation{name, Operand::constant(0.5f), Operand::constant(-3.0f), Operand::constant(0.25f),
                            a_tile(5, 200, 1)},
                 Activation{name, column, other, Operand::constant(-2.0f), a_tile(5, 200, 2)},
                 Activation{name, Operand::constant(1.0f), column, other, a_tile(5, 200, 3)}}) {
            Tile const out = bulk.activation(instruction);
            expect(same(out, elements.activation(instruction)), "bulk and element by element give the same");
            say("%s %s %016llx %s", name, use_pwp ? "table" : "exact",
                static_cast<unsigned long long>(hash(out.elements)),
                text(std::vector<float>(out.elements.begin(), out.elements.begin() + 6)).c_str());
        }
    }
}

void order_of_the_floats()
{
    Visitor visitor("", Dispatch::bulk, false);
    Tile const in{1, 3, {0.0f, 1.0f, -2.0f}};
    Activation const instruction{"Identity", Operand::constant(3.0f), Operand::constant(100.0f), Operand::constant(0.0f),
                                 in};
    Tile const out = visitor.activation(instruction);
    expect(out.elements == std::vector<float>({100.0f, 103.0f, 94.0f}), "in * scale + bias");
}

void refusals()
{
    Visitor visitor("p", Dispatch::bulk, true);
    Tile const in = a_tile(2, 3, 4);
    Operand const one = Operand::constant(1.0f);
    for (Type type : {Type::bfloat16, Type::float16, Type::int32}) {
        Operand const other = Operand::constant(1.0f, type);
        say("%s", refused([&] { visitor.activation({"Gelu", other, one, one, in}); }).c_str());
        say("%s", refused([&] { visitor.activation({"Gelu", one, other, one, in}); }).c_str());
        say("%s", refused([&] { visitor.activation({"Gelu", one, one, other, in}); }).c_str());
    }
    say("%s", refused([&] { visitor.activation({"Gelu", Operand::rows({1.0f}), one, one, in}); }).c_str());
    try {
        visitor.activation({"Is_finite", one, one, one, in});
        say("not thrown");
    } catch (std::runtime_error const &error) {
        say("%s", error.what());
    }
}

void dedicated_opcodes()
{
    Visitor visitor("p", Dispatch::bulk, true);
    Tile const halves{1, 4, {2.0f, -4.0f, 3.0f, 0.0f}};
    expect(visitor.reciprocal(halves).elements == std::vector<float>({0.5f, -0.25f, 1.0f / 3.0f, INFINITY}), "1 / x");

    Tile const logits{2, 3, {1.0f, 3.0f, 2.0f, -500.0f, -501.0f, -502.0f}};
    Visitor::Exponentials const result = visitor.exponential(logits);
    float const e1 = std::exp(-1.0f);
    float const e2 = std::exp(-2.0f);
    expect(result.out.elements == std::vector<float>({e2, 1.0f, e1, 1.0f, e1, e2}), "expf(x - rowmax)");
    float const first = e2 + 1.0f;
    float const second = 1.0f + e1;
    expect(result.sums == std::vector<float>({first + e1, second + e2}), "the running sums, in order");

    visitor.load_act_func_set(0);
    visitor.load_act_func_set(19);
    say("%s", refused([&] { visitor.load_act_func_set(-1); }).c_str());
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc != 2 || chdir(argv[1]) != 0) {
        std::fprintf(stderr, "usage: visitor_client DIR\n");
        return 2;
    }
    say_which_library_answers();
    activations(false);
    activations(true);
    order_of_the_floats();
    refusals();
    dedicated_opcodes();
    say("end");
    return 0;
}
