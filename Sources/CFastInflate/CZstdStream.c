#include "CZstdStream.h"

#if defined(__linux__) || defined(__APPLE__)

#include <dlfcn.h>
#include <stdlib.h>

// As zstd.h has them; they are part of its stable interface.
struct zstd_in {
    const void *bytes;
    size_t size, position;
};

struct zstd_out {
    void *bytes;
    size_t size, position;
};

struct zstd_stream {
    void *library;
    void *context;
    size_t (*release)(void *);
    size_t (*run)(void *, struct zstd_out *, struct zstd_in *);
    unsigned (*is_error)(size_t);
};

// ZSTD_d_windowLogMax: files that need more than 128 MiB at a time are refused.
enum { zstd_window_parameter = 100, zstd_window_log = 27 };

static void *open_library(void) {
#if defined(__APPLE__)
    return dlopen("libzstd.1.dylib", RTLD_NOW | RTLD_LOCAL);
#else
    return dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
#endif
}

struct zstd_stream *zstd_stream_make(void) {
    void *library = open_library();
    if (!library) return NULL;
    void *(*make)(void) = (void *(*)(void))dlsym(library, "ZSTD_createDCtx");
    size_t (*set)(void *, int, int) = (size_t(*)(void *, int, int))dlsym(library, "ZSTD_DCtx_setParameter");
    struct zstd_stream *stream = calloc(1, sizeof *stream);
    if (stream) {
        stream->library = library;
        stream->release = (size_t(*)(void *))dlsym(library, "ZSTD_freeDCtx");
        stream->run = (size_t(*)(void *, struct zstd_out *, struct zstd_in *))dlsym(library, "ZSTD_decompressStream");
        stream->is_error = (unsigned (*)(size_t))dlsym(library, "ZSTD_isError");
        if (make && set && stream->release && stream->run && stream->is_error) {
            stream->context = make();
            if (stream->context) {
                set(stream->context, zstd_window_parameter, zstd_window_log);
                return stream;
            }
        }
        free(stream);
    }
    dlclose(library);
    return NULL;
}

void zstd_stream_free(struct zstd_stream *stream) {
    if (!stream) return;
    stream->release(stream->context);
    dlclose(stream->library);
    free(stream);
}

enum zstd_stream_status zstd_stream_run(
    struct zstd_stream *stream, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count) {
    struct zstd_in in = {*input, *input_count, 0};
    struct zstd_out out = {*output, *output_count, 0};
    size_t left = stream->run(stream->context, &out, &in);
    *input += in.position;
    *input_count -= in.position;
    *output += out.position;
    *output_count -= out.position;
    if (stream->is_error(left)) return ZSTD_STREAM_DAMAGED;
    return left == 0 ? ZSTD_STREAM_END : ZSTD_STREAM_GO_ON;
}

#else

struct zstd_stream *zstd_stream_make(void) { return NULL; }
void zstd_stream_free(struct zstd_stream *stream) { (void)stream; }
enum zstd_stream_status zstd_stream_run(
    struct zstd_stream *stream, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count) {
    (void)stream;
    (void)input;
    (void)input_count;
    (void)output;
    (void)output_count;
    return ZSTD_STREAM_DAMAGED;
}

#endif
