#include "CCSVScan.h"

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
// that belongs to the range; `next_is_lf` speaks of the byte after the step.
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
        scan->saw_quote |= quote != 0;
        scan->saw_nul |= (masks.nul & valid) != 0;
        scan->saw_quoted_line_end |= (ends & inside) != 0;
    }
    return step;
}

static inline __attribute__((always_inline)) void csv_note_ends(struct csv_scan *scan, struct csv_step step) {
    uint64_t ends = step.ends;
    while (ends) {
        uint64_t below = (ends & -ends) - 1;
        scan->record_ends[scan->record_count++] =
            (uint32_t)(scan->separator_count + (size_t)__builtin_popcountll(step.separators & below));
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
            out[done + lane] = base + (uint32_t)(separators ? __builtin_ctzll(separators) : 0);
            separators &= separators - 1;
        }
    }
    scan->separator_count += (size_t)count;
}

static inline struct csv_masks masks_portable(const uint8_t *p, uint8_t delimiter) {
    struct csv_masks masks = {0, 0, 0, 0, 0};
    for (unsigned i = 0; i < 64; i++) {
        uint64_t bit = UINT64_C(1) << i;
        uint8_t byte = p[i];
        if (byte == '"') masks.quote |= bit;
        if (byte == delimiter) masks.delimiter |= bit;
        if (byte == '\n') masks.lf |= bit;
        if (byte == '\r') masks.cr |= bit;
        if (byte == 0) masks.nul |= bit;
    }
    return masks;
}

#define CSV_SCAN_BODY(MASKS, PREFIX_XOR, NOTE)                                                                       \
    size_t at = from;                                                                                                \
    while (at < to) {                                                                                                \
        size_t left = to - at;                                                                                       \
        unsigned last = left >= 64 ? 63 : (unsigned)left - 1;                                                        \
        uint64_t valid = ~UINT64_C(0) >> (63 - last);                                                                \
        struct csv_masks masks = MASKS(bytes + at, delimiter);                                                       \
        uint64_t next_is_lf = bytes[at + last + 1] == '\n';                                                          \
        uint64_t quote = masks.quote & valid;                                                                        \
        uint64_t inside = scan->in_quotes;                                                                           \
        if (quote) inside ^= PREFIX_XOR(quote);                                                                      \
        struct csv_step step = csv_resolve(scan, masks, valid, last, next_is_lf, inside);                            \
        if (step.broken) return at;                                                                                  \
        csv_note_ends(scan, step);                                                                                   \
        NOTE(scan, step.separators, (uint32_t)at);                                                                   \
        at += (size_t)last + 1;                                                                                      \
    }                                                                                                                \
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

static TARGET_AVX2 size_t run_avx2(
    struct csv_scan *scan, const uint8_t *bytes, size_t from, size_t to, uint8_t delimiter) {
    CSV_SCAN_BODY(masks_avx2, prefix_xor_clmul, csv_note_separators)
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
