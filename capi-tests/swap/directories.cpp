// What a path gives, and directories that change behind a simulator's back.
#include "outcome.h"
#include "parts.h"
#include "text.h"

#include <filesystem>
#include <fstream>

#include <unistd.h>

using PWPSim::Simulator;
namespace fs = std::filesystem;

namespace {

void show(std::string const &path)
{
    Simulator simulator(path);
    say("path '%s': %s kept '%s'", path.c_str(), fingerprint(simulator).c_str(), simulator.pwp_path.c_str());
}

void changes()
{
    // A directory of this process's own; its name is not printed.
    fs::path const scratch = "scratch-" + std::to_string(getpid());
    fs::remove_all(scratch);
    fs::create_directory(scratch);
    auto const put = [&](char const *from) {
        fs::copy_file(from, scratch / "exp_400p.json", fs::copy_options::overwrite_existing);
    };
    auto const all = [](std::vector<Simulator> &simulators) {
        for (Simulator &simulator : simulators) {
            say("  built earlier: %s", fingerprint(simulator).c_str());
        }
    };
    std::vector<Simulator> simulators;
    auto const step = [&](char const *what) {
        simulators.emplace_back(scratch.string());
        say("%s: %s", what, fingerprint(simulators.back()).c_str());
    };
    step("an empty directory");
    put("p/exp_400p.json");
    step("a file came");
    put("p/gelu_4p.json");
    step("the file changed");
    put("p/exp_400p.json");
    step("the file is as before");
    fs::copy_file("p/tanh_4p.json", scratch / "tanh_4p.json");
    step("another file came");
    fs::remove(scratch / "exp_400p.json");
    step("the first file went");
    fs::remove_all(scratch);
    step("the directory went");
    simulators.front() = simulators[2];
    all(simulators);
}

}  // namespace

void part_directories()
{
    for (char const *path : {"p", "p/", "./p//", "a_directory_with_a_long_name", "a_directory_with_a_long_name/", "",
                             "absent", "an_absent_directory_with_a_long_name", "empty", "p/exp_400p.json", "standin",
                             "holes", "/dev/null", "p#exp", "absent#exp", "p/exp_400p.json#exp", "a_#_b"}) {
        show(path);
    }
    for (std::size_t length : {14u, 15u, 16u, 17u, 300u, 5000u}) {
        std::string path(length, '/');
        path.replace(0, 2, "./");
        path.back() = 'p';
        show(path);
    }
    changes();
    say("a profile that does not parse: %s", refusal([] { Simulator("bad"); }, "Failed to parse pwp file").c_str());
}
