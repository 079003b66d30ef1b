// The parts of libcrypto (OpenSSL 3) that the package uses. The only additions are functions for declarations that Swift's
// importer does not import, such as macros with arguments.
#ifndef STOREKIT_VERIFY_CLIBCRYPTO_SHIM_H
#define STOREKIT_VERIFY_CLIBCRYPTO_SHIM_H

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/cms.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/obj_mac.h>
#include <openssl/objects.h>
#include <openssl/ocsp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/stack.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// SHA-256 with a state that can be kept and continued. OpenSSL 3 deprecates these functions, so that
// applications leave the choice of an implementation to providers. But EVP allocates memory for every copy of
// a state, and these functions run the same code.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
static inline int clibcrypto_sha256_init(SHA256_CTX *state) { return SHA256_Init(state); }
static inline int clibcrypto_sha256_update(SHA256_CTX *state, const void *bytes, size_t count)
{
    return SHA256_Update(state, bytes, count);
}
static inline int clibcrypto_sha256_final(unsigned char *digest, SHA256_CTX *state)
{
    return SHA256_Final(digest, state);
}

// SHA-1, SHA-256 and SHA-384 over whole messages, by the older functions too: the newer ones look the algorithm up by
// its name.
static inline void clibcrypto_sha1(const void *bytes, size_t count, unsigned char *digest)
{
    SHA_CTX state;
    SHA1_Init(&state);
    SHA1_Update(&state, bytes, count);
    SHA1_Final(digest, &state);
}
static inline void clibcrypto_sha256(const void *bytes, size_t count, unsigned char *digest)
{
    SHA256_CTX state;
    SHA256_Init(&state);
    SHA256_Update(&state, bytes, count);
    SHA256_Final(digest, &state);
}
static inline void clibcrypto_sha384(const void *bytes, size_t count, unsigned char *digest)
{
    SHA512_CTX state;
    SHA384_Init(&state);
    SHA384_Update(&state, bytes, count);
    SHA384_Final(digest, &state);
}
#pragma clang diagnostic pop

/// The bytes held by a memory BIO. The BIO owns them.
static inline long clibcrypto_bio_memory(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }

/// A key on P-256 of its uncompressed point and its private number, which is in the machine's order; NULL if libcrypto
/// fails. The caller frees the key. In C, because parameters keep pointers to their names.
static inline EVP_PKEY *clibcrypto_p256_key(void *point, size_t point_count, void *number, size_t number_count)
{
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string("group", (char *)"prime256v1", 0),
        OSSL_PARAM_construct_octet_string("pub", point, point_count),
        OSSL_PARAM_construct_BN("priv", (unsigned char *)number, number_count),
        OSSL_PARAM_construct_end(),
    };
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    if (context == NULL || EVP_PKEY_fromdata_init(context) != 1
        || EVP_PKEY_fromdata(context, &key, EVP_PKEY_KEYPAIR, parameters) != 1)
        key = NULL;
    EVP_PKEY_CTX_free(context);
    return key;
}

/// RFC 2253's form of a name, with characters beyond ASCII left as UTF-8.
static inline unsigned long clibcrypto_name_flags(void) { return XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB; }

#endif
