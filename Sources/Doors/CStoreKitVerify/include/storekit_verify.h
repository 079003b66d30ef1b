/*
 * storekit_verify.h: verifies data that Apple's App Store signed.
 *
 * Signed transactions, renewal information, app transactions, server
 * notifications and realtime requests (compact JWS, RFC 7515), JSON objects
 * around them, and app receipts. The verdicts, codes and messages are those of
 * the command storekit-verify, to the byte.
 *
 *   skv_verifier *verifier = NULL;
 *   skv_results *results = NULL;
 *   char why[SKV_MESSAGE_BYTES];
 *   if (skv_verifier_create(NULL, 0, NULL, 0, &verifier, why, sizeof why) != SKV_OK)
 *       return fail(why);
 *   if (skv_verify_token(verifier, token, strlen(token), 0, &results) == SKV_OK) {
 *       if (skv_results_codes(results)[0] == SKV_VERIFIED) ...
 *   }
 *   skv_results_free(results);
 *   skv_verifier_free(verifier);
 *
 * RULES FOR ALL FUNCTIONS
 *
 * Return values. A function that returns int32_t returns SKV_OK (0) or a
 * negative status. A status is about the call: a payload that is not verified
 * is not an error of the call, but a code in the results. Where a status is
 * returned, nothing was written through the output pointers but NULL and 0.
 *
 * Ownership. Input is borrowed for the duration of the call and never written.
 * A created object is the caller's, who gives it back with the function
 * named at its creation, once. Every such function takes NULL and then does
 * nothing. Pointers into a result are valid until that result is given back.
 *
 * Threads. A verifier may be used by any number of threads at the same time.
 * A result may be read by any number of threads at the same time. Creating and
 * giving back must not happen while another thread uses the same object.
 *
 * Text. Input and output are bytes with a length; nothing here ends at a NUL,
 * unless said. Output text is UTF-8.
 *
 * Processes. After fork(), the child may use verifiers of its parent, unless
 * another thread was inside a function of this library when fork() was called.
 * The process may end while threads are inside this library.
 *
 * Memory. A call whose results do not fit into memory returns
 * SKV_OUT_OF_MEMORY, as far as the system reports it: one that lends more
 * memory than it has ends the process.
 *
 * Compatibility. Numbers, names and meanings here are frozen. Later versions
 * with the same soname only add to them; see SKV_VERSION_NUMBER.
 */
#ifndef STOREKIT_VERIFY_H
#define STOREKIT_VERIFY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version ---- */

/* The version of this header; skv_version() is that of the library. */
#define SKV_VERSION_MAJOR 0
#define SKV_VERSION_MINOR 1
#define SKV_VERSION_PATCH 0
/* Major * 1,000,000 + minor * 1,000 + patch. */
#define SKV_VERSION_NUMBER (SKV_VERSION_MAJOR * 1000000 + SKV_VERSION_MINOR * 1000 + SKV_VERSION_PATCH)

/* The library's version, in the form of SKV_VERSION_NUMBER. */
uint32_t skv_version(void);

/* The library's version, such as "1.2.3": a NUL-terminated constant. */
const char *skv_version_string(void);

/* ---- Statuses of calls ---- */

enum {
    SKV_OK = 0,
    /* A pointer that must not be NULL is NULL, or a number is not one of its enumeration. */
    SKV_INVALID_ARGUMENT = -1,
    /* The options are not one JSON object of known members with values of their types. */
    SKV_INVALID_OPTIONS = -2,
    /* A root is neither a certificate in DER nor certificates in PEM. */
    SKV_INVALID_ROOT = -3,
    /* Offsets do not begin at 0 or above, do not ascend, or end beyond the data. */
    SKV_INVALID_OFFSETS = -4,
    /* An Arrow array is not of strings or binary, or is damaged. */
    SKV_INVALID_ARROW = -5,
    /* The system has not enough memory. */
    SKV_OUT_OF_MEMORY = -6,
    /* The object was given back before, or is not one of this library's. */
    SKV_INVALID_HANDLE = -7
};

/* The meaning of a status: a NUL-terminated constant sentence; never NULL. */
const char *skv_status_message(int32_t status);

/* ---- Verdicts ---- */

