#include "CCSVScan.h"

#include "BitPositions.h"
#include "PrefixXor.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// One 64-byte step as bitmaps: bit i speaks of byte i.
struct csv_masks {
    uint64_t quote, delimiter, lf, cr, nul;
};

struct csv_step {
    uint64_t separators, ends;
    int broken;
};

// Turns the masks of one step into separators and record ends, and moves the state on. `valid` has a bit for each byte
// that belongs to the range; `next_is_lf` speaks of the byte after the step, `inside` has the bytes within quotes.
static inline __attribute__((always_inline)) struct csv_step csv_resolve(
    struct csv_scan *scan, struct csv_masks masks, uint64_t valid, unsigned last, uint64_t next_is_lf,
    uint64_t inside) {
    struct csv_step step;
    uint64_t quote = masks.quote & valid;
    uint64_t lf = masks.lf;
    // A CR that an LF follows is the tail of the last field, not a record end of its own.
    uint64_t ends = (lf | (masks.cr & ~((lf >> 1) | (next_is_lf << last)))) & valid;
    uint64_t any = ends | (masks.delimiter & valid);
    uint64_t outside = ~inside;
    uint64_t separators = any & outside;
    uint64_t opening = quote & inside;
    uint64_t closing = quote & outside;
    uint64_t may_open = (separators << 1) | scan->after_separator | (quote << 1) | scan->after_quote;
    uint64_t follows_close = ((closing << 1) | scan->after_close) & valid;
    uint64_t may_follow = any | quote | (masks.cr & valid);
    step.broken = ((opening & ~may_open) | (follows_close & ~may_follow)) != 0;
    step.separators = separators;
    step.ends = ends & outside;
    if (!step.broken) {
        scan->in_quotes = (inside >> last) & 1 ? ~UINT64_C(0) : 0;
        scan->after_separator = (separators >> last) & 1;
        scan->after_quote = (quote >> last) & 1;
        scan->after_close = (closing >> last) & 1;
        scan->saw_quoted_line_end |= (ends & inside) != 0;
    }
    return step;
}

// The same where no byte is a quote, none lies within quotes, and none follows a closing quote: most steps.
static inline __attribute__((always_inline)) struct csv_step csv_resolve_plain(
    struct csv_scan *scan, struct csv_masks masks, uint64_t valid, unsigned last, uint64_t next_is_lf) {
    struct csv_step step;
    step.ends = (masks.lf | (masks.cr & ~((masks.lf >> 1) | (next_is_lf << last)))) & valid;
    step.separators = step.ends | (masks.delimiter & valid);
    step.broken = 0;
    scan->after_separator = (step.separators >> last) & 1;
    scan->after_quote = 0;
    return step;
}

static inline __attribute__((always_inline)) void csv_note_ends(struct csv_scan *scan, struct csv_step step) {
    uint64_t ends = step.ends;
    uint32_t *out = scan->record_ends + scan->record_count;
    uint32_t before = (uint32_t)scan->separator_count;
    // Most steps have one end or none: it is written in any case, since a jump would be guessed wrong a step in three.
    uint64_t below = (ends & -ends) - 1;
    out[0] = before + (uint32_t)__builtin_popcountll(step.separators & below);
    scan->record_count += ends != 0;
    ends &= ends - 1;
    while (__builtin_expect(ends != 0, 0)) {
        below = (ends & -ends) - 1;
        scan->record_ends[scan->record_count++] =
            before + (uint32_t)__builtin_popcountll(step.separators & below);
        ends &= ends - 1;
    }
}

static inline __attribute__((always_inline)) void csv_note_separators(
    struct csv_scan *scan, uint64_t separators, uint32_t base) {
    uint32_t *out = scan->separators + scan->separator_count;
    int count = __builtin_popcountll(separators);
    for (int done = 0; done < count; done += 4) {
        // Past the last bit this writes positions that the next step overwrites; `separators` has room for them.
        for (int lane = 0; lane < 4; lane++) {
            out[done + lane] = base + (uint32_t)(__builtin_ctzll(separators | UINT64_C(1) << 63));
            separators &= separators - 1;
        }
    }
    scan->separator_count += (size_t)count;
}

