// Tells the thread sanitizer of `Mutex`, for LD_PRELOAD. On Linux a Mutex is a futex whose fast paths are compiled into the
// caller, where the sanitizer sees them. The slow ones, of a lock that another thread holds, are in libswiftSynchronization,
// which is not instrumented (Swift 6.3, stdlib/public/Synchronization/Mutex/LinuxImpl.swift): without this every
// contended Mutex looks like no lock at all. A list of suppressions would hide true races beside the false ones.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

// Absent in a program that is not instrumented, such as `swift test` itself.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

SWIFT void lock_slow(uint32_t thread, SELF) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT bool try_lock_slow(SELF) __asm__("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
SWIFT void unlock_slow(SELF) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

SWIFT void lock_slow(uint32_t thread, SELF) {
    SWIFT void (*original)(uint32_t, SELF) = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    original(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool try_lock_slow(SELF) {
    SWIFT bool (*original)(SELF) = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
    bool is_locked = original(self);
    if (is_locked && __tsan_acquire) __tsan_acquire(self);
    return is_locked;
}

SWIFT void unlock_slow(SELF) {
    SWIFT void (*original)(SELF) = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
    if (__tsan_release) __tsan_release(self);
    original(self);
}