/* The code of a verdict. Each row of results has one. */
enum {
    SKV_VERIFIED = 0,
    SKV_TOO_LARGE = 1,
    SKV_INVALID_ENCODING = 2,
    SKV_INVALID_CERTIFICATE_CHAIN = 3,
    SKV_INVALID_SIGNATURE = 4,
    SKV_MISSING_REQUIRED_PROPERTIES = 5,
    SKV_REVOKED_CERTIFICATE = 6,
    /* Nothing says at the moment whether a certificate was revoked: the same payload may pass later. */
    SKV_REVOCATION_UNKNOWN = 7,
    SKV_WRONG_ENVIRONMENT = 8,
    SKV_WRONG_BUNDLE_IDENTIFIER = 9,
    SKV_WRONG_APP_APPLE_IDENTIFIER = 10,
    SKV_INVALID_DEVICE_VERIFICATION = 11
};

/*
 * The name of a code as the command writes it in "error", such as
 * "invalidSignature": a NUL-terminated constant; "verified" for SKV_VERIFIED;
 * NULL for other numbers.
 */
const char *skv_code_name(int32_t code);

/* The kind of a verified payload. */
enum {
    /* The payload is not verified. */
    SKV_KIND_NONE = 0,
    SKV_KIND_TRANSACTION = 1,
    SKV_KIND_RENEWAL_INFO = 2,
    SKV_KIND_APP_TRANSACTION = 3,
    SKV_KIND_NOTIFICATION = 4,
    SKV_KIND_REALTIME_REQUEST = 5,
    SKV_KIND_RECEIPT = 6,
    /* Verified, and of no kind that this version knows. */
    SKV_KIND_UNKNOWN = 7
};

/*
 * The name of a kind as the command writes it in "type", such as
 * "transaction": a NUL-terminated constant; NULL for SKV_KIND_NONE and for
 * other numbers.
 */
const char *skv_kind_name(int32_t kind);

/* ---- Verifiers ---- */

/* The trusted roots and the policy. It caches the signers that it has met; its memory is bounded. */
typedef struct skv_verifier skv_verifier;

/* Bytes of the caller. */
typedef struct skv_bytes {
    const void *bytes;
    size_t length;
} skv_bytes;

/* Enough for the messages of this library, but for those that quote long names. */
#define SKV_MESSAGE_BYTES 512

/*
 * Creates a verifier.
 *
 * roots, root_count  Certificates to trust in place of Apple's roots, each one
 *                    in DER or any number in PEM. NULL and 0: Apple Root CA -
 *                    G3, and for receipts Apple Root CA.
 * options, length    A JSON object in UTF-8, or NULL and 0 for the defaults.
 *                    Its members, all optional:
 *   "bundleIds"       array of strings: accept payloads of these apps only
 *   "appAppleId"      integer: accept payloads of the app with this number only
 *   "environments"    array of "Production", "Sandbox", "Xcode", "LocalTesting"
 *   "deviceId"        UUID: accept payloads made for this device only
 *   "effectiveDate"   ISO 8601: judge certificates at this date
 *   "maxTokenBytes"   integer from 1: refuse longer tokens (1048576)
 *   "revocation"      "off" (the default), "soft" or "hard": ask by OCSP
 *   "engine"          "auto" (the default), "portable", "vector", "libcrypto"
 *   "jobs"            integer from 1: the most threads of one call, the
 *                     caller's own included (1); at most 64 are used
 *   "debug"           true: a verifier that is used after it was given back
 *                     gives SKV_INVALID_HANDLE instead of undefined behaviour;
 *                     its handle, 32 bytes, is never reused
 *   The meanings are those of the command's options. An unknown member, one
 *   that comes twice, a value of another type, and an array that is empty or
 *   has an empty string are refused.
 * verifier           Receives the verifier; give it back with
 *                    skv_verifier_free.
 * message, capacity  Receives a NUL-terminated sentence about the fault,
 *                    cut off at capacity bytes; may be NULL with 0.
 *
 * Returns SKV_OK, SKV_INVALID_ARGUMENT, SKV_INVALID_OPTIONS, SKV_INVALID_ROOT
 * or SKV_OUT_OF_MEMORY.
 */
