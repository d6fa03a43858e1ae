/* Hosts with little stack, and hosts that load and unload the library in every way.
 *
 *   hosts LIBRARY PROFILES TEST
 *
 * PROFILES holds the exp table. Exit status 0 where what the test's name says holds, 77 where it cannot be tested. */
#include <pwp_sim.h>

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#define COUNT 3000

static const char *library_path;
static const char *profiles;

struct lib {
    void *handle;
    pwp_sim_status (*create)(const char *, pwp_sim **);
    void (*destroy)(pwp_sim *);
    pwp_sim_status (*simulate)(const pwp_sim *, const char *, float *, const float *, float, float, float, size_t, bool);
    pwp_sim_status (*scalar)(const pwp_sim *, const char *, float, float, bool, float *);
    const char *(*last_error)(void);
};

static void require(bool ok, const char *what)
{
    if (!ok) {
        printf("FAILED: %s\n", what);
        fflush(stdout);
        _exit(1);
    }
}

/* ISO C has no cast from an object pointer to a function's. */
static void load_call(const struct lib *lib, void *call, const char *name)
{
    void *symbol = dlsym(lib->handle, name);
    require(symbol != NULL, name);
    memcpy(call, &symbol, sizeof symbol);
}

static struct lib load(int mode)
{
    struct lib lib;
    lib.handle = dlopen(library_path, mode);
    require(lib.handle != NULL, "dlopen");
    load_call(&lib, &lib.create, "pwp_sim_create");
    load_call(&lib, &lib.destroy, "pwp_sim_destroy");
    load_call(&lib, &lib.simulate, "pwp_sim_simulate");
    load_call(&lib, &lib.scalar, "pwp_sim_simulate_scalar");
    load_call(&lib, &lib.last_error, "pwp_sim_last_error");
    return lib;
}

static struct lib lib;
static pwp_sim *sim;
static float input[COUNT];
static float expected[2][COUNT];

/* Buffers of both paths in static memory, a failing call with its text, and one element: nothing here needs stack. */
static void calls(float *out)
{
    for (int table = 0; table < 2; table++) {
        require(lib.simulate(sim, "Exp", out, input, 0.0f, 1.0f, 0.0f, COUNT, table != 0) == PWP_SIM_OK, "simulate");
        require(memcmp(out, expected[table], sizeof expected[table]) == 0, "the bits of a buffer");
        float y = 0.0f;
        require(lib.scalar(sim, "Exp", input[7], 0.0f, table != 0, &y) == PWP_SIM_OK, "the scalar form");
        require(memcmp(&y, &expected[table][7], sizeof y) == 0, "the bits of one element");
    }
}

static void failing_call(void)
{
    float y = 0.0f;
    require(lib.scalar(sim, "exp", 0.5f, 0.0f, true, &y) == PWP_SIM_UNSUPPORTED_FUNCTION, "an unknown name");
    require(strstr(lib.last_error(), "Simulator::simulation: exp") != NULL, "the text for an unknown name");
}

static void prepare(int mode)
{
    lib = load(mode);
    require(lib.create(profiles, &sim) == PWP_SIM_OK, "create");
    for (int i = 0; i < COUNT; i++) {
        input[i] = (float)(i - COUNT / 2) / 32.0f;
    }
    for (int table = 0; table < 2; table++) {
        lib.simulate(sim, "Exp", expected[table], input, 0.0f, 1.0f, 0.0f, COUNT, table != 0);
    }
}

static void *thread_of_calls(void *argument)
{
    (void)argument;
    static float out[COUNT];
    calls(out);
    failing_call();
    return NULL;
}

/* A directory with a profile that nests as deep as a file may, and lacks everything. */
static char nested[] = "/tmp/pwp-sim-nested-XXXXXX";
static char nested_file[sizeof nested + 32];

