/*
 * The seconds that the C library takes for the tokens of a file, one a line.
 *
 *   measure TOKENS.jws JOBS
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
    double start = now();
    if (skv_verifier_create(NULL, 0, options, strlen(options), &verifier, why, sizeof why) != SKV_OK ||
        skv_verify64(verifier, data, written, offsets, count, 0, &results) != SKV_OK)
        return 70;
    printf("%.6f\n", now() - start);
    skv_results_free(results);
    skv_verifier_free(verifier);
    return 0;
}