int32_t skv_verifier_create(const skv_bytes *roots, size_t root_count, const char *options, size_t length,
                            skv_verifier **verifier, char *message, size_t capacity);

/* Gives a verifier back. No other thread may use it meanwhile or afterwards. */
void skv_verifier_free(skv_verifier *verifier);

/* ---- Verification ---- */

/* Verdicts on the tokens of one call, in their order. */
typedef struct skv_results skv_results;

/* Flags of the functions that give results; 0 for no flag. */
enum {
    /* Do not keep the payloads: the column SKV_PAYLOAD is empty. */
    SKV_WITHOUT_PAYLOADS = 1,
    /* Payloads by StoreKit's names, as the command's --output typed gives them. */
    SKV_TYPED = 2,
    /* Start no threads for this call, whatever the option "jobs" says. */
    SKV_IN_ONE_THREAD = 4
};

/*
 * Verifies one token: a compact JWS, a JSON object around one, or an app
 * receipt in base64.
 *
 * results  Receives one row; give it back with skv_results_free.
 *
 * Returns SKV_OK, SKV_INVALID_ARGUMENT, SKV_INVALID_HANDLE or
 * SKV_OUT_OF_MEMORY.
 */
int32_t skv_verify_token(const skv_verifier *verifier, const char *token, size_t length, uint32_t flags,
                         skv_results **results);

/*
 * Verifies many tokens that stand in one buffer. Token i is
 * data[offsets[i]] to data[offsets[i + 1] - 1], as in Arrow's arrays of
 * strings; so offsets has count + 1 elements. From the 16th token of a key on,
 * its signatures are verified together, many times faster than one by one: few
 * large calls are better than many small ones.
 *
 * size     The length of data in bytes.
 * count    The number of tokens; with 0, offsets may be NULL.
 * results  Receives count rows; give it back with skv_results_free.
 *
 * Returns SKV_OK, SKV_INVALID_ARGUMENT, SKV_INVALID_OFFSETS,
 * SKV_INVALID_HANDLE or SKV_OUT_OF_MEMORY. Linear in size.
 */
int32_t skv_verify32(const skv_verifier *verifier, const char *data, size_t size, const int32_t *offsets,
                     size_t count, uint32_t flags, skv_results **results);
int32_t skv_verify64(const skv_verifier *verifier, const char *data, size_t size, const int64_t *offsets,
                     size_t count, uint32_t flags, skv_results **results);

/*
 * Verifies the content of a receipt's file: PKCS #7 in DER, or its base64,
 * which may be broken into lines. Returns as skv_verify_token.
 */
int32_t skv_verify_receipt(const skv_verifier *verifier, const void *content, size_t length, uint32_t flags,
                           skv_results **results);

/* ---- Results ---- */

/* The number of rows; 0 for NULL. */
size_t skv_results_count(const skv_results *results);

/* The number of rows whose code is SKV_VERIFIED; 0 for NULL. */
size_t skv_results_verified_count(const skv_results *results);

/* The code of each row; NULL for NULL, and never otherwise. */
const uint8_t *skv_results_codes(const skv_results *results);

/* The kind of each row; NULL for NULL, and never otherwise. */
const uint8_t *skv_results_kinds(const skv_results *results);

/* The texts of results. */
enum {
    /* The signed JSON as it was signed, without its line breaks; empty if the row is not verified. */
    SKV_PAYLOAD = 0,
    /*
     * Why the row is not verified, a sentence; empty if it is verified. It may
     * quote the input, control characters too: escape it for a terminal.
     */
    SKV_MESSAGE = 1,
    /* A finer code of the failure, such as "x5cCount"; empty if the row is verified. */
    SKV_DETAIL = 2,
    /* The path of the member in a notification that failed; empty if the payload itself failed. */
    SKV_MEMBER = 3
};

/*
 * A text of all rows, one behind the other. The text of row i is from
 * (*offsets)[i] to (*offsets)[i + 1], without a NUL.
 *
 * offsets  Receives a pointer to count + 1 offsets in bytes, of which the
 *          first is 0.
 *
 * Returns NULL, with offsets set to NULL, if an argument is NULL or the column
 * is not one of those above; never NULL otherwise.
 */
