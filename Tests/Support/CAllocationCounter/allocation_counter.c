// Counts allocations, in tests only. These functions replace those of the C library in a program that is
// linked to them, for the program and for all libraries that it loads.

#include "allocation_counter.h"

// A sanitizer replaces the same functions by its own, and would then see no allocation.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ALLOCATIONS_BELONG_TO_A_SANITIZER
#endif
#endif

#if defined(__linux__) && defined(__GLIBC__) && !defined(ALLOCATIONS_BELONG_TO_A_SANITIZER)

#include <errno.h>
#include <stddef.h>

// The C library's own functions, by the names that it exports for this purpose.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// The counter is in the program itself, so that reading it never allocates.
static _Thread_local int64_t count __attribute__((tls_model("initial-exec")));

void *malloc(size_t size) {
    count++;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count++;
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count++;
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    count++;
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

int64_t allocation_count_of_thread(void) { return count; }

#else

int64_t allocation_count_of_thread(void) { return -1; }

#endif