static void write_nested_profile(void)
{
    require(mkdtemp(nested) != NULL, "a directory");
    snprintf(nested_file, sizeof nested_file, "%s/exp_400p.json", nested);
    FILE *file = fopen(nested_file, "w");
    require(file != NULL, "a file");
    fputs("{\"unread\":", file);
    for (int i = 0; i < 63; i++) {
        fputs(i % 2 == 0 ? "[" : "{\"a\":", file);
    }
    fputs("1", file);
    for (int i = 62; i >= 0; i--) {
        fputs(i % 2 == 0 ? "]" : "}", file);
    }
    fputs("}", file);
    require(fclose(file) == 0, "writing");
}

static void remove_nested_profile(void)
{
    remove(nested_file);
    rmdir(nested);
}

static void *thread_of_opening(void *argument)
{
    (void)argument;
    pwp_sim *own = NULL;
    require(lib.create(profiles, &own) == PWP_SIM_OK, "create of a directory in the thread");
    lib.destroy(own);
    require(lib.create("builtin:", &own) == PWP_SIM_OK, "create in the thread");
    lib.destroy(own);
    require(lib.create("builtin:trainium#exp_and_others", &own) == PWP_SIM_OK, "create of a set in the thread");
    lib.destroy(own);
    require(lib.create(nested, &own) == PWP_SIM_PROFILE_FORMAT, "create of a bad profile in the thread");
    require(strstr(lib.last_error(), "symmetry_en: missing") != NULL, lib.last_error());
    require(lib.create("/nonexistent", &own) == PWP_SIM_PROFILE_IO, "create of a directory that is not there");
    return NULL;
}

static void on_a_stack_of(size_t size, void *(*work)(void *))
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    require(pthread_attr_setstacksize(&attributes, size) == 0, "the size of a stack");
    for (int i = 0; i < 8; i++) {
        pthread_t thread;
        require(pthread_create(&thread, &attributes, work, NULL) == 0, "a thread");
        require(pthread_join(thread, NULL) == 0, "joining it");
    }
}

/* A thread with a stack of 32 KiB computes and fails. */
static void a_thread_with_a_small_stack_can_compute(void)
{
    prepare(RTLD_NOW | RTLD_LOCAL);
    on_a_stack_of(32 * 1024, thread_of_calls);
}

/* As much is enough to open tables, in the thread that is first in the process too. */
static void a_thread_with_a_small_stack_can_open_tables(void)
{
    lib = load(RTLD_NOW | RTLD_LOCAL);
    write_nested_profile();
    on_a_stack_of(32 * 1024, thread_of_opening);
    remove_nested_profile();
}

static volatile sig_atomic_t handled;
static float handler_out[COUNT];

static void on_alarm(int signal_number)
{
    (void)signal_number;
    calls(handler_out);
    handled++;
}

/* A signal handler on an alternate stack of 16 KiB above what the kernel needs, while the same calls are under way. */
static void a_signal_handler_on_a_small_stack_can_compute(void)
{
    prepare(RTLD_NOW | RTLD_LOCAL);
    size_t size = (size_t)sysconf(_SC_MINSIGSTKSZ) + 16 * 1024;
    size = (size + 4095) / 4096 * 4096;
    char *memory = mmap(NULL, size + 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    require(memory != MAP_FAILED, "memory for the stack");
    mprotect(memory, 4096, PROT_NONE);
    stack_t stack = {.ss_sp = memory + 4096, .ss_size = size};
    require(sigaltstack(&stack, NULL) == 0, "sigaltstack");
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_alarm;
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGALRM, &action, NULL);
    struct itimerval interval = {{0, 500}, {0, 500}};
    setitimer(ITIMER_REAL, &interval, NULL);
    static float out[COUNT];
    while (handled < 500) {
        calls(out);
    }
    memset(&interval, 0, sizeof interval);
    setitimer(ITIMER_REAL, &interval, NULL);
}

static void every_mode_of_dlopen_works(void)
{
    static const int modes[] = {RTLD_LAZY | RTLD_LOCAL,  RTLD_NOW | RTLD_LOCAL,
                                RTLD_LAZY | RTLD_GLOBAL, RTLD_NOW | RTLD_GLOBAL,
                                RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        static float out[COUNT];
        prepare(modes[i]);
        calls(out);
        failing_call();
        lib.destroy(sim);
        require(dlclose(lib.handle) == 0, "dlclose");
    }
}

