#pragma once
#include <stddef.h>
#include <stdint.h>

/// How wide the scan works. Every level gives the same answers.
enum {
    CJSON_PORTABLE = 0,
    CJSON_AVX2 = 1,
    CJSON_AVX512 = 2,
};

/// What is known between two words of one text: all bits set or none for `in_string`, 0 or 1 for `escape`.
typedef struct {
    uint64_t in_string;
    uint64_t escape;
    int64_t depth;
} cjson_nesting;

/// The widest level that this processor has.
int32_t cjson_best_level(void);

/// Notes the closing quote of every string in `bytes[from..<to]`, which must start outside a string.
///
/// An entry is `position << 1 | special`; special means that the string holds a backslash, a control character or a
/// byte above 0x7F and must be looked at. No JSON string holds a raw newline, so a newline ends the string it is in: it
/// is noted as a special entry of its own, and the text after it starts afresh.
/// Room: `to - from + 80` entries. Reads nothing outside `from..<to`; `to` is below 2^31.
/// Four entries of all ones follow the last. Returns the number of entries.
size_t cjson_index(
    int32_t level, const uint8_t *_Nonnull bytes, size_t from, size_t to, uint32_t *_Nonnull entries);

/// Finds the bracket that brings `nesting.depth` to 0, counting `{[` and `}]` outside strings from `from` on.
/// Returns its position, or `to` when it is not there; `nesting` then tells how to go on at `to`.
size_t cjson_find_close(
    int32_t level, const uint8_t *_Nonnull bytes, size_t from, size_t to, cjson_nesting *_Nonnull nesting);
