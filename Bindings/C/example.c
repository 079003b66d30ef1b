/*
 * Verifies signed payloads, one a line, and says whether each one is verified.
 *
 *   cc -std=c11 example.c $(pkg-config --cflags --libs storekitverify) -o example
 *   example <payloads.jws             under Apple's roots
 *   example root.pem <payloads.jws    under another root
 */
#include <storekit_verify.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A stream's content; NULL if there is no memory for it. */
static char *read_all(FILE *file, size_t *length) {
    size_t capacity = 1 << 16;
    char *content = malloc(capacity);
    *length = 0;
    while (content != NULL) {
        size_t count = fread(content + *length, 1, capacity - *length, file);
        *length += count;
        if (count == 0)
            return content;
        if (*length == capacity) {
            char *grown = realloc(content, capacity *= 2);
            if (grown == NULL)
                free(content);
            content = grown;
        }
    }
    return NULL;
}

/* The places of the lines that are not empty, as offsets: each line but the last ends where the next begins. */
static int64_t *find_lines(char *text, size_t length, size_t *count) {
    int64_t *offsets = malloc((length / 2 + 2) * sizeof *offsets);
    size_t written = 0;
    *count = 0;
    if (offsets == NULL)
        return NULL;
    offsets[0] = 0;
    for (size_t start = 0; start < length;) {
        char *end = memchr(text + start, '\n', length - start);
        size_t stop = end == NULL ? length : (size_t)(end - text);
        if (stop > start) {
            /* Tokens stand one behind the other, without what separates lines. */
            memmove(text + written, text + start, stop - start);
            written += stop - start;
            offsets[++*count] = (int64_t)written;
        }
        start = stop + 1;
    }
    return offsets;
}

int main(int argc, char **argv) {
    char why[SKV_MESSAGE_BYTES];
    skv_verifier *verifier = NULL;
    skv_results *results = NULL;
    skv_bytes root = {NULL, 0};
    if (argc > 1) {
        FILE *file = fopen(argv[1], "rb");
        if (file == NULL || (root.bytes = read_all(file, &root.length)) == NULL) {
            perror(argv[1]);
            return 66;
        }
        fclose(file);
    }
    if (skv_verifier_create(argc > 1 ? &root : NULL, argc > 1, NULL, 0, &verifier, why, sizeof why) != SKV_OK) {
        fprintf(stderr, "%s\n", why);
        return 64;
    }
    free((void *)root.bytes);

    size_t length, count;
    char *text = read_all(stdin, &length);
    int64_t *offsets = text == NULL ? NULL : find_lines(text, length, &count);
    if (offsets == NULL)
        return 71;
    int32_t status =
        skv_verify64(verifier, text, (size_t)offsets[count], offsets, count, 0, &results);
    if (status != SKV_OK) {
        fprintf(stderr, "%s\n", skv_status_message(status));
        return 70;
    }

    const int64_t *places, *reasons;
    const uint8_t *codes = skv_results_codes(results), *kinds = skv_results_kinds(results);
    const char *payloads = skv_results_text(results, SKV_PAYLOAD, &places);
    const char *messages = skv_results_text(results, SKV_MESSAGE, &reasons);
    for (size_t row = 0; row < count; row++) {
        if (codes[row] == SKV_VERIFIED)
            printf("%s %.*s\n", skv_kind_name(kinds[row]), (int)(places[row + 1] - places[row]),
                   payloads + places[row]);
        else
            printf("%s: %.*s\n", skv_code_name(codes[row]), (int)(reasons[row + 1] - reasons[row]),
                   messages + reasons[row]);
    }
    int exit_status = skv_results_verified_count(results) == count ? 0 : 1;

    skv_results_free(results);
    skv_verifier_free(verifier);
    free(offsets);
    free(text);
    return exit_status;
}
