// Memory that runs out while tables load: every call says so, the process lives, and the next load succeeds.
//
//   LD_PRELOAD=libstarve.so memory LIBRARY PROFILES TEST SOURCE
//
// PROFILES is where the build writes its profiles. TEST is `create`, `construct` (the C++ class), `catalog` or `limit`;
// SOURCE is `builtin`, `set`, `directory`, `threads` (a directory that is read on several), `long` (one with a long path),
// `bad` (one that is refused) or `images`. Each allocation of a load fails in turn: alone, and with all after it.
#include <pwp_sim.h>

#include <dlfcn.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const char *what, long n)
{
    std::printf("FAILED at %ld: %s\n", n, what);
    std::fflush(stdout);
    _exit(1);
}

struct Calls {
    pwp_sim_status (*create)(const char *, pwp_sim **);
    void (*destroy)(pwp_sim *);
    pwp_sim_status (*scalar)(const pwp_sim *, const char *, float, float, bool, float *);
    pwp_sim_status (*open)(const char *, pwp_sim_catalog **);
    void (*close)(pwp_sim_catalog *);
    size_t (*count)(const pwp_sim_catalog *);
    const char *(*last_error)();
    void (*construct)(void *, const std::string &);
    float (*simulate)(void *, const std::string &, float, float, bool);
    void (*destruct)(void *);
    void (*starve)(long, bool);
    long (*starved)();
} calls;

template <typename Call> void load(void *handle, Call &call, const char *name)
{
    void *symbol = dlsym(handle, name);
    if (symbol == nullptr)
        fail(name, 0);
    std::memcpy(&call, &symbol, sizeof symbol);
}

enum class Result { Loaded, NoMemory, Refused, Wrong };

std::string test, source;
bool refused = false; // what the load of the source comes to

// exp(0.5) of its table.
bool right(float y)
{
    unsigned bits;
    std::memcpy(&bits, &y, sizeof bits);
    return bits == 0x3fd308b1;
}

Result result(pwp_sim_status status)
{
    switch (status) {
    case PWP_SIM_OK: return Result::Loaded;
    case PWP_SIM_NO_MEMORY: return Result::NoMemory;
    case PWP_SIM_PROFILE_FORMAT: return Result::Refused;
    default: std::printf("%s\n", calls.last_error()); return Result::Wrong;
    }
}

// Loads once with the allocator as it is armed, which is disarmed before anything else.
Result once()
{
    if (test == "construct") {
        alignas(16) unsigned char object[96];
        try {
            calls.construct(object, source);
        } catch (const std::bad_alloc &) {
            calls.starve(0, false);
            return Result::NoMemory;
        } catch (const std::runtime_error &) {
            calls.starve(0, false);
            return Result::Refused;
        }
        calls.starve(0, false);
        bool ok = right(calls.simulate(object, "Exp", 0.5f, 0.0f, true));
        calls.destruct(object);
        return ok ? Result::Loaded : Result::Wrong;
    }
    if (test == "catalog") {
        pwp_sim_catalog *catalog = nullptr;
        Result found = result(calls.open(source.c_str(), &catalog));
        calls.starve(0, false);
        if ((found == Result::Loaded) != (catalog != nullptr) || (catalog && calls.count(catalog) == 0))
            return Result::Wrong;
        calls.close(catalog);
        return found;
    }
    pwp_sim *sim = nullptr;
    pwp_sim_status status = calls.create(source.c_str(), &sim);
    calls.starve(0, false);
    Result found = result(status);
    if ((found == Result::Loaded) != (sim != nullptr))
        return Result::Wrong;
    float y = 0.0f;
    if (sim && (calls.scalar(sim, "Exp", 0.5f, 0.0f, true, &y) != PWP_SIM_OK || !right(y)))
        return Result::Wrong;
    if (found == Result::NoMemory && std::strcmp(calls.last_error(), "out of memory") != 0)
        return Result::Wrong;
    calls.destroy(sim);
    return found;
}

struct Job {
    long n;
    bool on;
    Result result;
    long starved;
};

void *job(void *argument)
{
    Job &job = *static_cast<Job *>(argument);
    calls.starve(job.n, job.on);
    job.result = once();
    job.starved = calls.starved();
    return nullptr;
}

// A load on a new thread: nothing of the library's is there for it yet.
Job run(long n, bool on)
{
    Job it{n, on, Result::Wrong, 0};
    pthread_t thread;
    if (pthread_create(&thread, nullptr, job, &it) != 0 || pthread_join(thread, nullptr) != 0)
        fail("a thread", n);
    return it;
}

long open_files()
{
    long count = 0;
    for ([[maybe_unused]] const auto &entry : fs::directory_iterator("/proc/self/fd"))
        count++;
    return count;
}

Result due() { return refused ? Result::Refused : Result::Loaded; }

// The load in a process of its own gives what is due, with memory.
void loads_in_a_child(long n)
{
    pid_t child = fork();
    if (child == 0)
        _exit(run(0, false).result == due() ? 0 : 1);
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0)
        fail("the load after", n);
}

// Fails from the n-th allocation on, for all n from `first`, until a load comes to its end and so may have left tables
// behind. The n with which to go on in a process without any; 0 where a load came to its end untouched.
long from(long first, bool on)
{
    long files = open_files();
    for (long n = first;; n++) {
        Job it = run(n, on);
        if (it.starved == 0) {
            if (it.result != due())
                fail("an untouched load", n);
            return 0;
        }
        if (it.result == due()) {
            if (run(0, false).result != due() || open_files() != files)
                fail("the load after one that did without", n);
            return n + 1;
        }
        if (it.result != Result::NoMemory)
            fail("the result", n);
        if (n % 64 == 0)
            loads_in_a_child(n);
        if (open_files() != files)
            fail("files that stay open", n);
    }
}

