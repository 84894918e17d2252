// The two scans, once for each level: LEVEL(name) gives the level's own function, TARGET its attribute.

TARGET static size_t LEVEL(index)(
    const uint8_t *bytes, size_t from, size_t to, uint32_t *entries) {
    text_state state = {0, 0, 0};
    size_t count = 0;
    uint8_t tail[64];
    for (size_t position = from; position < to; position += 64) {
        const uint8_t *word = bytes + position;
        if (__builtin_expect(to - position < 64, 0)) {
            memset(tail, ' ', sizeof tail);
            memcpy(tail, word, to - position);
            word = tail;
        }
        text_masks masks = LEVEL(text)(word);
        uint64_t quote = masks.quote & ~escaped_bytes(masks.backslash, &state.escape);
        string_masks strings = strings_of(quote, LEVEL(prefix_xor)(quote), masks.newline, &state.in_string);
        uint64_t flagged = special_closings(strings, masks.special | masks.backslash, &state.special);
        uint64_t emitted = strings.closing | strings.broken;
        count += LEVEL(write_entries)(emitted, flagged, position, entries + count);
    }
    for (int extra = 0; extra < 4; extra++) { entries[count + (size_t)extra] = UINT32_MAX; }
    return count;
}

TARGET static size_t LEVEL(find_close)(const uint8_t *bytes, size_t from, size_t to, cjson_nesting *nesting) {
    uint8_t tail[64];
    for (size_t position = from; position < to; position += 64) {
        const uint8_t *word = bytes + position;
        size_t length = to - position;
        if (__builtin_expect(length < 64, 0)) {
            memset(tail, 0, sizeof tail);
            memcpy(tail, word, length);
            word = tail;
        }
        text_masks masks = LEVEL(text)(word);
        bracket_masks brackets = LEVEL(brackets)(word);
        uint64_t escaped = escaped_bytes(masks.backslash, &nesting->escape);
        uint64_t quote = masks.quote & ~escaped;
        string_masks strings = strings_of(quote, LEVEL(prefix_xor)(quote), masks.newline, &nesting->in_string);
        uint64_t open = brackets.open & ~strings.inside, close = brackets.close & ~strings.inside;
        if (__builtin_expect(__builtin_popcountll(close) >= nesting->depth, 0)) {
            for (uint64_t both = open | close; both != 0; both &= both - 1) {
                nesting->depth += (open & both & -both) != 0 ? 1 : -1;
                if (nesting->depth == 0) { return position + (size_t)__builtin_ctzll(both); }
            }
        } else {
            nesting->depth += __builtin_popcountll(open) - __builtin_popcountll(close);
        }
        if (__builtin_expect(length < 64, 0)) {
            // The state at the end of the text, not at the end of the padded word.
            nesting->in_string = 0 - (strings.inside >> (length - 1) & 1);
            nesting->escape = escaped >> length & 1;
        }
    }
    return to;
}
