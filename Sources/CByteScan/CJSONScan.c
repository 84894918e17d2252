// Stage 1 of reading JSON, after simdjson (Langdale and Lemire, 2019): 64 bytes become bitmaps, strings are told from
// the rest by the prefix xor of their quotes, and only the ends of strings are written down.
#include "CJSONScan.h"

#include <stdbool.h>
#include <string.h>

#include "BitPositions.h"
#include "PrefixXor.h"

#define INLINE static inline __attribute__((always_inline))

/// Bit i is about byte i of the word. `special`: below 0x20 or above 0x7F.
typedef struct {
    uint64_t quote, backslash, special, newline;
} text_masks;

typedef struct {
    uint64_t open, close;
} bracket_masks;

typedef struct {
    uint64_t escape, in_string, special;
} text_state;

/// `inside`: bytes of strings from the opening quote on, without the closing one. `broken`: newlines inside strings.
typedef struct {
    uint64_t inside, closing, broken;
} string_masks;

// Bytes after an odd run of backslashes. The subtraction carries through each run and so finds its parity.
INLINE uint64_t escaped_bytes(uint64_t backslash, uint64_t *carry) {
    const uint64_t odd = 0xAAAAAAAAAAAAAAAAULL;
    if (backslash == 0) {
        uint64_t escaped = *carry;
        *carry = 0;
        return escaped;
    }
    uint64_t potential = backslash & ~*carry;
    uint64_t codes = (((potential << 1) | odd) - potential) ^ odd;
    uint64_t escaped = codes ^ (backslash | *carry);
    *carry = (codes & backslash) >> 63;
    return escaped;
}

INLINE string_masks strings_of(uint64_t quote, uint64_t parity, uint64_t newline, uint64_t *in_string) {
    string_masks masks = {parity ^ *in_string, 0, 0};
    uint64_t wrong = newline & masks.inside;
    while (__builtin_expect(wrong != 0, 0)) {
        uint64_t first = wrong & -wrong;
        masks.inside ^= ~(first - 1);
        masks.broken |= first;
        wrong = newline & masks.inside;
    }
    masks.closing = quote & ~masks.inside;
    *in_string = (uint64_t)((int64_t)masks.inside >> 63);
    return masks;
}

// Adding the special bytes of a string to its run of ones carries out of the run, onto its closing quote, exactly when
// there is one; the carry out of the word hands this on to the next.
INLINE uint64_t special_closings(string_masks strings, uint64_t special, uint64_t *carry) {
    unsigned long long out;
    uint64_t sum = __builtin_addcll(strings.inside, special & strings.inside, *carry, &out);
    *carry = out;
    return (sum & strings.closing) | strings.broken;
}

INLINE size_t write_entries(uint64_t emitted, uint64_t flagged, size_t position, uint32_t *out) {
    size_t count = 0;
    while (emitted != 0) {
        uint32_t bit = (uint32_t)__builtin_ctzll(emitted);
        out[count++] = (((uint32_t)position + bit) << 1) | (uint32_t)((flagged >> bit) & 1);
        emitted &= emitted - 1;
    }
    return count;
}

// MARK: Portable: eight bytes at a time in a 64-bit register

INLINE uint64_t gather_bits(uint64_t highs) { return ((highs >> 7) * 0x0102040810204080ULL) >> 56; }

INLINE uint64_t zero_bytes(uint64_t word) {
    const uint64_t low = 0x7F7F7F7F7F7F7F7FULL;
    return ~(((word & low) + low) | word | low);
}

