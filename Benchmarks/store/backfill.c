/* The best simple C program we could think of for the backfill: one CSV export into SQLite, durable, one transaction.

       cc -O2 backfill.c -lsqlite3 [-DHMAC -lcrypto] -o backfill
       backfill text|row|sorted [hmac] EXPORT.csv STORE.sqlite

   text    all columns as text, as the sqlite3 shell's .import into (trip_id, leg_id) primary key
   row     the row that tripkpi keeps (whole numbers, a 128-bit key), upserted in the order of the file
   sorted  the same rows, sorted by month and key in memory before they are inserted; the second index last

   It believes its input: columns of `tripkpi sample --fields kpi`, times of the one form, no zone, no rejects.
   The key is a quick hash of (trip_id, leg_id), with `hmac` an HMAC-SHA-256 cut to 128 bits. */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#ifdef HMAC
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
#endif

enum { TRIP, LEG, UPDATED, SEQUENCE, STATUS, TYPE, REGION, SERVICE, REQUESTED, NOTIFIED, EN_ROUTE, ON_SCENE, LEFT,
       ARRIVED, COMPLETED, PROVIDER, VEHICLE, CONTRACT, INVOICE, MODIFIERS, LOADED, UNLOADED, COST, PATIENT, NOTES,
       COLUMNS };
enum { MONTH, KEY_HIGH, KEY_LOW, UPDATED_AT, SEQ, DAY, STATE, REGION_CODE, TYPE_CODE, SOURCING, DURATION, RESPONSE,
       TURNOUT, SCENE, TRANSPORT, TURNAROUND, CENTS, LOADED_H, UNLOADED_H, PATIENT_HASH, PROVIDER_ID, CONTRACT_ID,
       MODIFIERS_ID, NUMBERS };
static const char *names[NUMBERS] = {
    "month", "key_high", "key_low", "updated_at", "sequence", "day", "status", "region", "trip_type", "sourcing",
    "duration", "response", "turnout", "scene", "transport", "turnaround", "cost_cents", "loaded_hundredths",
    "unloaded_hundredths", "patient", "provider_id", "contract_number", "hcpcs_modifiers" };
#define ABSENT INT64_MIN
typedef struct { const char *start; size_t length; } Field;
typedef struct { int64_t number[NUMBERS]; } Row;

static sqlite3 *store;
static int use_hmac;
static void check(int code) {
    if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW) {
        fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(store));
        exit(1);
    }
}
static void sql(const char *text) { check(sqlite3_exec(store, text, NULL, NULL, NULL)); }

/* One record's fields; quoted ones are unescaped into `scratch`. Returns where the next record starts. */
static const char *record(const char *at, const char *end, Field *fields, char *scratch) {
    for (int column = 0;; column++) {
        Field field = { at, 0 };
        if (at < end && *at == '"') {
            field.start = scratch;
            for (at++; at < end && !(*at == '"' && (at + 1 == end || at[1] != '"')); at++) {
                if (*at == '"') at++;
                *scratch++ = *at;
            }
            field.length = (size_t)(scratch - field.start);
            at++;
        } else {
            while (at < end && *at != ',' && *at != '\n') at++;
            field.length = (size_t)(at - field.start);
        }
        if (column < COLUMNS) fields[column] = field;
        if (at >= end || *at == '\n') {
            for (column++; column < COLUMNS; column++) fields[column].length = 0;
            return at < end ? at + 1 : at;
        }
        at++;
    }
}

static uint64_t mixed(uint64_t a, uint64_t b) {
    __uint128_t product = (__uint128_t)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}
