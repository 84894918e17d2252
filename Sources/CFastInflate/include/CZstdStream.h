#ifndef CZSTDSTREAM_H
#define CZSTDSTREAM_H

#include <stddef.h>
#include <stdint.h>

// zstd data by libzstd, which is looked for when it is used (libzstd.so.1): a program runs without it, and needs none of its
// headers to be built.
//
// One thread at a time uses a stream. Positions never leave the ranges that a call is given.

struct zstd_stream;

enum zstd_stream_status {
    // More input or more room for output is needed.
    ZSTD_STREAM_GO_ON = 0,
    // A frame has ended, and all of its output was written. Another may follow.
    ZSTD_STREAM_END = 1,
    ZSTD_STREAM_DAMAGED = -1,
};

// NULL where the library is not installed or memory is short.
struct zstd_stream *zstd_stream_make(void);
void zstd_stream_free(struct zstd_stream *stream);

// Reads from `*input`, which has `*input_count` bytes, and writes to `*output`, which has room for `*output_count`; moves all
// four on by what was read and written.
enum zstd_stream_status zstd_stream_run(
    struct zstd_stream *stream, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count);

#endif
