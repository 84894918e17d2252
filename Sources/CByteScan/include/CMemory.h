#pragma once

#if defined(__GLIBC__) || defined(__linux__)
#include <malloc.h>

// Large blocks get memory of their own, which goes back to the system when they are freed.
static inline void memory_return_large_blocks(size_t threshold_bytes) {
    mallopt(M_MMAP_THRESHOLD, (int)threshold_bytes);
}
#else
static inline void memory_return_large_blocks(unsigned long threshold_bytes) { (void)threshold_bytes; }
#endif
