// The checks of the self-test: a count of passes and failures, bit patterns, a scratch directory, a death check.
#ifndef PWPSIM_TEST_CHECK_H
#define PWPSIM_TEST_CHECK_H

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>

#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

inline int checks_passed = 0;
inline int checks_failed = 0;

inline void check(bool ok, std::string const &what)
{
    if (ok) {
        checks_passed++;
    } else {
        checks_failed++;
        std::printf("FAILED: %s\n", what.c_str());
    }
}

inline float from_bits(std::uint32_t bits)
{
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline std::uint32_t to_bits(float value)
{
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

inline void check_bits(float value, std::uint32_t expected, std::string const &what)
{
    char text[64];
    std::snprintf(text, sizeof text, ": got %08x, expected %08x", to_bits(value), expected);
    check(to_bits(value) == expected, what + text);
}

inline void check_nan(float value, std::string const &what)
{
    char text[64];
    std::snprintf(text, sizeof text, ": got %08x, expected a NaN", to_bits(value));
    check(std::isnan(value), what + text);
}

// The call throws std::runtime_error, and its text is, or contains, the expected one.
inline void check_throws(std::function<void()> const &call, std::string const &expected, bool whole)
{
    try {
        call();
        check(false, "no exception; expected: " + expected);
    } catch (std::runtime_error const &error) {
        std::string const text = error.what();
        bool const ok = whole ? text == expected : text.find(expected) != std::string::npos;
        check(ok, "exception '" + text + "'; expected: " + expected);
    }
}

// The call aborts in a child process and its standard error contains the expected text.
inline void check_aborts(std::function<void()> const &call, std::string const &expected, std::string const &what)
{
    std::fflush(nullptr);
    int ends[2];
    if (pipe(ends) != 0) {
        throw std::runtime_error("pipe");
    }
    pid_t const child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        call();
        _exit(0);
    }
    close(ends[1]);
    std::string text;
    char buffer[512];
    ssize_t got;
    while ((got = read(ends[0], buffer, sizeof buffer)) > 0) {
        text.append(buffer, static_cast<std::size_t>(got));
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    check(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, what + ": must abort");
    check(text.find(expected) != std::string::npos, what + ": standard error is '" + text + "'");
}

// A directory under the system's temporary one, removed at the end of its scope.
class ScratchDirectory {
public:
    ScratchDirectory()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "pwp_sim_reference.XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) {
            throw std::runtime_error("mkdtemp " + pattern);
        }
        directory = pattern;
    }
    ~ScratchDirectory()
    {
        std::error_code error;
        std::filesystem::remove_all(directory, error);
    }
    ScratchDirectory(ScratchDirectory const &) = delete;
    ScratchDirectory &operator=(ScratchDirectory const &) = delete;

    std::string const &path() const
    {
        return directory;
    }
    void write(std::string const &file, std::string const &text) const
    {
        std::ofstream(directory + "/" + file, std::ios::binary) << text;
    }

private:
    std::string directory;
};

// The groups of checks, a file each.
void exact_tests();
void table_tests();
void loader_tests();

#endif  // PWPSIM_TEST_CHECK_H
