/* What concerns the whole process: fork, threads that outlive a dlclose, control bits while loading, the locale.
 *
 *   process LIBRARY PROFILES TEST
 *
 * PROFILES holds the exp table. Exit status 0 where what the test's name says holds, 77 where it cannot be tested. */
#include <pwp_sim.h>

#include <dlfcn.h>
#include <locale.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xmmintrin.h>

#define SKIPPED 77

static const char *library_path;
static const char *profiles;

static struct {
    void *handle;
    pwp_sim_status (*create)(const char *, pwp_sim **);
    void (*destroy)(pwp_sim *);
    pwp_sim_status (*simulate_scalar)(const pwp_sim *, const char *, float, float, bool, float *);
    const char *(*last_error)(void);
} lib;

static void require(bool ok, const char *what)
{
    if (!ok) {
        printf("FAILED: %s\n", what);
        fflush(stdout);
        _exit(1);
    }
}

/* ISO C has no cast from an object pointer to a function's. */
static void load_call(void *call, const char *name)
{
    void *symbol = dlsym(lib.handle, name);
    require(symbol != NULL, name);
    memcpy(call, &symbol, sizeof symbol);
}

static void load(void)
{
    lib.handle = dlopen(library_path, RTLD_NOW | RTLD_LOCAL);
    require(lib.handle != NULL, "dlopen");
    load_call(&lib.create, "pwp_sim_create");
    load_call(&lib.destroy, "pwp_sim_destroy");
    load_call(&lib.simulate_scalar, "pwp_sim_simulate_scalar");
    load_call(&lib.last_error, "pwp_sim_last_error");
}

static pwp_sim *open_profiles(void)
{
    pwp_sim *sim = NULL;
    require(lib.create(profiles, &sim) == PWP_SIM_OK, "create");
    return sim;
}

/* exp(0.5) by table is 3fd308b1, by closed form 3fd3094c; an unknown name fails with its text. */
static void check_calls(const pwp_sim *sim)
{
    static const uint32_t by_table = 0x3fd308b1, by_form = 0x3fd3094c;
    float y = 0.0f;
    require(lib.simulate_scalar(sim, "Exp", 0.5f, 0.0f, true, &y) == PWP_SIM_OK, "status of the table path");
    require(memcmp(&y, &by_table, sizeof y) == 0, "bits of the table path");
    require(lib.simulate_scalar(sim, "Exp", 0.5f, 0.0f, false, &y) == PWP_SIM_OK, "status of the exact path");
    require(memcmp(&y, &by_form, sizeof y) == 0, "bits of the exact path");
    require(lib.simulate_scalar(sim, "exp", 0.5f, 0.0f, true, &y) == PWP_SIM_UNSUPPORTED_FUNCTION, "an unknown name");
    require(strstr(lib.last_error(), "Simulator::simulation: exp") != NULL, "the text for an unknown name");
}

static volatile bool stop;

static void *call_until_stopped(void *sim)
{
    while (!stop) {
        check_calls(sim);
    }
    return NULL;
}

static int a_forked_child_can_call(void)
{
    pthread_t threads[2];
    load();
    pwp_sim *sim = open_profiles();
    for (int i = 0; i < 2; i++) {
        require(pthread_create(&threads[i], NULL, call_until_stopped, sim) == 0, "pthread_create");
    }
    for (int round = 0; round < 50; round++) {
        const pid_t child = fork();
        require(child >= 0, "fork");
        if (child == 0) {
            alarm(20); /* a child that hangs is ended, and so fails */
            check_calls(sim);
            pwp_sim *second = open_profiles();
            check_calls(second);
            lib.destroy(second);
            _exit(0);
        }
        int status = 0;
        require(waitpid(child, &status, 0) == child, "waitpid");
        require(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child's calls");
    }
    stop = true;
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    lib.destroy(sim);
    return 0;
}

static pthread_barrier_t barrier;

/* Leaves this thread's last error behind, which is freed when the thread ends. */
static void *call_then_wait(void *sim)
{
    check_calls(sim);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return NULL;
}

static int a_thread_ends_after_dlclose(void)
{
    pthread_t thread;
    load();
    pwp_sim *sim = open_profiles();
    require(pthread_barrier_init(&barrier, NULL, 2) == 0, "pthread_barrier_init");
    require(pthread_create(&thread, NULL, call_then_wait, sim) == 0, "pthread_create");
    pthread_barrier_wait(&barrier);
    lib.destroy(sim);
    require(dlclose(lib.handle) == 0, "dlclose");
    pthread_barrier_wait(&barrier);
    require(pthread_join(thread, NULL) == 0, "pthread_join");
    return 0;
}

static int loading_keeps_control_bits(void)
{
    const unsigned flags = 0x3f;
    const unsigned saved = _mm_getcsr();
    for (unsigned control = 0; control < 2; control++) {
        /* Round up, flush, treat denormals as zero; then the default. */
        const unsigned wanted = control == 0 ? ((saved & ~flags) | 0xc040) : (saved & ~flags);
        const pid_t child = fork();
        require(child >= 0, "fork");
        if (child == 0) {
            _mm_setcsr(wanted);
            load();
            require((_mm_getcsr() & ~flags) == wanted, "control bits after dlopen");
            pwp_sim *sim = open_profiles();
            require((_mm_getcsr() & ~flags) == wanted, "control bits after create");
            float y;
            lib.simulate_scalar(sim, "Exp", 0.5f, 0.0f, true, &y);
            lib.destroy(sim);
            require((_mm_getcsr() & ~flags) == wanted, "control bits after a call");
            _exit(0);
        }
        int status = 0;
        require(waitpid(child, &status, 0) == child, "waitpid");
        require(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child");
    }
    return 0;
}

static int locale_changes_nothing(void)
{
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        printf("SKIPPED: no locale de_DE.UTF-8 here\n");
        return SKIPPED;
    }
    char text[16];
    snprintf(text, sizeof text, "%.1f", 0.5);
    require(strcmp(text, "0,5") == 0, "the locale has a decimal comma");
    load();
    pwp_sim *sim = open_profiles();
    check_calls(sim);
    lib.destroy(sim);
    require(strcmp(setlocale(LC_ALL, NULL), "de_DE.UTF-8") == 0, "the locale is as it was");
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } tests[] = {
        {"a_forked_child_can_call", a_forked_child_can_call},
        {"a_thread_ends_after_dlclose", a_thread_ends_after_dlclose},
        {"loading_keeps_control_bits", loading_keeps_control_bits},
        {"locale_changes_nothing", locale_changes_nothing},
    };
    if (argc == 4) {
        library_path = argv[1];
        profiles = argv[2];
        for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
            if (strcmp(argv[3], tests[i].name) == 0) {
                return tests[i].run();
            }
        }
    }
    fprintf(stderr, "usage: process LIBRARY PROFILES TEST\n");
    return 2;
}
