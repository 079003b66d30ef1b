// The parts of libcrypto (OpenSSL 3) that the package uses, and nothing of our own but names for macros:
// Swift's importer does not see a macro that takes arguments.
#ifndef STOREKIT_VERIFY_CLIBCRYPTO_SHIM_H
#define STOREKIT_VERIFY_CLIBCRYPTO_SHIM_H

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/obj_mac.h>
#include <openssl/objects.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/// What `EVP_PKEY_fromdata` is to make: a public key.
static inline int clibcrypto_public_key(void) { return EVP_PKEY_PUBLIC_KEY; }

/// The bytes held by a memory BIO; they belong to the BIO.
static inline long clibcrypto_bio_memory(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }

/// RFC 2253's form of a name, with characters beyond ASCII left as UTF-8.
static inline unsigned long clibcrypto_name_flags(void) { return XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB; }

#endif
