/* What a library owes the process that it is a guest in: forks at any moment, threads that are short, bytes that are no
 * bool, an environment that changes.
 *
 *   guest LIBRARY TEST
 *
 * Exit status 0 where what the test's name says holds. */
#include <pwp_sim.h>

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGE = 1 << 20, SECONDS = 60 };

/* The calls, with a byte where the header has a bool. */
static struct {
    pwp_sim_status (*create)(const char *, pwp_sim **);
    void (*destroy)(pwp_sim *);
    pwp_sim_status (*simulate)(const pwp_sim *, const char *, float *, const float *, float, float, float, size_t,
                               unsigned char);
    pwp_sim_status (*simulate_scalar)(const pwp_sim *, const char *, float, float, unsigned char, float *);
    pwp_sim_status (*apply)(const pwp_sim *, pwp_sim_function, const pwp_sim_affine *, float *, const float *, size_t,
                            unsigned char);
    pwp_sim_status (*apply_parallel)(const pwp_sim *, pwp_sim_function, const pwp_sim_affine *, float *, const float *,
                                     size_t, unsigned char, size_t);
    pwp_sim_status (*apply_typed)(const pwp_sim *, pwp_sim_function, const pwp_sim_affine *, void *, pwp_sim_dtype,
                                  const void *, pwp_sim_dtype, size_t, unsigned char);
    pwp_sim_status (*apply_typed_parallel)(const pwp_sim *, pwp_sim_function, const pwp_sim_affine *, void *, pwp_sim_dtype,
                                           const void *, pwp_sim_dtype, size_t, unsigned char, size_t);
    const char *(*tier)(const pwp_sim *);
} lib;

static float in[LARGE], one[LARGE], many[LARGE];

static void require(bool ok, const char *what)
{
    if (!ok) {
        printf("FAILED: %s\n", what);
        fflush(stdout);
        _exit(1);
    }
}

/* ISO C has no cast from an object pointer to a function's. */
static void load_call(void *library, void *call, const char *name)
{
    void *symbol = dlsym(library, name);
    require(symbol != NULL, name);
    memcpy(call, &symbol, sizeof symbol);
}

static void load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    require(library != NULL, "dlopen");
    load_call(library, &lib.create, "pwp_sim_create");
    load_call(library, &lib.destroy, "pwp_sim_destroy");
    load_call(library, &lib.simulate, "pwp_sim_simulate");
    load_call(library, &lib.simulate_scalar, "pwp_sim_simulate_scalar");
    load_call(library, &lib.apply, "pwp_sim_apply");
    load_call(library, &lib.apply_parallel, "pwp_sim_apply_parallel");
    load_call(library, &lib.apply_typed, "pwp_sim_apply_typed");
    load_call(library, &lib.apply_typed_parallel, "pwp_sim_apply_typed_parallel");
    load_call(library, &lib.tier, "pwp_sim_tier");
    for (size_t i = 0; i < LARGE; i++) {
        in[i] = (float)((double)i / LARGE * 20.0 - 10.0);
    }
}

static pwp_sim *open_source(const char *source)
{
    pwp_sim *sim = NULL;
    require(lib.create(source, &sim) == PWP_SIM_OK, source);
    return sim;
}

/* Computes all of `in` on `threads` threads and on one: the same bits. */
static void compare_parallel(const pwp_sim *sim, size_t threads)
{
    memset(many, 0, sizeof many);
    require(lib.apply(sim, PWP_SIM_FUNCTION_EXP, NULL, one, in, LARGE, 1) == PWP_SIM_OK, "apply");
    require(lib.apply_parallel(sim, PWP_SIM_FUNCTION_EXP, NULL, many, in, LARGE, 1, threads) == PWP_SIM_OK,
            "apply_parallel");
    require(memcmp(one, many, sizeof one) == 0, "the bits of one thread");
}

static void wait_for(pid_t child, const char *what)
{
    int status = 0;
    require(child > 0 && waitpid(child, &status, 0) == child, "waitpid");
    require(WIFEXITED(status) && WEXITSTATUS(status) == 0, what);
}

static const char *const sources[] = {"builtin:", "builtin:trainium#exp_and_others"};

static void *open_all(void *unused)
{
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        lib.destroy(open_source(sources[i]));
    }
    return unused;
}

/* In a process of its own each time: there is but one first open. The fork comes later and later in it. */
static void a_child_forked_during_the_first_open_can_open(void)
{
    for (unsigned round = 0; round < 60; round++) {
        const pid_t process = fork();
        if (process == 0) {
            pthread_t thread;
            require(pthread_create(&thread, NULL, open_all, NULL) == 0, "pthread_create");
            usleep(round * 100);
            const pid_t child = fork();
            if (child == 0) {
                alarm(SECONDS); /* a child that hangs is ended, and so fails */
                open_all(NULL);
                pwp_sim *sim = open_source("builtin:");
                compare_parallel(sim, 0);
                _exit(0);
            }
            wait_for(child, "the child opens and computes");
            pthread_join(thread, NULL);
            _exit(0);
        }
        wait_for(process, "the process that forks");
    }
}

static void a_child_computes_on_threads_after_its_parent_did(void)
{
    pwp_sim *sim = open_source("builtin:");
    compare_parallel(sim, 0);
    for (int round = 0; round < 3; round++) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(SECONDS);
            compare_parallel(sim, 0);
            compare_parallel(sim, 2);
            _exit(0);
        }
        wait_for(child, "the child's parallel call");
    }
    compare_parallel(sim, 0);
    lib.destroy(sim);
}

static void any_number_of_threads_ends_soon(void)
{
    pwp_sim *sim = open_source("builtin:");
    alarm(SECONDS);
    const size_t counts[] = {0, 1, 2, 7, 65536, SIZE_MAX / 2, SIZE_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        compare_parallel(sim, counts[i]);
    }
    lib.destroy(sim);
}