static uint64_t hash(Field field, uint64_t seed) {
    uint64_t value = seed ^ field.length, word;
    size_t at = 0;
    for (; at + 8 <= field.length; at += 8) {
        memcpy(&word, field.start + at, 8);
        value = mixed(value ^ word, 0x9E3779B97F4A7C15u);
    }
    word = 0;
    memcpy(&word, field.start + at, field.length - at);
    return mixed(value ^ word, 0xD6E8FEB86659FD93u);
}
#ifdef HMAC
static SHA256_CTX inner, outer;
static void hmac_start(void) {
    unsigned char pad[64];
    memset(pad, 0x36 ^ 7, 64);
    SHA256_Init(&inner);
    SHA256_Update(&inner, pad, 64);
    memset(pad, 0x5C ^ 7, 64);
    SHA256_Init(&outer);
    SHA256_Update(&outer, pad, 64);
}
static void hmac(Field a, Field b, int64_t *high, int64_t *low) {
    unsigned char digest[32];
    SHA256_CTX context = inner;
    SHA256_Update(&context, a.start, a.length);
    SHA256_Update(&context, "\0", 1);
    SHA256_Update(&context, b.start, b.length);
    SHA256_Final(digest, &context);
    context = outer;
    SHA256_Update(&context, digest, 32);
    SHA256_Final(digest, &context);
    memcpy(high, digest, 8);
    memcpy(low, digest + 8, 8);
}
#endif

/* Days since 1970 of YYYY-MM-DD, seconds of YYYY-MM-DD HH:MM:SS; ABSENT where the field is empty. */
static int64_t digits(const char *at, int count) {
    int64_t value = 0;
    while (count-- > 0) value = value * 10 + (*at++ - '0');
    return value;
}
static int64_t day(Field field) {
    if (field.length < 10) return ABSENT;
    int64_t year = digits(field.start, 4), month = digits(field.start + 5, 2), date = digits(field.start + 8, 2);
    if (month <= 2) { year--; month += 12; }
    return 365 * year + year / 4 - year / 100 + year / 400 + (153 * (month - 3) + 2) / 5 + date - 719469;
}
static int64_t seconds(Field field) {
    if (field.length != 19) return ABSENT;
    return day(field) * 86400 + digits(field.start + 11, 2) * 3600 + digits(field.start + 14, 2) * 60
        + digits(field.start + 17, 2);
}
/* Hundredths of 1,234.5, $12.34 and (12.00). */
static int64_t hundredths(Field field) {
    int64_t value = 0;
    int places = -1, negative = 0, any = 0;
    for (size_t at = 0; at < field.length; at++) {
        char c = field.start[at];
        if (c == '-' || c == '(') negative = 1;
        if (c == '.') places = 0;
        if (c < '0' || c > '9') continue;
        value = value * 10 + (c - '0');
        any = 1;
        if (places >= 0) places++;
    }
    for (places = places < 0 ? 0 : places; places < 2; places++) value *= 10;
    return any ? (negative ? -value : value) : ABSENT;
}
static int64_t interval(int64_t from, int64_t to) {
    if (from == ABSENT || to == ABSENT) return -1;
    return to < from ? -2 : to - from > 86400 ? -3 : to - from;
}
static int64_t code(Field field, const char *const *values, int64_t other) {
    for (int64_t at = 0; values[at]; at++)
        if (strlen(values[at]) == field.length && !memcmp(values[at], field.start, field.length)) return at;
    return other;
}
static int holds(Field field, const char *word) {
    return field.length >= 2 && memmem(field.start, field.length, word, 2) != NULL;
}

/* Texts kept once: a small open table of hashes; the number is the text's id, 0 for none. */
static struct { uint64_t hash; int64_t id; } texts[1 << 16];
static sqlite3_stmt *add_text;
static int64_t text_id(Field field) {
    static int64_t count;
    if (!field.length) return 0;
    uint64_t value = hash(field, 1) | 1;
    for (size_t at = value >> 48;; at = (at + 1) & 0xFFFF) {
        if (texts[at].hash == value) return texts[at].id;
        if (texts[at].hash) continue;
        texts[at].hash = value;
        texts[at].id = ++count;
        check(sqlite3_bind_int64(add_text, 1, count));
        check(sqlite3_bind_text(add_text, 2, field.start, (int)field.length, SQLITE_STATIC));
        check(sqlite3_step(add_text));
        check(sqlite3_reset(add_text));
        return count;
    }
}