#define THREADS 16

static pthread_barrier_t called, closed;

static void *thread_that_outlives(void *argument)
{
    (void)argument;
    float out[COUNT]; /* not thread-local: that would be on every thread's stack, the small ones too */
    calls(out);
    failing_call(); /* which leaves a message in thread-local storage */
    pthread_barrier_wait(&called);
    pthread_barrier_wait(&closed);
    return NULL;
}

/* A thousand times: load, compute, fail, close; and threads that called in end after the last close. */
static void a_thousand_loads_and_threads_that_end_later(void)
{
    pthread_t threads[THREADS];
    for (int round = 0; round < 1000; round++) {
        prepare(RTLD_NOW | RTLD_LOCAL);
        if (round % 250 == 249) {
            pthread_barrier_init(&called, NULL, THREADS + 1);
            pthread_barrier_init(&closed, NULL, THREADS + 1);
            for (int i = 0; i < THREADS; i++) {
                require(pthread_create(&threads[i], NULL, thread_that_outlives, NULL) == 0, "a thread");
            }
            pthread_barrier_wait(&called);
        }
        failing_call();
        lib.destroy(sim);
        require(dlclose(lib.handle) == 0, "dlclose");
        if (round % 250 == 249) {
            pthread_barrier_wait(&closed);
            for (int i = 0; i < THREADS; i++) {
                require(pthread_join(threads[i], NULL) == 0, "joining a thread");
            }
        }
    }
}

/* What an allocator that was put in front must serve: tables of every kind made and freed on many threads. */
static void *thread_of_tables(void *argument)
{
    (void)argument;
    float out[COUNT];
    for (int i = 0; i < 20; i++) {
        pwp_sim *own = NULL;
        require(lib.create(i % 2 ? profiles : "builtin:", &own) == PWP_SIM_OK, "create");
        calls(out);
        failing_call();
        lib.destroy(own);
    }
    return NULL;
}

static void any_allocator_serves(void)
{
    const char *preloaded = getenv("LD_PRELOAD");
    prepare(RTLD_NOW | RTLD_LOCAL);
    if (preloaded != NULL) {
        /* The allocator must really be in front: its malloc, not that of the C library. */
        void *symbol = dlsym(RTLD_DEFAULT, "malloc");
        Dl_info info;
        require(dladdr(symbol, &info) != 0 && strstr(info.dli_fname, "libc.so") == NULL, "another malloc");
        printf("malloc of %s\n", info.dli_fname);
    }
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        require(pthread_create(&threads[i], NULL, thread_of_tables, NULL) == 0, "a thread");
    }
    for (int i = 0; i < THREADS; i++) {
        require(pthread_join(threads[i], NULL) == 0, "joining a thread");
    }
    lib.destroy(sim);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } tests[] = {
        {"a_thread_with_a_small_stack_can_compute", a_thread_with_a_small_stack_can_compute},
        {"a_thread_with_a_small_stack_can_open_tables", a_thread_with_a_small_stack_can_open_tables},
        {"a_signal_handler_on_a_small_stack_can_compute", a_signal_handler_on_a_small_stack_can_compute},
        {"every_mode_of_dlopen_works", every_mode_of_dlopen_works},
        {"a_thousand_loads_and_threads_that_end_later", a_thousand_loads_and_threads_that_end_later},
        {"any_allocator_serves", any_allocator_serves},
    };
    if (argc != 4) {
        fprintf(stderr, "usage: hosts LIBRARY PROFILES TEST\n");
        return 2;
    }
    library_path = argv[1];
    profiles = argv[2];
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        if (strcmp(tests[i].name, argv[3]) == 0) {
            tests[i].run();
            return 0;
        }
    }
    fprintf(stderr, "no test is called %s\n", argv[3]);
    return 2;
}
