// libFuzzer has no header: this is the one function of its own that a mutator calls.
#ifndef STOREKIT_VERIFY_LIBFUZZER_H
#define STOREKIT_VERIFY_LIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// Changes bytes in place; returns how many there are then, at most `maximum`.
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t count, size_t maximum);

#endif
