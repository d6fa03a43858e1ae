// Simulator: construction, dispatch by name, and the two forms of simulate().
// Behaviour: docs/behaviour.md section 1 (which path a call takes), section 2 (the names) and section 5 (simulate).
#include <PWPSim/Simulator.h>

#include <fstream>
#include <iostream>
#include <stdexcept>

#include "loader.h"
#include "lookup.h"

namespace PWPSim {

int DEBUG = 0;

Simulator::Simulator(std::string const &path) : can_use_pwp_table(false), pwp_path(path)
{
    can_use_pwp_table = !path.empty() && std::ifstream(path).is_open();
    if (DEBUG != 0) {
        std::cerr << "PWPSim: profile path '" << path << "' "
                  << (can_use_pwp_table ? "opened" : "not opened, exact forms only") << '\n';
    }
    if (!can_use_pwp_table) {
        return;
    }
    for (ProfileName const &profile : PROFILE_NAMES) {
        std::string const file = find_profile(path, profile);
        if (!file.empty()) {
            tables[profile.name] = load_table(file);
        }
    }
}

bool Simulator::use_pwp_table()
{
    return can_use_pwp_table;
}

std::function<float(float, float)> Simulator::bind_closed_form(std::string const &func)
{
    auto const bind = [this](float (Simulator::*form)(float, float)) {
        return std::bind(form, this, std::placeholders::_1, std::placeholders::_2);
    };
    if (func == "Identity") {
        return bind(&Simulator::identity);
    } else if (func == "Square") {
        return bind(&Simulator::square);
    } else if (func == "Relu") {
        return bind(&Simulator::relu);
    } else if (func == "Lrelu") {
        return bind(&Simulator::lrelu);
    } else if (func == "Prelu") {
        return bind(&Simulator::prelu);
    } else if (func == "Sigmoid") {
        return bind(&Simulator::sigmoid);
    } else if (func == "Tanh") {
        return bind(&Simulator::tanh);
    } else if (func == "Exp") {
        return bind(&Simulator::exp);
    } else if (func == "Softplus") {
        return bind(&Simulator::softplus);
    } else if (func == "Sqrt") {
        return bind(&Simulator::sqrt);
    } else if (func == "Rsqrt") {
        return bind(&Simulator::rsqrt);
    } else if (func == "Ln") {
        return bind(&Simulator::ln);
    } else if (func == "Erf") {
        return bind(&Simulator::erf);
    } else if (func == "Sin") {
        return bind(&Simulator::sin);
    } else if (func == "Arctan") {
        return bind(&Simulator::arctan);
    } else if (func == "Sign") {
        return bind(&Simulator::sign);
    } else if (func == "Gelu") {
        return bind(&Simulator::gelu);
    } else if (func == "Mish") {
        return bind(&Simulator::mish);
    } else if (func == "Gelu_apprx_tanh") {
        return bind(&Simulator::gelu_apprx_tanh);
    } else if (func == "Gelu_apprx_sigmoid") {
        return bind(&Simulator::gelu_apprx_sigmoid);
    } else if (func == "Derivative_Gelu_apprx_sigmoid") {
        return bind(&Simulator::derivative_gelu_apprx_sigmoid);
    } else if (func == "Derivative_Gelu") {
        return bind(&Simulator::derivative_gelu);
    } else if (func == "Derivative_Erf") {
        return bind(&Simulator::derivative_erf);
    } else if (func == "Copy") {
        return bind(&Simulator::copy);
    } else if (func == "Abs") {
        return bind(&Simulator::abs);
    } else if (func == "Reciprocal") {
        return bind(&Simulator::reciprocal);
    } else if (func == "Abs_reciprocal_sqrt") {
        return bind(&Simulator::abs_reciprocal_sqrt);
    } else if (func == "Silu") {
        return bind(&Simulator::silu);
    } else if (func == "Derivative_silu") {
        return bind(&Simulator::derivative_silu);
    } else if (func == "Ln_prime") {
        return bind(&Simulator::ln_prime);
    } else if (func == "MemsetZero") {
        return bind(&Simulator::memset_zero);
    }
    throw std::runtime_error("Unsupported activation function Simulator::simulation: " + func);
}

std::function<float(float, float)> Simulator::bind_function(std::string const &func, bool use_pwp)
{
    std::function<float(float, float)> const closed_form = bind_closed_form(func);
    if (!use_pwp || !can_use_pwp_table || func == "Prelu") {
        return closed_form;
    }
    auto const table = tables.find(func);
    if (table == tables.end()) {
        throw std::runtime_error("No pwp table for activation function " + func);
    }
    return std::bind(&Simulator::evaluate_generic, this, std::ref(table->second), std::placeholders::_1,
                     std::placeholders::_2);
}

void Simulator::simulate(std::string const &func, float *out, float const *in, float scale, float bias, float alpha,
                         int count, bool use_pwp)
{
    // What the two parameters do, whatever they are called: see the header.
    float const addend = scale;
    float const multiplier = bias;

    std::function<float(float, float)> const function = bind_function(func, use_pwp);
    for (int i = 0; i < count; i++) {
        float const product = multiplier * in[i];
        float const x = product + addend;
        out[i] = function(x, alpha);
    }
}

float Simulator::simulate(std::string const &func, float x, float alpha, bool use_pwp)
{
    std::function<float(float, float)> const function = bind_function(func, use_pwp);
    return function(x, alpha);
}

}  // namespace PWPSim
