// How a file's bytes reach the scan: pread into a buffer, against mappings and read-ahead, from the page cache and from the disk.
//
//   cc -O3 -march=native -pthread Benchmarks/reading.c -o /tmp/reading && /tmp/reading FILE [rounds]
//
// Each way sums all 64-bit words of the file, as little work as there is, so that what differs is the way. Cold: the file's pages are
// dropped before (posix_fadvise). Prints seconds, least of the rounds, and the peak of resident memory that the way adds.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BLOCK (256 << 10)
#define STEP (8 << 20)

static int fd;
static size_t size;
static uint8_t *buffer;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static uint64_t sum(const uint8_t *bytes, size_t count) {
    uint64_t total = 0, word;
    for (size_t i = 0; i + 8 <= count; i += 8) {
        memcpy(&word, bytes + i, 8);
        total += word;
    }
    return total;
}

static uint64_t by_pread(void) {
    uint64_t total = 0;
    for (size_t at = 0; at < size; at += BLOCK) {
        ssize_t got = pread(fd, buffer, BLOCK, at);
        if (got <= 0) exit(1);
        total += sum(buffer, got);
    }
    return total;
}

static void *read_ahead(void *unused) {
    (void)unused;
    for (size_t at = 0; at < size; at += STEP) readahead(fd, at, STEP);
    return NULL;
}

static uint64_t by_pread_and_readahead(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, read_ahead, NULL);
    uint64_t total = by_pread();
    pthread_join(thread, NULL);
    return total;
}

static uint64_t mapped(int flags, int advice, size_t step) {
    uint64_t total = 0;
    for (size_t at = 0; at < size; at += step) {
        size_t count = size - at < step ? size - at : step;
        uint8_t *bytes = mmap(NULL, count, PROT_READ, MAP_PRIVATE | flags, fd, at);
        if (bytes == MAP_FAILED) exit(1);
        if (advice >= 0) madvise(bytes, count, advice);
        total += sum(bytes, count);
        munmap(bytes, count);
    }
    return total;
}

static uint64_t by_map(void) { return mapped(0, -1, size); }
static uint64_t by_map_sequential(void) { return mapped(0, MADV_SEQUENTIAL, size); }
static uint64_t by_map_populated(void) { return mapped(MAP_POPULATE, -1, STEP); }

static long resident_kib(void) {
    FILE *file = fopen("/proc/self/status", "r");
    char line[200];
    long kib = 0;
    while (file && fgets(line, sizeof line, file)) sscanf(line, "VmHWM: %ld", &kib);
    if (file) fclose(file);
    return kib;
}

int main(int count, char **words) {
    if (count < 2 || (fd = open(words[1], O_RDONLY)) < 0) return 64;
    int rounds = count > 2 ? atoi(words[2]) : 5;
    struct stat status;
    fstat(fd, &status);
    size = status.st_size;
    buffer = malloc(BLOCK);
    struct {
        const char *name;
        uint64_t (*run)(void);
    } ways[] = {{"pread, 256 KiB", by_pread}, {"pread, readahead in a thread", by_pread_and_readahead},
                {"mmap, 8 MiB populated, released behind", by_map_populated}, {"mmap of all", by_map},
                {"mmap of all, MADV_SEQUENTIAL", by_map_sequential}};
    uint64_t expected = by_pread();
    printf("| way | warm s | cold s | peak MiB |\n|---|---|---|---|\n");
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        double best[2] = {1e9, 1e9};
        for (int cold = 0; cold < 2; cold++) {
            for (int round = 0; round < rounds; round++) {
                if (cold) posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
                else expected = by_pread();
                double start = now();
                if (ways[way].run() != expected) return 70;
                double seconds = now() - start;
                if (seconds < best[cold]) best[cold] = seconds;
            }
        }
        printf("| %s | %.3f | %.3f | %ld |\n", ways[way].name, best[0], best[1], resident_kib() / 1024);
        fflush(stdout);
        // The peak of the next way counts from here on.
        FILE *file = fopen("/proc/self/clear_refs", "w");
        if (file) {
            fputs("5", file);
            fclose(file);
        }
    }
    return 0;
}
