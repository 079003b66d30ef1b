/*
 * What the C library answers to callers who err: a status each time, and never a trap. Also how much of the promises of
 * storekit_verify.h can be shown without payloads that the App Store signed.
 *
 *   misuse ROOT.pem TOKENS.jws     the root of the test vectors, and tokens that it vouches for, one a line
 */
#include <storekit_verify.h>

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                    \
            failures++;                                                                                                \
        }                                                                                                              \
    } while (0)

static char *content_of(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    char *content = malloc(1 << 24);
    if (file == NULL || content == NULL) {
        perror(path);
        exit(66);
    }
    *length = fread(content, 1, 1 << 24, file);
    fclose(file);
    return content;
}

static skv_bytes root;

static int32_t create(const char *options, skv_verifier **verifier, char why[SKV_MESSAGE_BYTES]) {
    return skv_verifier_create(&root, 1, options, options == NULL ? 0 : strlen(options), verifier, why,
                               SKV_MESSAGE_BYTES);
}

static void options_are_strict(void) {
    const struct {
        const char *json, *says;
    } wrong[] = {
        {"", "the text ends"},
        {"{", "the text ends"},
        {"[]", "options"},
        {"null", "options"},
        {"{\"bundleID\":[\"a\"]}", "bundleID"},
        {"{\"bundleIds\":\"a\"}", "bundleIds"},
        {"{\"bundleIds\":[1]}", "bundleIds"},
        {"{\"bundleIds\":[[\"a\"]]}", "bundleIds"},
        {"{\"bundleIds\":[]}", "bundleIds"},
        {"{\"bundleIds\":[\"\"]}", "bundleIds"},
        {"{\"environments\":[]}", "environments"},
        {"{\"bundleIds\":[\"a\"],\"bundleIds\":[\"b\"]}", "bundleIds"},
        {"{\"appAppleId\":\"1\"}", "appAppleId"},
        {"{\"appAppleId\":1.5}", "appAppleId"},
        {"{\"appAppleId\":99999999999999999999}", "appAppleId"},
        {"{\"environments\":[\"production\"]}", "Production"},
        {"{\"deviceId\":\"1234\"}", "deviceId"},
        {"{\"effectiveDate\":\"2025-13-01\"}", "effectiveDate"},
        {"{\"effectiveDate\":1}", "effectiveDate"},
        {"{\"maxTokenBytes\":0}", "maxTokenBytes"},
        {"{\"maxTokenBytes\":null}", "maxTokenBytes"},
        {"{\"revocation\":\"on\"}", "soft"},
        {"{\"engine\":true}", "engine"},
        {"{\"jobs\":-1}", "jobs"},
        {"{\"debug\":1}", "debug"},
        {"{} {}", "options"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char why[SKV_MESSAGE_BYTES] = "";
        skv_verifier *verifier = (skv_verifier *)&root;
        EXPECT(create(wrong[i].json, &verifier, why) == SKV_INVALID_OPTIONS);
        EXPECT(verifier == NULL);
        if (strstr(why, wrong[i].says) == NULL) {
            fprintf(stderr, "%s: %s does not say %s\n", wrong[i].json, why, wrong[i].says);
            failures++;
        }
    }
    /* A NUL in the text is no end of it. */
    skv_verifier *verifier = NULL;
    EXPECT(skv_verifier_create(&root, 1, "{}\0{}", 5, &verifier, NULL, 0) == SKV_INVALID_OPTIONS);
    /* The message is cut off, and ends in a NUL all the same. */
    char little[5] = "xxxx";
    EXPECT(skv_verifier_create(&root, 1, "{\"x\":1}", 7, &verifier, little, sizeof little) == SKV_INVALID_OPTIONS);
    EXPECT(strlen(little) == 4);
}

static void roots_are_read(void) {
    char why[SKV_MESSAGE_BYTES];
    skv_verifier *verifier = NULL;
    skv_bytes wrong[] = {{"no certificate", 14}, {"", 0}, {NULL, 0}, {"\x30\x03\x02\x01\x01", 5}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int32_t status = skv_verifier_create(&wrong[i], 1, NULL, 0, &verifier, why, sizeof why);
        EXPECT(status == SKV_INVALID_ROOT);
    }
    skv_bytes dangling = {NULL, 10};
    EXPECT(skv_verifier_create(&dangling, 1, NULL, 0, &verifier, why, sizeof why) == SKV_INVALID_ARGUMENT);
    EXPECT(skv_verifier_create(NULL, 1, NULL, 0, &verifier, why, sizeof why) == SKV_INVALID_ARGUMENT);
    EXPECT(skv_verifier_create(NULL, 0, NULL, 1, &verifier, why, sizeof why) == SKV_INVALID_ARGUMENT);
    EXPECT(skv_verifier_create(NULL, 0, NULL, 0, NULL, why, sizeof why) == SKV_INVALID_ARGUMENT);
}

static void pointers_are_checked(skv_verifier *verifier) {
    skv_results *results = NULL;
    const int64_t *places = NULL;
    int64_t offsets[] = {0, 1};
    char *text = NULL;
    size_t length = 0;
    EXPECT(skv_verify_token(NULL, "a", 1, 0, &results) == SKV_INVALID_ARGUMENT);
    EXPECT(skv_verify_token(verifier, NULL, 1, 0, &results) == SKV_INVALID_ARGUMENT);
    EXPECT(skv_verify_token(verifier, "a", 1, 0, NULL) == SKV_INVALID_ARGUMENT);
    EXPECT(skv_verify_token(verifier, "a", 1, 8, &results) == SKV_INVALID_ARGUMENT);
    EXPECT(skv_verify_token(verifier, "a", SIZE_MAX, 0, &results) == SKV_INVALID_ARGUMENT);
    EXPECT(skv_verify64(verifier, "a", 1, NULL, 1, 0, &results) == SKV_INVALID_ARGUMENT);
    EXPECT(skv_verify64(verifier, NULL, 1, offsets, 1, 0, &results) == SKV_INVALID_ARGUMENT);
    EXPECT(skv_verify64(verifier, "a", 1, offsets, SIZE_MAX, 0, &results) == SKV_INVALID_ARGUMENT);
    EXPECT(results == NULL);
    EXPECT(skv_verify_lines(verifier, "a", 1, 9, &text, &length, NULL) == SKV_INVALID_ARGUMENT);
    EXPECT(skv_verify_lines(verifier, "a", 1, 0, NULL, &length, NULL) == SKV_INVALID_ARGUMENT);
    EXPECT(skv_inspect(verifier, "a", 1, -1, &text, &length, NULL) == SKV_INVALID_ARGUMENT);
    EXPECT(text == NULL && length == 0);
    /* Another object's pointer. */
    EXPECT(skv_verify_token(verifier, "a", 1, 0, &results) == SKV_OK);
    EXPECT(skv_verify_token((skv_verifier *)results, "a", 1, 0, &results) == SKV_INVALID_HANDLE);
    EXPECT(skv_results_count((skv_results *)verifier) == 0);
    skv_verifier_free((skv_verifier *)results);
    skv_results_free((skv_results *)verifier);
    EXPECT(skv_verify_token(verifier, "a", 1, 0, &results) == SKV_OK);
    EXPECT(skv_results_text(results, 4, &places) == NULL && places == NULL);
    EXPECT(skv_results_text(results, -1, &places) == NULL);
    EXPECT(skv_results_text(results, SKV_PAYLOAD, NULL) == NULL);
    skv_results_free(results);
    skv_results_free(NULL);
    skv_verifier_free(NULL);
    skv_free(NULL);
    EXPECT(skv_results_count(NULL) == 0 && skv_results_codes(NULL) == NULL && skv_results_kinds(NULL) == NULL);
    EXPECT(skv_code_name(-1) == NULL && skv_code_name(INT_MAX) == NULL && skv_kind_name(0) == NULL);
    EXPECT(skv_status_message(INT_MIN) != NULL);
    char hash[65];
    EXPECT(skv_device_hash("x", "y", hash) == SKV_INVALID_ARGUMENT);
    EXPECT(skv_device_hash(NULL, NULL, hash) == SKV_INVALID_ARGUMENT);
}

static void offsets_are_checked(skv_verifier *verifier) {
    skv_results *results = NULL;
    const char data[] = "abcdef";
    const int32_t wrong32[][3] = {{0, 4, 3}, {-1, 1, 2}, {0, 1, 7}, {3, 2, 6}, {0, INT_MAX, INT_MAX}, {0, 1, INT_MIN}};
    for (size_t i = 0; i < sizeof wrong32 / sizeof *wrong32; i++)
        EXPECT(skv_verify32(verifier, data, 6, wrong32[i], 2, 0, &results) == SKV_INVALID_OFFSETS);
    const int64_t wrong64[][3] = {{0, 4, 3},
                                  {-1, 1, 2},
                                  {0, 1, 7},
                                  {0, 1LL << 31, 1LL << 31},
                                  {0, 1LL << 32, 1LL << 32},
                                  {0, INT64_MAX, INT64_MAX},
                                  {INT64_MIN, 0, 1}};
    for (size_t i = 0; i < sizeof wrong64 / sizeof *wrong64; i++)
        EXPECT(skv_verify64(verifier, data, 6, wrong64[i], 2, 0, &results) == SKV_INVALID_OFFSETS);
    EXPECT(results == NULL);
    /* No tokens, tokens without bytes, and data before the first and behind the last are no faults. */
    EXPECT(skv_verify64(verifier, NULL, 0, NULL, 0, 0, &results) == SKV_OK);
    const int64_t *places = NULL;
    EXPECT(skv_results_count(results) == 0 && skv_results_codes(results) != NULL);
    EXPECT(skv_results_text(results, SKV_PAYLOAD, &places) != NULL && places[0] == 0);
    skv_results_free(results);
    const int64_t right[] = {2, 2, 4};
    EXPECT(skv_verify64(verifier, data, 6, right, 2, 0, &results) == SKV_OK);
    EXPECT(skv_results_count(results) == 2 && skv_results_verified_count(results) == 0);
    EXPECT(skv_results_codes(results)[0] == SKV_INVALID_ENCODING);
    skv_results_free(results);
    /* A token with a NUL is judged with all its bytes. */
    EXPECT(skv_verify_token(verifier, "a\0b", 3, 0, &results) == SKV_OK);
    EXPECT(skv_results_codes(results)[0] == SKV_INVALID_ENCODING);
    skv_results_free(results);
}

static void freed_verifiers_are_known(void) {
    char why[SKV_MESSAGE_BYTES];
    skv_verifier *verifiers[64];
    skv_results *results = NULL;
    for (int i = 0; i < 64; i++)
        EXPECT(create("{\"debug\":true}", &verifiers[i], why) == SKV_OK);
    for (int i = 0; i < 64; i++) {
        skv_verifier_free(verifiers[i]);
        /* What else the program allocates must not bring a handle back to life. */
        free(calloc(1, 16 + i));
    }
    for (int i = 0; i < 64; i++) {
        EXPECT(skv_verify_token(verifiers[i], "a", 1, 0, &results) == SKV_INVALID_HANDLE);
        skv_verifier_free(verifiers[i]);
    }
}

struct work {
    skv_verifier *verifier;
    const char *token;
    size_t length;
    int rounds;
    int verified, refused, others;
};

static void *keep_verifying(void *argument) {
    struct work *work = argument;
    for (int i = 0; i < work->rounds; i++) {
        skv_results *results = NULL;
        int32_t status = skv_verify_token(work->verifier, work->token, work->length, 0, &results);
        if (status == SKV_OK && skv_results_codes(results)[0] == SKV_VERIFIED)
            work->verified++;
        else if (status == SKV_INVALID_HANDLE)
            work->refused++;
        else
            work->others++;
        skv_results_free(results);
    }
    return NULL;
}

/* Threads share a verifier; one of debug is given back while they use it. */
static void threads_share_a_verifier(const char *token, size_t length) {
    for (int round = 0; round < 20; round++) {
        char why[SKV_MESSAGE_BYTES];
        skv_verifier *verifier = NULL;
        EXPECT(create("{\"debug\":true,\"jobs\":2}", &verifier, why) == SKV_OK);
        pthread_t threads[4];
        struct work work[4];
        for (int i = 0; i < 4; i++) {
            work[i] = (struct work){verifier, token, length, 40, 0, 0, 0};
            pthread_create(&threads[i], NULL, keep_verifying, &work[i]);
        }
        if (round % 2 == 1)
            skv_verifier_free(verifier);
        for (int i = 0; i < 4; i++) {
            pthread_join(threads[i], NULL);
            EXPECT(work[i].others == 0 && work[i].verified + work[i].refused == 40);
            EXPECT(round % 2 == 1 || work[i].refused == 0);
        }
        if (round % 2 == 0)
            skv_verifier_free(verifier);
    }
}

static void arrow_is_checked(skv_verifier *verifier) {
    struct ArrowSchema schema, out_schema;
    struct ArrowArray array, out;
    char why[SKV_MESSAGE_BYTES];
    int32_t offsets[] = {0, 3, 2};
    const void *buffers[] = {NULL, offsets, "abc", NULL};
    memset(&schema, 0, sizeof schema);
    memset(&array, 0, sizeof array);
    schema.format = "u";
    array.n_buffers = 3;
    array.buffers = buffers;
    array.length = 2;
#define REFUSED(expected)                                                                                              \
    EXPECT(skv_verify_arrow(verifier, &schema, &array, 0, &out_schema, &out, why, sizeof why) == (expected) &&         \
           out.release == NULL && out_schema.release == NULL)
    REFUSED(SKV_INVALID_ARROW);
    offsets[2] = 3;
    array.length = -1;
    REFUSED(SKV_INVALID_ARROW);
    array.length = INT64_MAX;
    array.offset = INT64_MAX;
    REFUSED(SKV_INVALID_ARROW);
    array.length = 1;
    array.offset = 0;
    array.n_buffers = 2;
    REFUSED(SKV_INVALID_ARROW);
    array.n_buffers = 3;
    schema.format = "i";
    REFUSED(SKV_INVALID_ARROW);
    schema.format = NULL;
    REFUSED(SKV_INVALID_ARROW);
    schema.format = "vu";
    /* A view of 100 bytes at 0 of a buffer that has 3. */
    int32_t views[] = {100, 0, 0, 0};
    int64_t sizes[] = {3};
    const void *view_buffers[] = {NULL, views, "abc", sizes};
    array.buffers = view_buffers;
    array.n_buffers = 4;
    REFUSED(SKV_INVALID_ARROW);
    views[2] = 1;
    REFUSED(SKV_INVALID_ARROW);
    views[0] = -1;
    REFUSED(SKV_INVALID_ARROW);
    /* Places beyond all memory, of elements of each size. */
    static const char *const formats[] = {"u", "Z", "vu", "vz"};
    for (size_t format = 0; format < sizeof formats / sizeof *formats; format++) {
        schema.format = formats[format];
        array.n_buffers = format < 2 ? 3 : 4;
        for (array.length = 0; array.length < 2; array.length++)
            for (int power = 59; power < 63; power++) {
                array.offset = INT64_C(1) << power;
                REFUSED(SKV_INVALID_ARROW);
            }
    }
    array.length = 1;
    array.offset = 0;
    schema.format = "vu";
    array.n_buffers = 4;
    EXPECT(skv_verify_arrow(verifier, NULL, NULL, 0, &out_schema, &out, NULL, 0) == SKV_INVALID_ARGUMENT);
    EXPECT(skv_verify_arrow(verifier, &schema, &array, 3, &out_schema, &out, NULL, 0) == SKV_INVALID_ARGUMENT);
    EXPECT(skv_verify_arrow(verifier, &schema, &array, 0, NULL, NULL, NULL, 0) == SKV_INVALID_ARGUMENT);
    /* A sound one, whose children a consumer takes out before it releases the rest. */
    views[0] = 3;
    memcpy(&views[1], "abc", 3);
    EXPECT(skv_verify_arrow(verifier, &schema, &array, 0, &out_schema, &out, why, sizeof why) == SKV_OK);
    struct ArrowArray child = *out.children[2];
    out.children[2]->release = NULL;
    out.release(&out);
    EXPECT(out.release == NULL && child.length == 1);
    child.release(&child);
    out_schema.release(&out_schema);
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 64;
    root.bytes = content_of(argv[1], &root.length);
    size_t length;
    char *token = content_of(argv[2], &length);
    length = (size_t)((char *)memchr(token, '\n', length) - token);

    EXPECT(skv_version() == SKV_VERSION_NUMBER);
    options_are_strict();
    roots_are_read();
    skv_verifier *verifier = NULL;
    char why[SKV_MESSAGE_BYTES];
    EXPECT(create("{\"maxTokenBytes\":100000,\"jobs\":2}", &verifier, why) == SKV_OK);
    pointers_are_checked(verifier);
    offsets_are_checked(verifier);
    arrow_is_checked(verifier);
    skv_verifier_free(verifier);
    freed_verifiers_are_known();
    threads_share_a_verifier(token, length);
    printf("%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
