#ifndef CFASTINFLATE_H
#define CFASTINFLATE_H

#include <stddef.h>
#include <stdint.h>

#include "CZstdStream.h"

// Bare deflate data by ISA-L, which inflates three to four times as fast as zlib. The library is looked for when it is used
// (libisal.so.2): a program that was built beside its header runs without it too.
//
// One thread at a time uses an inflater. Positions never leave the ranges that a call is given.

struct fast_inflate;

enum fast_inflate_status {
    // More input or more room for output is needed.
    FAST_INFLATE_GO_ON = 0,
    // The stream has ended, and all of its output was written.
    FAST_INFLATE_END = 1,
    FAST_INFLATE_DAMAGED = -1,
};

// NULL where the library is not installed, was not there when this was built, or memory is short.
struct fast_inflate *fast_inflate_make(void);
void fast_inflate_free(struct fast_inflate *inflater);

// Begins a stream: its first byte is the next of the input.
void fast_inflate_begin(struct fast_inflate *inflater);

// Reads from `*input`, which has `*input_count` bytes, and writes to `*output`, which has room for `*output_count`; moves all
// four on by what was read and written.
enum fast_inflate_status fast_inflate_run(
    struct fast_inflate *inflater, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count);

// After the end of a stream: CRC-32 and length (modulo 2^32) of its output.
uint32_t fast_inflate_crc(const struct fast_inflate *inflater);
uint32_t fast_inflate_length(const struct fast_inflate *inflater);

// After the end of a stream: the bytes behind it that were read already, at most 8, in their order. Returns how many.
size_t fast_inflate_unread(struct fast_inflate *inflater, uint8_t unread[8]);

#endif