static Row row_of(const Field *f) {
    static const char *states[] = { "completed", "cancelled", "no_show", "void", NULL };
    static const char *regions[] = { "", "North", "South", "East", "West", NULL };
    static const char *types[] = { "", "Emergency", "Routine", NULL };
    static const int order[] = { NOTIFIED, EN_ROUTE, ON_SCENE, LEFT, ARRIVED, COMPLETED, REQUESTED, SERVICE };
    static const int pairs[6][2] = { { NOTIFIED, COMPLETED }, { NOTIFIED, ON_SCENE }, { NOTIFIED, EN_ROUTE },
        { ON_SCENE, LEFT }, { LEFT, ARRIVED }, { ARRIVED, COMPLETED } };
    Row row;
    int64_t *n = row.number, times[COLUMNS];
    for (int column = REQUESTED; column <= COMPLETED; column++) times[column] = seconds(f[column]);
    const Field *date = &f[SERVICE];
    for (int at = 7; at >= 0; at--) if (f[order[at]].length) date = &f[order[at]];
    n[MONTH] = digits(date->start, 4) * 12 + digits(date->start + 5, 2) - 1;
    n[DAY] = day(*date);
#ifdef HMAC
    if (use_hmac) hmac(f[TRIP], f[LEG], &n[KEY_HIGH], &n[KEY_LOW]); else
#endif
    {
        n[KEY_HIGH] = (int64_t)hash(f[LEG], hash(f[TRIP], 3));
        n[KEY_LOW] = (int64_t)hash(f[LEG], hash(f[TRIP], 5));
    }
    n[UPDATED_AT] = seconds(f[UPDATED]);
    n[SEQ] = f[SEQUENCE].length ? digits(f[SEQUENCE].start, (int)f[SEQUENCE].length) : ABSENT;
    n[STATE] = code(f[STATUS], states, 0);
    n[REGION_CODE] = code(f[REGION], regions, 0);
    n[TYPE_CODE] = code(f[TYPE], types, 0);
    n[SOURCING] = holds(f[MODIFIERS], "QN") ? 0 : holds(f[MODIFIERS], "QM") || f[CONTRACT].length || f[INVOICE].length
        ? 1 : f[VEHICLE].length > 1 && !memcmp(f[VEHICLE].start, "VA", 2) ? 0 : 2;
    for (int at = 0; at < 6; at++) n[DURATION + at] = interval(times[pairs[at][0]], times[pairs[at][1]]);
    n[CENTS] = hundredths(f[COST]);
    n[LOADED_H] = hundredths(f[LOADED]);
    n[UNLOADED_H] = hundredths(f[UNLOADED]);
    n[PATIENT_HASH] = f[PATIENT].length ? (int64_t)hash(f[PATIENT], 7) : ABSENT;
    n[PROVIDER_ID] = text_id(f[PROVIDER]);
    n[CONTRACT_ID] = text_id(f[CONTRACT]);
    n[MODIFIERS_ID] = text_id(f[MODIFIERS]);
    return row;
}

static void insert(sqlite3_stmt *statement, const Row *row) {
    for (int at = 0; at < NUMBERS; at++)
        if (row->number[at] == ABSENT) sqlite3_bind_null(statement, at + 1);
        else sqlite3_bind_int64(statement, at + 1, row->number[at]);
    check(sqlite3_step(statement));
    check(sqlite3_reset(statement));
}
static int compare(const void *a, const void *b) {
    static const int order[] = { MONTH, KEY_HIGH, KEY_LOW, UPDATED_AT, SEQ };
    for (int at = 0; at < 5; at++) {
        int64_t left = ((const Row *)a)->number[order[at]], right = ((const Row *)b)->number[order[at]];
        if (left != right) return left < right ? -1 : 1;
    }
    return 0;
}

