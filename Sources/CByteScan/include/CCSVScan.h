#pragma once

#include <stddef.h>
#include <stdint.h>

// Which instructions a scan may use. `csv_scan_best_level` tells what this processor has.
enum {
    CSV_SCAN_PORTABLE = 0,
    CSV_SCAN_AVX2 = 1,
    CSV_SCAN_AVX512 = 2,
};

// What a scan carries from one call to the next, and what it has found.
struct csv_scan {
    // In: where separators (delimiters and record ends outside quotes) are written, as positions from `bytes`. Must
    // have room for one entry a byte scanned, and 64 more.
    uint32_t *separators;
    // In: where the index (into `separators`) of each record end is written. Room as for `separators`.
    uint32_t *record_ends;
    // In: where the position of each 64-byte step with a quote in it is written. Must have room for one entry for each 64
    // bytes scanned, and 2 more.
    uint32_t *quoted_steps;
    size_t separator_count;
    size_t record_count;
    size_t quoted_step_count;
    // All ones inside a quoted field, else 0.
    uint64_t in_quotes;
    // 1 if the byte before is a separator outside quotes (or there is none), i.e. a quote may open here.
    uint64_t after_separator;
    // 1 if the byte before is a quote.
    uint64_t after_quote;
    // 1 if the byte before is a closing quote.
    uint64_t after_close;
    // Set where a NUL byte was met.
    uint32_t saw_nul;
    // Set where a line end was met inside a quoted field.
    uint32_t saw_quoted_line_end;
};

int csv_scan_best_level(void);

// Scans bytes[from ..< to). A record ends at LF, CRLF (its LF) or a CR that no LF follows, outside quotes; the byte at
// `to` is looked at for that. Returns `to`, or the position of the first 64-byte step in which a quote breaks
// RFC 4180 (it opens inside a field, or text follows a closing quote); nothing of that step is reported and the state
// is the one before it, so that the caller can decide that stretch byte by byte.
size_t csv_scan_run(
    struct csv_scan *scan, const uint8_t *bytes, size_t from, size_t to, uint8_t delimiter, int level);
