#pragma once
#include <stdint.h>

// Entry m has the positions of the bits of m in ascending order, a byte each.
#define POSITION(m, i) (((m) >> (i)) & 1 ? (uint64_t)(i) << (8 * __builtin_popcount((m) & ((1 << (i)) - 1))) : 0)
#define POSITIONS(m)                                                                                                 \
    POSITION(m, 0) | POSITION(m, 1) | POSITION(m, 2) | POSITION(m, 3) | POSITION(m, 4) | POSITION(m, 5) |            \
        POSITION(m, 6) | POSITION(m, 7)
#define POSITIONS_4(m) POSITIONS(m), POSITIONS((m) + 1), POSITIONS((m) + 2), POSITIONS((m) + 3)
#define POSITIONS_16(m) POSITIONS_4(m), POSITIONS_4((m) + 4), POSITIONS_4((m) + 8), POSITIONS_4((m) + 12)
#define POSITIONS_64(m) POSITIONS_16(m), POSITIONS_16((m) + 16), POSITIONS_16((m) + 32), POSITIONS_16((m) + 48)
static const uint64_t positions_of[256] = {POSITIONS_64(0), POSITIONS_64(64), POSITIONS_64(128), POSITIONS_64(192)};