int main(int count, char **words) {
    if (count < 4) return fprintf(stderr, "usage: backfill text|row|sorted [hmac] EXPORT.csv STORE.sqlite\n"), 64;
    int is_text = !strcmp(words[1], "text"), is_sorted = !strcmp(words[1], "sorted");
    use_hmac = !strcmp(words[2], "hmac");
#ifdef HMAC
    hmac_start();
#endif
    int file = open(words[count - 2], O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status)) return perror(words[count - 2]), 66;
    const char *at = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    const char *end = at + status.st_size, *mapped = at;
    check(sqlite3_open(words[count - 1], &store));
    sql("PRAGMA page_size=16384; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-262144;"
        "PRAGMA locking_mode=EXCLUSIVE; PRAGMA temp_store=MEMORY; PRAGMA wal_autocheckpoint=0; BEGIN");
    char *scratch = malloc(1 << 20), text[8192] = "";
    Field fields[COLUMNS];
    sqlite3_stmt *statement;
    int columns = is_text ? COLUMNS : NUMBERS;
    if (is_text) {
        at = record(at, end, fields, scratch);
        strcpy(text, "CREATE TABLE trips (");
        for (int c = 0; c < COLUMNS; c++)
            sprintf(text + strlen(text), "%.*s TEXT, ", (int)fields[c].length, fields[c].start);
        strcat(text, "PRIMARY KEY (trip_id, leg_id) ON CONFLICT REPLACE)");
    } else {
        at = record(at, end, fields, scratch);
        sql("CREATE TABLE texts (text_id INTEGER PRIMARY KEY, value TEXT NOT NULL)");
        check(sqlite3_prepare_v2(store, "INSERT INTO texts VALUES (?, ?)", -1, &add_text, NULL));
        strcpy(text, "CREATE TABLE trips (");
        for (int c = 0; c < NUMBERS; c++) sprintf(text + strlen(text), "%s INTEGER, ", names[c]);
        strcat(text, "PRIMARY KEY (month, key_high, key_low)) STRICT, WITHOUT ROWID");
    }
    sql(text);
    if (!is_text && !is_sorted) sql("CREATE UNIQUE INDEX trips_by_key ON trips (key_high, key_low)");
    strcpy(text, "INSERT INTO trips VALUES (?");
    for (int c = 1; c < columns; c++) strcat(text, ", ?");
    strcat(text, ")");
    if (!is_text && !is_sorted) {
        strcat(text, " ON CONFLICT DO UPDATE SET month = excluded.month");
        for (int c = UPDATED_AT; c < NUMBERS; c++)
            sprintf(text + strlen(text), ", %s = excluded.%s", names[c], names[c]);
        strcat(text, " WHERE (excluded.updated_at, excluded.sequence) >= (trips.updated_at, trips.sequence)");
    }
    check(sqlite3_prepare_v2(store, text, -1, &statement, NULL));
    Row *rows = NULL;
    size_t kept = 0, room = 0;
    while (at < end) {
        /* What is read is let go of, so that the peak of memory is not the size of the file. */
        if (at - mapped > 32 << 20) {
            madvise((void *)mapped, 16 << 20, MADV_DONTNEED);
            mapped += 16 << 20;
        }
        at = record(at, end, fields, scratch);
        if (is_text) {
            for (int c = 0; c < COLUMNS; c++)
                sqlite3_bind_text(statement, c + 1, fields[c].start, (int)fields[c].length, SQLITE_STATIC);
            check(sqlite3_step(statement));
            check(sqlite3_reset(statement));
        } else if (!is_sorted) {
            Row row = row_of(fields);
            insert(statement, &row);
        } else {
            if (kept == room) rows = realloc(rows, (room = room ? room * 2 : 1 << 16) * sizeof(Row));
            rows[kept++] = row_of(fields);
        }
    }
    if (is_sorted) {
        /* Versions that moved to another month would collide in the second index; the sample has none. */
        qsort(rows, kept, sizeof(Row), compare);
        for (size_t r = 0; r < kept; r++) {
            int is_older = r + 1 < kept && rows[r].number[KEY_HIGH] == rows[r + 1].number[KEY_HIGH]
                && rows[r].number[KEY_LOW] == rows[r + 1].number[KEY_LOW];
            if (!is_older) insert(statement, &rows[r]);
        }
        sql("CREATE UNIQUE INDEX trips_by_key ON trips (key_high, key_low)");
    }
    check(sqlite3_finalize(statement));
    if (add_text) check(sqlite3_finalize(add_text));
    sql("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
    check(sqlite3_close(store));
    return 0;
}