INLINE uint64_t load_word(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

#define REPEAT(byte) (0x0101010101010101ULL * (byte))

INLINE text_masks text_portable(const uint8_t *bytes) {
    text_masks masks = {0, 0, 0, 0};
    for (int part = 0; part < 8; part++) {
        uint64_t word = load_word(bytes + 8 * part);
        uint64_t controls = zero_bytes(word & REPEAT(0xE0));
        masks.quote |= gather_bits(zero_bytes(word ^ REPEAT('"'))) << (8 * part);
        masks.backslash |= gather_bits(zero_bytes(word ^ REPEAT('\\'))) << (8 * part);
        masks.newline |= gather_bits(zero_bytes(word ^ REPEAT('\n'))) << (8 * part);
        masks.special |= gather_bits(controls | (word & REPEAT(0x80))) << (8 * part);
    }
    return masks;
}

INLINE bracket_masks brackets_portable(const uint8_t *bytes) {
    bracket_masks masks = {0, 0};
    for (int part = 0; part < 8; part++) {
        uint64_t word = load_word(bytes + 8 * part) | REPEAT(0x20);
        masks.open |= gather_bits(zero_bytes(word ^ REPEAT('{'))) << (8 * part);
        masks.close |= gather_bits(zero_bytes(word ^ REPEAT('}'))) << (8 * part);
    }
    return masks;
}

#define write_entries_portable write_entries
#define LEVEL(name) name##_portable
#define TARGET
#include "CJSONScanLevel.h"
#undef LEVEL
#undef TARGET

#if defined(__x86_64__)
#include <immintrin.h>

// MARK: AVX2

#define AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,pclmul")))

INLINE AVX2 uint64_t prefix_xor_avx2(uint64_t bits) {
    __m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, (int64_t)bits), _mm_set1_epi8(-1), 0);
    return (uint64_t)_mm_cvtsi128_si64(product);
}

INLINE AVX2 uint64_t join_avx2(__m256i low, __m256i high) {
    return (uint32_t)_mm256_movemask_epi8(low) | ((uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32);
}

INLINE AVX2 uint64_t equal_avx2(__m256i low, __m256i high, char byte) {
    __m256i wanted = _mm256_set1_epi8(byte);
    return join_avx2(_mm256_cmpeq_epi8(low, wanted), _mm256_cmpeq_epi8(high, wanted));
}

INLINE AVX2 text_masks text_avx2(const uint8_t *bytes) {
    __m256i low = _mm256_loadu_si256((const __m256i *)bytes);
    __m256i high = _mm256_loadu_si256((const __m256i *)(bytes + 32));
    __m256i space = _mm256_set1_epi8(0x20);
    text_masks masks;
    masks.quote = equal_avx2(low, high, '"');
    masks.backslash = equal_avx2(low, high, '\\');
    masks.newline = equal_avx2(low, high, '\n');
    // Signed: bytes above 0x7F are negative.
    masks.special = join_avx2(_mm256_cmpgt_epi8(space, low), _mm256_cmpgt_epi8(space, high));
    return masks;
}

INLINE AVX2 bracket_masks brackets_avx2(const uint8_t *bytes) {
    __m256i bit = _mm256_set1_epi8(0x20);
    __m256i low = _mm256_or_si256(_mm256_loadu_si256((const __m256i *)bytes), bit);
    __m256i high = _mm256_or_si256(_mm256_loadu_si256((const __m256i *)(bytes + 32)), bit);
    bracket_masks masks = {equal_avx2(low, high, '{'), equal_avx2(low, high, '}')};
    return masks;
}

/// Eight bits at a time, whatever their number: no jump to guess. Each store writes eight entries; those past the last
/// are overwritten by the next. Few words have a flag.
INLINE AVX2 size_t write_entries_avx2(uint64_t emitted, uint64_t flagged, size_t position, uint32_t *out) {
    if (__builtin_expect(flagged != 0, 0)) { return write_entries(emitted, flagged, position, out); }
    uint32_t *next = out;
    __m256i base = _mm256_set1_epi32((int32_t)((uint32_t)position << 1));
#pragma clang loop unroll(full)
    for (int byte = 0; byte < 8; byte++) {
        unsigned bits = (emitted >> (8 * byte)) & 0xFF;
        __m256i places = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)&positions_of[bits]));
        _mm256_storeu_si256((__m256i *)next, _mm256_add_epi32(base, _mm256_slli_epi32(places, 1)));
        base = _mm256_add_epi32(base, _mm256_set1_epi32(16));
        next += __builtin_popcount(bits);
    }
    return (size_t)(next - out);
}

#define LEVEL(name) name##_avx2
#define TARGET AVX2
#include "CJSONScanLevel.h"
#undef LEVEL
#undef TARGET

// MARK: AVX-512 with VBMI2

#define AVX512 \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi,bmi2,lzcnt,popcnt,pclmul")))

INLINE AVX512 uint64_t prefix_xor_avx512(uint64_t bits) {
    __m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, (int64_t)bits), _mm_set1_epi8(-1), 0);
    return (uint64_t)_mm_cvtsi128_si64(product);
}

