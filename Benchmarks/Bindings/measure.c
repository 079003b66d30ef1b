/*
 * The seconds that the C library takes for the tokens of a file, one a line: those of the process's first call, with
 * the verifier's making, and the median of later calls.
 *
 *   measure TOKENS.jws JOBS
 *
 * The payloads of a call are new memory. The first call of a process may meet memory that the system has never used,
 * which a virtual machine must get from its host page by page.
 */
#include <storekit_verify.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

enum { LATER_CALLS = 5 };

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 64;
    FILE *file = fopen(argv[1], "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        return 66;
    size_t size = (size_t)ftell(file), count = 0, written = 0;
    rewind(file);
    char *data = malloc(size + 1);
    int64_t *offsets = malloc((size / 2 + 2) * sizeof *offsets);
    if (data == NULL || offsets == NULL || fread(data, 1, size, file) != size)
        return 71;
    offsets[0] = 0;
    for (char *line = data, *end; line < data + size; line = end + 1) {
        end = memchr(line, '\n', (size_t)(data + size - line));
        if (end == NULL)
            end = data + size;
        memmove(data + written, line, (size_t)(end - line));
        written += (size_t)(end - line);
        offsets[++count] = (int64_t)written;
    }
    char options[64], why[SKV_MESSAGE_BYTES];
    snprintf(options, sizeof options, "{\"jobs\":%s}", argv[2]);
    skv_verifier *verifier = NULL;
    skv_results *results = NULL;
    double times[1 + LATER_CALLS];
    for (int call = 0; call <= LATER_CALLS; call++) {
        double start = now();
        if (call == 0 &&
            skv_verifier_create(NULL, 0, options, strlen(options), &verifier, why, sizeof why) != SKV_OK)
            return 70;
        if (skv_verify64(verifier, data, written, offsets, count, 0, &results) != SKV_OK)
            return 70;
        times[call] = now() - start;
        skv_results_free(results);
    }
    qsort(times + 1, LATER_CALLS, sizeof *times, compare);
    printf("%.6f %.6f\n", times[0], times[1 + LATER_CALLS / 2]);
    skv_verifier_free(verifier);
    return 0;
}
