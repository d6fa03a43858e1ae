// A model of the library's caller in the original system: the visitor that executes instructions of the activation
// engine. It shows how a caller marshals an instruction into the library, above all the order of the two floats.
#ifndef PWP_SIM_VISITOR_H
#define PWP_SIM_VISITOR_H

#include <PWPSim/Simulator.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace visitor {

// An instruction that cannot be executed as it stands.
class Refusal : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

enum class Type { float32, bfloat16, float16, int32 };

char const *name_of(Type type);

// `scale`, `bias` or `alpha` of an activation: an immediate in the instruction, or a column, a value for each row.
struct Operand {
    bool immediate;
    Type type;
    float value;                // of an immediate
    std::vector<float> column;  // otherwise

    static Operand constant(float value, Type type = Type::float32) { return {true, type, value, {}}; }
    static Operand rows(std::vector<float> column) { return {false, Type::float32, 0.0f, std::move(column)}; }
};

// Rows (the engine's partitions) of equal length.
struct Tile {
    std::size_t rows;
    std::size_t columns;
    std::vector<float> elements;  // row by row

    float *row(std::size_t index) { return elements.data() + index * columns; }
    float const *row(std::size_t index) const { return elements.data() + index * columns; }
};

// out = function(in * scale + bias; alpha), the product rounded to float before the sum.
struct Activation {
    std::string function;  // by the name that the library takes: "Gelu"
    Operand scale;
    Operand bias;
    Operand alpha;
    Tile in;
};

// How an activation reaches the library.
enum class Dispatch {
    elements,  // scaled here, one call for each element
    bulk       // scaled by the library, one call for each row
};

class Visitor {
public:
    // `use_pwp` asks for the tables of `profile_dir`.
    Visitor(std::string const &profile_dir, Dispatch dispatch, bool use_pwp);

    // Through the library. Throws Refusal for an immediate that is not float32 and for a column of the wrong length;
    // std::runtime_error where the library throws.
    Tile activation(Activation const &instruction);

    // The opcodes of their own, which never touch the library.

    // Exactly 1 / x.
    Tile reciprocal(Tile const &in);

    // expf(x - the row's maximum), and the running sum of each row.
    struct Exponentials {
        Tile out;
        std::vector<float> sums;
    };
    Exponentials exponential(Tile const &in);

    // Throws Refusal for a negative id. The simulator has every function at hand and loads nothing.
    void load_act_func_set(int id);

private:
    PWPSim::Simulator simulator;
    Dispatch dispatch;
    bool use_pwp;
};

}  // namespace visitor

#endif  // PWP_SIM_VISITOR_H
