// The parts of libcrypto (OpenSSL 3) for the peers of the kernel and of receipts.
#ifndef STOREKIT_VERIFY_BENCHMARKS_CLIBCRYPTO_PEER_H
#define STOREKIT_VERIFY_BENCHMARKS_CLIBCRYPTO_PEER_H

#include <openssl/bio.h>
#include <openssl/cms.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#endif
