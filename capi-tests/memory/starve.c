/* The C library's allocator, with calls that fail on demand: a library for LD_PRELOAD.
 *
 * starve(n, on) arms it: of the allocations from now on, by any thread, the n-th (from 1) fails, and with `on` every later
 * one too. starve(0, false) disarms it. starved() is how many failed since it was armed. */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_long left, failed;
static atomic_bool armed, all;

void starve(long n, bool on)
{
    atomic_store(&armed, false);
    atomic_store(&left, n);
    if (n > 0)
        atomic_store(&failed, 0);
    atomic_store(&all, on);
    atomic_store(&armed, n > 0);
}

long starved(void)
{
    return atomic_load(&failed);
}

static bool fails(void)
{
    if (!atomic_load(&armed))
        return false;
    long before = atomic_fetch_sub(&left, 1);
    if (before != 1 && !(before < 1 && atomic_load(&all)))
        return false;
    atomic_fetch_add(&failed, 1);
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return size != 0 && fails() ? NULL : __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    void *new = memalign(alignment, size);
    if (new == NULL)
        return ENOMEM;
    *block = new;
    return 0;
}