INLINE AVX512 text_masks text_avx512(const uint8_t *bytes) {
    __m512i word = _mm512_loadu_si512(bytes);
    text_masks masks;
    masks.quote = _mm512_cmpeq_epi8_mask(word, _mm512_set1_epi8('"'));
    masks.backslash = _mm512_cmpeq_epi8_mask(word, _mm512_set1_epi8('\\'));
    masks.newline = _mm512_cmpeq_epi8_mask(word, _mm512_set1_epi8('\n'));
    masks.special = _mm512_cmplt_epi8_mask(word, _mm512_set1_epi8(0x20));
    return masks;
}

INLINE AVX512 bracket_masks brackets_avx512(const uint8_t *bytes) {
    __m512i word = _mm512_or_si512(_mm512_loadu_si512(bytes), _mm512_set1_epi8(0x20));
    bracket_masks masks = {
        _mm512_cmpeq_epi8_mask(word, _mm512_set1_epi8('{')), _mm512_cmpeq_epi8_mask(word, _mm512_set1_epi8('}'))};
    return masks;
}

/// Twice the place of each byte: with the flag in the lowest bit it is an entry, but for the word's own position.
static const uint8_t doubled_places[64] __attribute__((aligned(64))) = {
    0,  2,  4,  6,  8,  10, 12, 14, 16, 18, 20,  22,  24,  26,  28,  30,  32,  34,  36,  38,  40, 42,
    44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64,  66,  68,  70,  72,  74,  76,  78,  80,  82,  84, 86,
    88, 90, 92, 94, 96, 98, 100, 102, 104, 106, 108, 110, 112, 114, 116, 118, 120, 122, 124, 126};

INLINE AVX512 size_t write_entries_avx512(uint64_t emitted, uint64_t flagged, size_t position, uint32_t *out) {
    __m512i places = _mm512_load_si512(doubled_places);
    __m512i noted = _mm512_mask_add_epi8(places, flagged, places, _mm512_set1_epi8(1));
    __m512i packed = _mm512_maskz_compress_epi8(emitted, noted);
    __m512i base = _mm512_set1_epi32((int32_t)((uint32_t)position << 1));
    size_t count = (size_t)__builtin_popcountll(emitted);
    // Whole vectors are stored: the caller leaves room for a word's worth of entries.
    _mm512_storeu_si512(out, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(packed))));
    if (__builtin_expect(count > 16, 0)) {
        __m128i second = _mm512_extracti32x4_epi32(packed, 1), third = _mm512_extracti32x4_epi32(packed, 2);
        __m128i fourth = _mm512_extracti32x4_epi32(packed, 3);
        _mm512_storeu_si512(out + 16, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(second)));
        _mm512_storeu_si512(out + 32, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(third)));
        _mm512_storeu_si512(out + 48, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(fourth)));
    }
    return count;
}

#define LEVEL(name) name##_avx512
#define TARGET AVX512
#include "CJSONScanLevel.h"
#undef LEVEL
#undef TARGET
#endif

int32_t cjson_best_level(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    bool narrow = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")
        && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("pclmul");
    bool wide = narrow && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi")
        && __builtin_cpu_supports("avx512vbmi2");
    return wide ? CJSON_AVX512 : narrow ? CJSON_AVX2 : CJSON_PORTABLE;
#else
    return CJSON_PORTABLE;
#endif
}

size_t cjson_index(int32_t level, const uint8_t *bytes, size_t from, size_t to, uint32_t *entries) {
#if defined(__x86_64__)
    if (level == CJSON_AVX512) { return index_avx512(bytes, from, to, entries); }
    if (level == CJSON_AVX2) { return index_avx2(bytes, from, to, entries); }
#endif
    return index_portable(bytes, from, to, entries);
}

size_t cjson_find_close(int32_t level, const uint8_t *bytes, size_t from, size_t to, cjson_nesting *nesting) {
#if defined(__x86_64__)
    if (level == CJSON_AVX512) { return find_close_avx512(bytes, from, to, nesting); }
    if (level == CJSON_AVX2) { return find_close_avx2(bytes, from, to, nesting); }
#endif
    return find_close_portable(bytes, from, to, nesting);
}