// All n, in as many processes as it takes.
void every_allocation(bool on)
{
    long first = 1, processes = 0;
    while (first != 0) {
        int pipes[2];
        if (pipe(pipes) != 0)
            fail("a pipe", first);
        pid_t child = fork();
        if (child == 0) {
            long next = from(first, on);
            _exit(write(pipes[1], &next, sizeof next) == sizeof next ? 0 : 1);
        }
        close(pipes[1]);
        int status = 0;
        long next = 0;
        bool told = read(pipes[0], &next, sizeof next) == sizeof next;
        if (waitpid(child, &status, 0) != child || status != 0 || !told)
            fail("the process, which ended", first);
        close(pipes[0]);
        std::printf("%s %s: %s%ld\n", test.c_str(), on ? "all from n on" : "the n-th", next == 0 ? "untouched after " : "to ",
                    next == 0 ? first : next - 1);
        first = next;
        processes++;
    }
    std::printf("%s: every allocation, in %ld processes\n", test.c_str(), processes);
}

// Limits of the address space, from what the process has upwards.
void every_limit()
{
    long loaded = 0, without = 0;
    for (long more = 0; loaded < 3; more += 32 << 10) {
        pid_t child = fork();
        if (child == 0) {
            test = "create";
            std::ifstream statm("/proc/self/statm");
            long pages = 0;
            statm >> pages;
            statm.close();
            rlimit limit{};
            getrlimit(RLIMIT_AS, &limit);
            rlimit tight{static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE) + more), limit.rlim_max};
            setrlimit(RLIMIT_AS, &tight);
            Result found = once();
            setrlimit(RLIMIT_AS, &limit);
            if (found == Result::Wrong || found == Result::Refused || once() != Result::Loaded)
                fail("a limit in bytes", more);
            _exit(found == Result::Loaded ? 0 : 2);
        }
        int status = 0;
        if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) == 1)
            fail("the process, with a limit in bytes", more);
        (WEXITSTATUS(status) == 0 ? loaded : without)++;
        if (more > 256 << 20)
            fail("no limit is enough", more);
    }
    if (without < 3)
        fail("no limit was too tight", without);
    std::printf("limits: %ld too tight\n", without);
}

// A directory of copies of the exp table under these names, each with so much white space.
void write_copies(const fs::path &directory, const fs::path &exp, std::initializer_list<const char *> names, size_t padding)
{
    fs::create_directories(directory);
    std::ifstream in(exp);
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    for (const char *name : names) {
        std::ofstream out(directory / name);
        out << text << std::string(padding, ' ');
        if (!out.flush())
            fail("a directory to read", 0);
    }
}

void set_source(const std::string &kind, const fs::path &profiles)
{
    fs::path scratch = fs::current_path() / ("memory-" + test + "-" + kind), exp = profiles / "builtin/exp_400p.json";
    if (kind == "builtin") {
        source = test == "catalog" ? "builtin:trainium" : "builtin:";
    } else if (kind == "set") {
        source = "builtin:trainium#0";
    } else if (kind == "directory") {
        source = profiles / "hand";
    } else if (kind == "images") {
        source = profiles / "images/catalog";
        for (int set = 0; test != "catalog"; set++) {
            std::string name = "set" + std::to_string(set);
            if (fs::exists(profiles / "images/profiles" / name / "exp_400p.json")) {
                source += "#" + name;
                break;
            }
            if (set == 100)
                fail("a set with exp", set);
        }
    } else if (kind == "threads") {
        write_copies(scratch, exp, {"exp_400p.json", "gelu_4p.json", "tanh_4p.json"}, 1 << 20);
        source = scratch;
    } else if (kind == "long") {
        fs::path path = scratch;
        for (int depth = 0; depth < 4; depth++)
            path /= std::string(200, 'd');
        write_copies(path, exp, {"exp_400p.json"}, 0);
        source = path;
    } else if (kind == "bad") {
        write_copies(scratch, exp, {"exp_400p.json"}, 0);
        std::ofstream(scratch / "gelu_4p.json") << R"({"symmetry_en": 3, "pos_exponents": [{"exponent": "a"}]})";
        source = scratch;
        refused = true;
    } else {
        fail("no such source", 0);
    }
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    test = argv[3];
    set_source(argv[4], argv[2]);
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        fail(dlerror(), 0);
    load(library, calls.create, "pwp_sim_create");
    load(library, calls.destroy, "pwp_sim_destroy");
    load(library, calls.scalar, "pwp_sim_simulate_scalar");
    load(library, calls.open, "pwp_sim_catalog_open");
    load(library, calls.close, "pwp_sim_catalog_close");
    load(library, calls.count, "pwp_sim_catalog_count");
    load(library, calls.last_error, "pwp_sim_last_error");
    load(library, calls.construct, "_ZN6PWPSim9SimulatorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
    load(library, calls.simulate,
         "_ZN6PWPSim9Simulator8simulateERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEffb");
    load(library, calls.destruct, "_ZN6PWPSim9SimulatorD1Ev");
    load(RTLD_DEFAULT, calls.starve, "starve");
    load(RTLD_DEFAULT, calls.starved, "starved");
    if (test == "limit") {
        every_limit();
    } else {
        every_allocation(false);
        every_allocation(true);
    }
    return 0;
}
