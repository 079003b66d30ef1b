// Reports the operations of Swift's Mutex to ThreadSanitizer.
//
// On Linux, a Synchronization.Mutex is one word. Without contention, locking and unlocking it are atomic
// exchanges in our own code, which the sanitizer sees. With contention, the kernel passes the word from one
// thread to the other (FUTEX_LOCK_PI and FUTEX_UNLOCK_PI), in code that is not instrumented. Data under a
// mutex then seem to race. This file wraps those functions of libswiftSynchronization, and reports the order that
// they establish. It suppresses no report: a race outside a mutex, or under another one, is still found.
//
// The script `run` builds it and loads it (LD_PRELOAD).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Swift's calling convention passes the mutex in a separate register.
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex

// Weak, because programs without the sanitizer are started with this library loaded too.
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
