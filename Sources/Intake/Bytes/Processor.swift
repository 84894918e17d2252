#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Lets another thread run; for waits that are shorter than a sleep.
func yieldProcessor() {
    sched_yield()
}
