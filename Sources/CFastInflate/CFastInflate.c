#include "CFastInflate.h"

#if defined(__linux__) && __has_include(<isa-l/igzip_lib.h>)

#include <dlfcn.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>

struct fast_inflate {
    void *library;
    void (*reset)(struct inflate_state *);
    int (*run)(struct inflate_state *);
    struct inflate_state state;
};

// Whether the library that was found is the one that the header describes: it inflates an "a".
static int understands(struct fast_inflate *inflater) {
    static const uint8_t stream[] = {0x4B, 0x04, 0x00};
    uint8_t byte = 0, *output = &byte;
    const uint8_t *input = stream;
    size_t left = sizeof stream, room = 1;
    fast_inflate_begin(inflater);
    return fast_inflate_run(inflater, &input, &left, &output, &room) == FAST_INFLATE_END && left == 0 && room == 0 &&
           byte == 'a' && fast_inflate_crc(inflater) == 0xE8B7BE43 && fast_inflate_length(inflater) == 1;
}

// Behind the state, for a library whose state is a little larger than the header's.
static const size_t slack = 1 << 16;

struct fast_inflate *fast_inflate_make(void) {
    // The name of the interface that the header describes.
    void *library = dlopen("libisal.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library) return NULL;
    void (*init)(struct inflate_state *) = (void (*)(struct inflate_state *))dlsym(library, "isal_inflate_init");
    struct fast_inflate *inflater = calloc(1, sizeof *inflater + slack);
    if (inflater) {
        inflater->library = library;
        inflater->reset = (void (*)(struct inflate_state *))dlsym(library, "isal_inflate_reset");
        inflater->run = (int (*)(struct inflate_state *))dlsym(library, "isal_inflate");
        if (init && inflater->reset && inflater->run) {
            init(&inflater->state);
            if (understands(inflater)) {
                fast_inflate_begin(inflater);
                return inflater;
            }
        }
        free(inflater);
    }
    dlclose(library);
    return NULL;
}

void fast_inflate_free(struct fast_inflate *inflater) {
    if (!inflater) return;
    // The state holds the last 64 KiB of the output.
    volatile uint8_t *bytes = (volatile uint8_t *)&inflater->state;
    for (size_t at = 0; at < sizeof inflater->state; at++) bytes[at] = 0;
    dlclose(inflater->library);
    free(inflater);
}

void fast_inflate_begin(struct fast_inflate *inflater) {
    inflater->reset(&inflater->state);
    // The CRC is counted; header and trailer are the caller's.
    inflater->state.crc_flag = ISAL_GZIP_NO_HDR;
}

static uint32_t clamped(size_t count) { return count > UINT32_MAX ? UINT32_MAX : (uint32_t)count; }

enum fast_inflate_status fast_inflate_run(
    struct fast_inflate *inflater, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count) {
    struct inflate_state *state = &inflater->state;
    uint32_t given = clamped(*input_count), room = clamped(*output_count);
    state->next_in = (uint8_t *)*input;
    state->avail_in = given;
    state->next_out = *output;
    state->avail_out = room;
    int status = inflater->run(state);
    *input += given - state->avail_in;
    *input_count -= given - state->avail_in;
    *output += room - state->avail_out;
    *output_count -= room - state->avail_out;
    state->next_in = NULL;
    state->next_out = NULL;
    if (status < 0 || status == ISAL_NEED_DICT) return FAST_INFLATE_DAMAGED;
    return state->block_state == ISAL_BLOCK_FINISH ? FAST_INFLATE_END : FAST_INFLATE_GO_ON;
}

uint32_t fast_inflate_crc(const struct fast_inflate *inflater) { return inflater->state.crc; }

uint32_t fast_inflate_length(const struct fast_inflate *inflater) { return inflater->state.total_out; }

size_t fast_inflate_unread(struct fast_inflate *inflater, uint8_t unread[8]) {
    // The stream ends within a byte; whole bytes begin after its last bits.
    uint64_t bits = inflater->state.read_in >> (inflater->state.read_in_length % 8);
    size_t count = inflater->state.read_in_length > 0 ? (size_t)inflater->state.read_in_length / 8 : 0;
    for (size_t at = 0; at < count && at < 8; at++) unread[at] = (uint8_t)(bits >> (8 * at));
    inflater->state.read_in_length = 0;
    inflater->state.read_in = 0;
    return count < 8 ? count : 8;
}

#else

struct fast_inflate *fast_inflate_make(void) { return NULL; }
void fast_inflate_free(struct fast_inflate *inflater) { (void)inflater; }
void fast_inflate_begin(struct fast_inflate *inflater) { (void)inflater; }
enum fast_inflate_status fast_inflate_run(
    struct fast_inflate *inflater, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count) {
    (void)inflater;
    (void)input;
    (void)input_count;
    (void)output;
    (void)output_count;
    return FAST_INFLATE_DAMAGED;
}
uint32_t fast_inflate_crc(const struct fast_inflate *inflater) {
    (void)inflater;
    return 0;
}
uint32_t fast_inflate_length(const struct fast_inflate *inflater) {
    (void)inflater;
    return 0;
}
size_t fast_inflate_unread(struct fast_inflate *inflater, uint8_t unread[8]) {
    (void)inflater;
    (void)unread;
    return 0;
}

#endif