// A bit for each of eight bytes that is `byte`. The first byte in memory is the lowest of the word: little-endian, as
// everything this is built for.
static inline __attribute__((always_inline)) uint64_t equal_in_word(uint64_t word, uint8_t byte) {
    const uint64_t low_bits = UINT64_C(0x7F7F7F7F7F7F7F7F);
    uint64_t differing = word ^ (UINT64_C(0x0101010101010101) * byte);
    // The top bit of each byte that differs in no bit.
    uint64_t equal = ~(((differing & low_bits) + low_bits) | differing | low_bits);
    return ((equal >> 7) * UINT64_C(0x0102040810204080)) >> 56;
}

static inline struct csv_masks masks_portable(const uint8_t *p, uint8_t delimiter) {
    struct csv_masks masks = {0, 0, 0, 0, 0};
    for (unsigned at = 0; at < 64; at += 8) {
        uint64_t word;
        __builtin_memcpy(&word, p + at, 8);
        masks.quote |= equal_in_word(word, '"') << at;
        masks.delimiter |= equal_in_word(word, delimiter) << at;
        masks.lf |= equal_in_word(word, '\n') << at;
        masks.cr |= equal_in_word(word, '\r') << at;
        masks.nul |= equal_in_word(word, 0) << at;
    }
    return masks;
}

// One step at `at`, of `last` + 1 bytes; leaves the loop if it is broken.
#define CSV_STEP(MASKS, PREFIX_XOR, NOTE, LAST)                                                                      \
    {                                                                                                                \
        const unsigned last = (LAST);                                                                                \
        const uint64_t valid = ~UINT64_C(0) >> (63 - last);                                                          \
        struct csv_masks masks = MASKS(bytes + at, delimiter);                                                       \
        uint64_t next_is_lf = bytes[at + last + 1] == '\n';                                                          \
        uint64_t quote = masks.quote & valid;                                                                        \
        struct csv_step step;                                                                                        \
        if (__builtin_expect((quote | scan->in_quotes | scan->after_close) == 0, 1)) {                                \
            step = csv_resolve_plain(scan, masks, valid, last, next_is_lf);                                          \
        } else {                                                                                                     \
            uint64_t inside = scan->in_quotes;                                                                       \
            if (quote) inside ^= PREFIX_XOR(quote);                                                                  \
            step = csv_resolve(scan, masks, valid, last, next_is_lf, inside);                                        \
            if (step.broken) return at;                                                                              \
            if (quote) scan->quoted_steps[scan->quoted_step_count++] = (uint32_t)at;                                 \
        }                                                                                                            \
        scan->saw_nul |= (masks.nul & valid) != 0;                                                                   \
        csv_note_ends(scan, step);                                                                                   \
        NOTE(scan, step.separators, (uint32_t)at);                                                                   \
        at += (size_t)last + 1;                                                                                      \
    }

#define CSV_SCAN_BODY(MASKS, PREFIX_XOR, NOTE)                                                                       \
    size_t at = from;                                                                                                \
    while (to - at >= 64) CSV_STEP(MASKS, PREFIX_XOR, NOTE, 63)                                                      \
    if (at < to) CSV_STEP(MASKS, PREFIX_XOR, NOTE, (unsigned)(to - at) - 1)                                          \
    return to;

static size_t run_portable(struct csv_scan *scan, const uint8_t *bytes, size_t from, size_t to, uint8_t delimiter) {
    CSV_SCAN_BODY(masks_portable, prefix_xor_portable, csv_note_separators)
}

#if defined(__x86_64__)

#define TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt,pclmul")))
#define TARGET_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2,bmi,bmi2,popcnt,pclmul")))

static inline TARGET_AVX2 uint64_t equal_avx2(__m256i low, __m256i high, uint8_t byte) {
    __m256i wanted = _mm256_set1_epi8((char)byte);
    uint64_t first = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted));
    uint64_t second = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted));
    return first | (second << 32);
}

static inline TARGET_AVX2 struct csv_masks masks_avx2(const uint8_t *p, uint8_t delimiter) {
    __m256i low = _mm256_loadu_si256((const __m256i *)p);
    __m256i high = _mm256_loadu_si256((const __m256i *)(p + 32));
    struct csv_masks masks = {
        equal_avx2(low, high, '"'), equal_avx2(low, high, delimiter), equal_avx2(low, high, '\n'),
        equal_avx2(low, high, '\r'), equal_avx2(low, high, 0),
    };
    return masks;
}

static inline TARGET_AVX2 uint64_t prefix_xor_clmul(uint64_t bits) {
    __m128i ones = _mm_set1_epi8((char)0xFF);
    return (uint64_t)_mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)bits), ones, 0));
}

