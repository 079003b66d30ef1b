// The parts of libcurl that the package uses. The functions stand for calls with variable arguments, which Swift's
// importer does not import. Each sets one kind of thing, so that the module `Libcurl` decides what is set.
#ifndef STOREKIT_VERIFY_CLIBCURL_SHIM_H
#define STOREKIT_VERIFY_CLIBCURL_SHIM_H

#include <curl/curl.h>
#include <stdint.h>
#include <stdlib.h>

/// A request at libcurl. It keeps pointers into this memory, so the struct does not move.
typedef struct clibcurl_transfer {
    CURL *easy;
    struct curl_slist *fields;
    /// Words for what failed, if libcurl has any.
    char reason[CURL_ERROR_SIZE];
} clibcurl_transfer;

/// Gets some bytes of an answer. Another result than their number ends the request.
typedef size_t (*clibcurl_receiver)(char *bytes, size_t size, size_t count, void *context);

static inline void clibcurl_transfer_free(clibcurl_transfer *transfer)
{
    curl_easy_cleanup(transfer->easy);
    curl_slist_free_all(transfer->fields);
    free(transfer);
}

/// A request of HTTP/1.1 that follows no redirect, decodes nothing, and reads no file of the user's; NULL without memory.
static inline clibcurl_transfer *clibcurl_transfer_new(const char *method, const char *url, long milliseconds)
{
    clibcurl_transfer *transfer = calloc(1, sizeof *transfer);
    if (transfer == NULL) return NULL;
    CURL *easy = transfer->easy = curl_easy_init();
    if (easy == NULL || curl_easy_setopt(easy, CURLOPT_URL, url) != CURLE_OK
        || curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, method) != CURLE_OK) {
        clibcurl_transfer_free(transfer);
        return NULL;
    }
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->reason);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, milliseconds);
    // One request a connection at a time: whatever a server sends belongs to this request, and to its bounds.
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(easy, CURLOPT_HTTP_CONTENT_DECODING, 0L);
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
    // A request that ends does not wait for a name server: the thread that asks it ends by itself.
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
    return transfer;
}

/// Copies the body, which a request without one does not have.
static inline int clibcurl_set_body(clibcurl_transfer *transfer, const void *bytes, size_t count)
{
    return curl_easy_setopt(transfer->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count) == CURLE_OK
        && curl_easy_setopt(transfer->easy, CURLOPT_COPYPOSTFIELDS, count == 0 ? "" : bytes) == CURLE_OK;
}

/// Adds a header field, as `Name: value`. `Name:` leaves out a field that libcurl would add.
static inline int clibcurl_add_field(clibcurl_transfer *transfer, const char *field)
{
    struct curl_slist *fields = curl_slist_append(transfer->fields, field);
    if (fields == NULL) return 0;
    transfer->fields = fields;
    return curl_easy_setopt(transfer->easy, CURLOPT_HTTPHEADER, fields) == CURLE_OK;
}

/// Trusts the roots of a file alone, or this computer's if there is none.
static inline int clibcurl_set_security(clibcurl_transfer *transfer, const char *roots)
{
    CURL *easy = transfer->easy;
    if (curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2) != CURLE_OK) return 0;
    // libcurl may have been built with a folder of roots, which counts beside the file.
    return roots == NULL
        || (curl_easy_setopt(easy, CURLOPT_CAINFO, roots) == CURLE_OK
            && curl_easy_setopt(easy, CURLOPT_CAPATH, NULL) == CURLE_OK);
}

static inline void clibcurl_set_connecting(clibcurl_transfer *transfer, long milliseconds, int is_direct, int is_new)
{
    curl_easy_setopt(transfer->easy, CURLOPT_CONNECTTIMEOUT_MS, milliseconds);
    if (is_direct) curl_easy_setopt(transfer->easy, CURLOPT_PROXY, "");
    if (is_new) curl_easy_setopt(transfer->easy, CURLOPT_FRESH_CONNECT, 1L);
}

static inline void clibcurl_set_receivers(
    clibcurl_transfer *transfer, clibcurl_receiver head, clibcurl_receiver body, void *context)
{
    curl_easy_setopt(transfer->easy, CURLOPT_HEADERFUNCTION, head);
    curl_easy_setopt(transfer->easy, CURLOPT_HEADERDATA, context);
    curl_easy_setopt(transfer->easy, CURLOPT_WRITEFUNCTION, body);
    curl_easy_setopt(transfer->easy, CURLOPT_WRITEDATA, context);
}

/// Names the request for `clibcurl_ended`.
static inline void clibcurl_set_number(clibcurl_transfer *transfer, intptr_t number)
{
    curl_easy_setopt(transfer->easy, CURLOPT_PRIVATE, (void *)number);
}

/// Whether any byte of a request was sent, to a proxy too.
static inline int clibcurl_was_sent(const clibcurl_transfer *transfer)
{
    long count = 0;
    return curl_easy_getinfo(transfer->easy, CURLINFO_REQUEST_SIZE, &count) != CURLE_OK || count > 0;
}

/// Words for a result: those of this request, or libcurl's for any.
static inline const char *clibcurl_reason(const clibcurl_transfer *transfer, CURLcode result)
{
    return transfer->reason[0] == 0 ? curl_easy_strerror(result) : transfer->reason;
}

/// The system's error of the last connection that failed; 0 if there was none.
static inline int clibcurl_system_error(const clibcurl_transfer *transfer)
{
    long number = 0;
    return curl_easy_getinfo(transfer->easy, CURLINFO_OS_ERRNO, &number) == CURLE_OK ? (int)number : 0;
}

/// The number and the result of a request that has ended, which libcurl tells once; 0 if there is none.
static inline int clibcurl_ended(CURLM *multi, intptr_t *number, CURLcode *result)
{
    int rest = 0;
    for (CURLMsg *message; (message = curl_multi_info_read(multi, &rest)) != NULL;) {
        char *private = NULL;
        if (message->msg != CURLMSG_DONE) continue;
        if (curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &private) != CURLE_OK) continue;
        *number = (intptr_t)private;
        *result = message->data.result;
        return 1;
    }
    return 0;
}

#endif
