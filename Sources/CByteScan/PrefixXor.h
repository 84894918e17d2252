#ifndef PREFIX_XOR_H
#define PREFIX_XOR_H

#include <stdint.h>

// Bit i of the result is the parity of bits 0 to i: from quotes to what lies between them.
static inline __attribute__((always_inline)) uint64_t prefix_xor_portable(uint64_t bits) {
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    bits ^= bits << 32;
    return bits;
}

#endif
