// Tells ThreadSanitizer what Swift's Mutex does.
//
// On Linux, a Synchronization.Mutex is one word. Taken and given back without a rival it is an atomic exchange in our own
// code, which the sanitizer sees. With a rival the kernel moves the word from one thread to the other
// (FUTEX_LOCK_PI and FUTEX_UNLOCK_PI), in code that is not instrumented, so that data under a mutex seem to race. Here
// these two functions of libswiftSynchronization are wrapped, and the order that they establish is reported. No report is
// suppressed: a race beside a mutex, or under another one, is found as before.
//
// Built and loaded (LD_PRELOAD) by the script `run`.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Swift's calling convention: the mutex comes in a register of its own.
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex

// Other programs than ours are started with this loaded, and have no sanitizer.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

static void *original(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) abort();
    return function;
}

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void lock_slow(uint32_t thread, SELF)
{
    ((SWIFT void (*)(uint32_t, SELF))original(LOCK))(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT _Bool try_lock_slow(SELF) __asm__(TRY_LOCK);
SWIFT _Bool try_lock_slow(SELF)
{
    _Bool is_taken = ((SWIFT _Bool (*)(SELF))original(TRY_LOCK))(mutex);
    if (is_taken && __tsan_acquire) __tsan_acquire(mutex);
    return is_taken;
}

SWIFT void unlock_slow(SELF) __asm__(UNLOCK);
SWIFT void unlock_slow(SELF)
{
    if (__tsan_release) __tsan_release(mutex);
    ((SWIFT void (*)(SELF))original(UNLOCK))(mutex);
}
