#include "visitor.h"

#include <algorithm>
#include <cmath>

namespace visitor {

namespace {

void check(char const *what, Operand const &operand, std::size_t rows)
{
    if (operand.immediate) {
        if (operand.type != Type::float32) {
            throw Refusal(std::string("immediate ") + what + " must be float32, not " + name_of(operand.type));
        }
    } else if (operand.column.size() != rows) {
        throw Refusal(std::string(what) + " has " + std::to_string(operand.column.size()) + " values for "
                      + std::to_string(rows) + " rows");
    }
}

float at(Operand const &operand, std::size_t row)
{
    return operand.immediate ? operand.value : operand.column[row];
}

}  // namespace

char const *name_of(Type type)
{
    switch (type) {
    case Type::float32: return "float32";
    case Type::bfloat16: return "bfloat16";
    case Type::float16: return "float16";
    case Type::int32: return "int32";
    }
    return "unknown";
}

Visitor::Visitor(std::string const &profile_dir, Dispatch the_dispatch, bool whether_use_pwp)
    : simulator(profile_dir), dispatch(the_dispatch), use_pwp(whether_use_pwp)
{
}

Tile Visitor::activation(Activation const &instruction)
{
    Tile const &in = instruction.in;
    check("scale", instruction.scale, in.rows);
    check("bias", instruction.bias, in.rows);
    check("alpha", instruction.alpha, in.rows);

    Tile out = in;
    for (std::size_t row = 0; row < in.rows; row++) {
        float const scale = at(instruction.scale, row);
        float const bias = at(instruction.bias, row);
        float const alpha = at(instruction.alpha, row);
        if (dispatch == Dispatch::bulk) {
            // REGISTER ORDER. The library adds its first float (xmm0) and multiplies by its second (xmm1), whatever its
            // header calls them; the original's says `float scale, float bias`. So the bias goes first:
            float const xmm0_added = bias;
            float const xmm1_multiplies = scale;
            simulator.simulate(instruction.function, out.row(row), in.row(row), xmm0_added, xmm1_multiplies, alpha,
                               static_cast<int>(in.columns), use_pwp);
        } else {
            for (std::size_t column = 0; column < in.columns; column++) {
                float const product = in.row(row)[column] * scale;
                float const x = product + bias;
                out.row(row)[column] = simulator.simulate(instruction.function, x, alpha, use_pwp);
            }
        }
    }
    return out;
}

Tile Visitor::reciprocal(Tile const &in)
{
    Tile out = in;
    for (float &element : out.elements) {
        element = 1.0f / element;
    }
    return out;
}

Visitor::Exponentials Visitor::exponential(Tile const &in)
{
    Exponentials result{in, std::vector<float>(in.rows, 0.0f)};
    for (std::size_t row = 0; row < in.rows; row++) {
        float *const elements = result.out.row(row);
        float const maximum = in.columns == 0 ? 0.0f : *std::max_element(elements, elements + in.columns);
        for (std::size_t column = 0; column < in.columns; column++) {
            elements[column] = std::exp(elements[column] - maximum);
            result.sums[row] += elements[column];
        }
    }
    return result;
}

void Visitor::load_act_func_set(int id)
{
    if (id < 0) {
        throw Refusal("activation function set " + std::to_string(id) + " is negative");
    }
}

}  // namespace visitor