static bool no_threads;
static unsigned asked, refused;

/* This one comes before the system's for the library too: the program exports it. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    asked++;
    if (no_threads) {
        refused++;
        return EAGAIN;
    }
    int (*system)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    void *symbol = dlsym(RTLD_NEXT, "pthread_create");
    memcpy(&system, &symbol, sizeof symbol);
    return system(thread, attributes, start, argument);
}

static void without_threads_the_caller_computes_and_nothing_is_written_to_stderr(void)
{
    char name[] = "/tmp/pwp_sim_guest_XXXXXX";
    const int file = mkstemp(name);
    require(file >= 0 && dup2(file, STDERR_FILENO) >= 0, "stderr into a file");
    unlink(name);
    no_threads = true;
    pwp_sim *sim = open_source("builtin:");
    compare_parallel(sim, 0);
    compare_parallel(sim, 4);
    require(sysconf(_SC_NPROCESSORS_ONLN) == 1 || refused > 0, "the library asked for threads");
    no_threads = false;
    compare_parallel(sim, 0);
    require(lseek(file, 0, SEEK_END) == 0, "nothing on stderr");
    lib.destroy(sim);
}

static void threads_are_started_once(void)
{
    pwp_sim *sim = open_source("builtin:");
    compare_parallel(sim, 0);
    const unsigned before = asked;
    require(sysconf(_SC_NPROCESSORS_ONLN) == 1 || before > 0, "the library asked for threads");
    for (size_t threads = 0; threads < 20; threads++) {
        compare_parallel(sim, threads);
    }
    require(asked == before, "no further threads");
    lib.destroy(sim);
}

static void every_byte_but_zero_is_true(void)
{
    pwp_sim *sim = open_source("builtin:");
    const unsigned char bytes[] = {0, 1, 2, 3, 4, 127, 128, 254, 255};
    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++) {
        /* exp(0.5) by table is 3fd308b1, by closed form 3fd3094c. */
        const uint32_t due = bytes[i] != 0 ? 0x3fd308b1 : 0x3fd3094c;
        for (size_t count = 1; count < 40; count++) {
            float x[40], y[6][40];
            for (size_t k = 0; k < count; k++) {
                x[k] = 0.5f;
            }
            require(lib.simulate(sim, "Exp", y[0], x, 0.0f, 1.0f, 0.0f, count, bytes[i]) == PWP_SIM_OK, "simulate");
            require(lib.apply(sim, PWP_SIM_FUNCTION_EXP, NULL, y[1], x, count, bytes[i]) == PWP_SIM_OK, "apply");
            require(lib.apply_parallel(sim, PWP_SIM_FUNCTION_EXP, NULL, y[2], x, count, bytes[i], 2) == PWP_SIM_OK,
                    "apply_parallel");
            require(lib.apply_typed(sim, PWP_SIM_FUNCTION_EXP, NULL, y[4], PWP_SIM_DTYPE_F32, x, PWP_SIM_DTYPE_F32, count,
                                    bytes[i]) == PWP_SIM_OK, "apply_typed");
            require(lib.apply_typed_parallel(sim, PWP_SIM_FUNCTION_EXP, NULL, y[5], PWP_SIM_DTYPE_F32, x,
                                             PWP_SIM_DTYPE_F32, count, bytes[i], 2) == PWP_SIM_OK, "apply_typed_parallel");
            for (size_t k = 0; k < count; k++) {
                require(lib.simulate_scalar(sim, "Exp", x[k], 0.0f, bytes[i], &y[3][k]) == PWP_SIM_OK, "scalar");
                for (size_t call = 0; call < 6; call++) {
                    require(memcmp(&y[call][k], &due, sizeof due) == 0, "the path of the byte");
                }
            }
        }
    }
    lib.destroy(sim);
}

static void the_environment_is_read_once(void)
{
    pwp_sim *first = open_source("builtin:");
    const char *other = strcmp(lib.tier(first), "scalar") == 0 ? "avx2" : "scalar";
    float before = 0.0f, after = 0.0f; /* of a table that folds */
    require(lib.simulate_scalar(first, "Sigmoid", -40.0f, 0.0f, 1, &before) == PWP_SIM_OK, "Sigmoid");
    require(setenv("PWP_SIM_TIER", other, 1) == 0 && setenv("PWP_SIM_FOLD", "negative", 1) == 0, "setenv");
    pwp_sim *second = open_source("builtin:");
    require(strcmp(lib.tier(first), lib.tier(second)) == 0, "the tier of the first simulator");
    require(lib.simulate_scalar(second, "Sigmoid", -40.0f, 0.0f, 1, &after) == PWP_SIM_OK, "Sigmoid");
    require(memcmp(&before, &after, sizeof before) == 0, "the fold of the first simulator");
    lib.destroy(first);
    lib.destroy(second);
}

int main(int argc, char **argv)
{
#define TEST(name) {#name, name}
    static const struct {
        const char *name;
        void (*run)(void);
    } tests[] = {
        TEST(a_child_forked_during_the_first_open_can_open),
        TEST(a_child_computes_on_threads_after_its_parent_did),
        TEST(any_number_of_threads_ends_soon),
        TEST(without_threads_the_caller_computes_and_nothing_is_written_to_stderr),
        TEST(threads_are_started_once),
        TEST(every_byte_but_zero_is_true),
        TEST(the_environment_is_read_once),
    };
    if (argc == 3) {
        for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
            if (strcmp(argv[2], tests[i].name) == 0) {
                load(argv[1]);
                tests[i].run();
                return 0;
            }
        }
    }
    fprintf(stderr, "usage: guest LIBRARY TEST\n");
    return 2;
}
