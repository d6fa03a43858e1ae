// What a call came to: see outcome.h.
#include "outcome.h"
#include "text.h"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include <sys/wait.h>
#include <unistd.h>

using PWPSim::Simulator;

std::string refusal(std::function<void()> const &call, std::string const &words)
{
    std::fflush(nullptr);
    int ends[2];
    if (pipe(ends) != 0) {
        std::abort();
    }
    pid_t const child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        try {
            call();
            _exit(1);
        } catch (std::runtime_error const &error) {
            dprintf(STDERR_FILENO, "%s\n", error.what());
            _exit(2);
        }
    }
    close(ends[1]);
    std::string said;
    char block[4096];
    for (ssize_t count; (count = read(ends[0], block, sizeof block)) > 0;) {
        said.append(block, static_cast<std::size_t>(count));
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    bool const aborted = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
    bool const threw = WIFEXITED(status) && WEXITSTATUS(status) == 2;
    if (!aborted && !threw) {
        return "not refused";
    }
    return said.find(words) != std::string::npos ? "refused" : "refused in other words: " + said;
}

std::string thrown(std::function<void()> const &call)
{
    try {
        call();
    } catch (std::runtime_error const &error) {
        return error.what();
    }
    return "nothing";
}

std::string throws_runtime_error(std::function<void()> const &call)
{
    return thrown(call) == "nothing" ? "no" : "yes";
}

std::string fingerprint(Simulator &simulator)
{
    std::string line = simulator.use_pwp_table() ? "table" : "exact";
    for (char const *name : {"Exp", "Identity", "Gelu", "Tanh"}) {
        try {
            line += " " + text(simulator.simulate(name, 0.75f, 0.0f, true));
        } catch (std::runtime_error const &) {
            line += " none";
        }
    }
    return line;
}