const char *skv_results_text(const skv_results *results, int32_t column, const int64_t **offsets);

/* Gives results back, with everything that points into them. */
void skv_results_free(skv_results *results);

/* ---- Text ---- */

/* The output of skv_verify_lines: the command's --output. */
enum {
    /* A JSON object a line, for each line of the input that is not empty. */
    SKV_NDJSON = 0,
    /* The same with StoreKit's names. */
    SKV_NDJSON_TYPED = 1,
    /* One flat object a line with every column always, for analysts: --output rows. */
    SKV_NDJSON_ROWS = 2,
    /* The same as comma-separated values, with a line of names first: --output rows --format csv. */
    SKV_CSV_ROWS = 3
};

/*
 * Verifies lines that end in LF or CRLF, as the command does, and gives the
 * text of its standard output. The last line may lack its end. Empty
 * lines are skipped and counted.
 *
 * output      Receives the text; give it back with skv_free.
 * length_out  Receives its length in bytes.
 * failed      Receives the number of lines that are not verified; may be NULL.
 *
 * Returns SKV_OK, SKV_INVALID_ARGUMENT, SKV_INVALID_HANDLE or
 * SKV_OUT_OF_MEMORY.
 */
int32_t skv_verify_lines(const skv_verifier *verifier, const char *lines, size_t length, int32_t format,
                         char **output, size_t *length_out, size_t *failed);

/* How skv_inspect lays out its findings. */
enum {
    /* For a person, without colours. */
    SKV_INSPECT_TEXT = 0,
    /* One JSON object on a line. */
    SKV_INSPECT_JSON = 1
};

/*
 * Lays out one token or receipt: verdict, chain, dates, payload, each check
 * with its result. Unverified content is shown too, and labelled.
 *
 * input     A compact JWS, a JSON object around one, or a receipt's content; or
 *           text with one in it, such as a mail, a log line or JSON. Of several,
 *           the first is laid out. The JSON object's notes name the rest.
 * output    Receives the text; give it back with skv_free.
 * verified  Receives 1 or 0; may be NULL.
 *
 * Returns as skv_verify_lines.
 */
int32_t skv_inspect(const skv_verifier *verifier, const char *input, size_t length, int32_t format,
                    char **output, size_t *length_out, int32_t *verified);

/* Gives text back. */
void skv_free(void *text);

/*
 * The value of deviceVerification for a nonce and a device: base64 of SHA-384
 * over both UUIDs in lower case, 64 characters and a NUL.
 *
 * nonce, device  NUL-terminated UUIDs (RFC 9562, section 4).
 *
 * Returns SKV_OK, or SKV_INVALID_ARGUMENT if one is not a UUID.
 */
int32_t skv_device_hash(const char *nonce, const char *device, char hash[65]);

/* ---- Arrow ---- */

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

/* The structures of the Arrow C data interface, as its specification asks every header to declare them. */
struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

/* The content of skv_verify_arrow's arrays. */
enum {
    /* verified, type, payload, error, detail, at, message, retryable: the members of the command's objects. */
    SKV_ARROW_VERDICTS = 0,
    /* The same with payloads by StoreKit's names. */
    SKV_ARROW_TYPED = 1,
    /* The columns of the command's --output rows, with types. */
    SKV_ARROW_ROWS = 2
};

/*
 * Verifies an Arrow array of strings (formats u, U, vu) or binary (z, Z, vz),
 * without copying u, U, z and Z. Slices and nulls are honoured: a null token
 * gives a null row.
 *
 * schema, array          The input. It is read, and not released.
 * out_schema, out_array  Receive a struct array with a row for each element.
 *                        The caller calls their release functions. Where a
 *                        status is returned, their release is NULL.
 * message, capacity      As in skv_verifier_create, about SKV_INVALID_ARROW.
 *
 * Returns SKV_OK, SKV_INVALID_ARGUMENT, SKV_INVALID_ARROW, SKV_INVALID_HANDLE
 * or SKV_OUT_OF_MEMORY.
 */
int32_t skv_verify_arrow(const skv_verifier *verifier, const struct ArrowSchema *schema,
                         const struct ArrowArray *array, int32_t form, struct ArrowSchema *out_schema,
                         struct ArrowArray *out_array, char *message, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