// Eight bits at a time, whatever their number: no jump to guess. Each store writes eight positions; those past the last
// are overwritten by the next.
static inline TARGET_AVX2 void note_avx2(struct csv_scan *scan, uint64_t separators, uint32_t base) {
    uint32_t *out = scan->separators + scan->separator_count;
    __m256i offset = _mm256_set1_epi32((int)base);
#pragma clang loop unroll(full)
    for (int byte = 0; byte < 8; byte++) {
        unsigned bits = (separators >> (8 * byte)) & 0xFF;
        __m256i positions = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)&positions_of[bits]));
        _mm256_storeu_si256((__m256i *)out, _mm256_add_epi32(positions, offset));
        offset = _mm256_add_epi32(offset, _mm256_set1_epi32(8));
        out += _mm_popcnt_u32(bits);
    }
    scan->separator_count += (size_t)_mm_popcnt_u64(separators);
}

static TARGET_AVX2 size_t run_avx2(
    struct csv_scan *scan, const uint8_t *bytes, size_t from, size_t to, uint8_t delimiter) {
    CSV_SCAN_BODY(masks_avx2, prefix_xor_clmul, note_avx2)
}

static inline TARGET_AVX512 struct csv_masks masks_avx512(const uint8_t *p, uint8_t delimiter) {
    __m512i chunk = _mm512_loadu_si512((const void *)p);
    struct csv_masks masks = {
        _mm512_cmpeq_epi8_mask(chunk, _mm512_set1_epi8('"')),
        _mm512_cmpeq_epi8_mask(chunk, _mm512_set1_epi8((char)delimiter)),
        _mm512_cmpeq_epi8_mask(chunk, _mm512_set1_epi8('\n')),
        _mm512_cmpeq_epi8_mask(chunk, _mm512_set1_epi8('\r')),
        _mm512_testn_epi8_mask(chunk, chunk),
    };
    return masks;
}

static inline TARGET_AVX512 uint64_t prefix_xor_avx512(uint64_t bits) {
    __m128i ones = _mm_set1_epi8((char)0xFF);
    return (uint64_t)_mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)bits), ones, 0));
}

static inline TARGET_AVX512 void note_avx512(struct csv_scan *scan, uint64_t separators, uint32_t base) {
    const __m512i iota = _mm512_set_epi8(
        63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36,
        35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7,
        6, 5, 4, 3, 2, 1, 0);
    uint32_t *out = scan->separators + scan->separator_count;
    __m512i packed = _mm512_maskz_compress_epi8((__mmask64)separators, iota);
    __m512i offset = _mm512_set1_epi32((int)base);
    int count = _mm_popcnt_u64(separators);
    // Each store writes 16 positions; those past `count` are overwritten by the next step.
    _mm512_storeu_si512(out, _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(packed)), offset));
    if (count > 16) {
        _mm512_storeu_si512(
            out + 16, _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(packed, 1)), offset));
    }
    if (count > 32) {
        _mm512_storeu_si512(
            out + 32, _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(packed, 2)), offset));
        _mm512_storeu_si512(
            out + 48, _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(packed, 3)), offset));
    }
    scan->separator_count += (size_t)count;
}

static TARGET_AVX512 size_t run_avx512(
    struct csv_scan *scan, const uint8_t *bytes, size_t from, size_t to, uint8_t delimiter) {
    CSV_SCAN_BODY(masks_avx512, prefix_xor_avx512, note_avx512)
}

int csv_scan_best_level(void) {
    __builtin_cpu_init();
    int base = __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("pclmul");
    if (base && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vbmi2")) {
        return CSV_SCAN_AVX512;
    }
    return base && __builtin_cpu_supports("avx2") ? CSV_SCAN_AVX2 : CSV_SCAN_PORTABLE;
}

#else

int csv_scan_best_level(void) { return CSV_SCAN_PORTABLE; }

#endif

size_t csv_scan_run(
    struct csv_scan *scan, const uint8_t *bytes, size_t from, size_t to, uint8_t delimiter, int level) {
#if defined(__x86_64__)
    if (level == CSV_SCAN_AVX512) return run_avx512(scan, bytes, from, to, delimiter);
    if (level == CSV_SCAN_AVX2) return run_avx2(scan, bytes, from, to, delimiter);
#endif
    (void)level;
    return run_portable(scan, bytes, from, to, delimiter);
}
