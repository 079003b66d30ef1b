// The parts of libcrypto (OpenSSL 3) that the peer of the kernel is made of.
#ifndef STOREKIT_VERIFY_BENCHMARKS_CLIBCRYPTO_PEER_H
#define STOREKIT_VERIFY_BENCHMARKS_CLIBCRYPTO_PEER_H

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#endif
