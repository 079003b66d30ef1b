// The header of the processor's vector instructions, with another meaning: it records what is executed. Words_avx512.h and
// words_avx2.h include it instead of the compiler's, so their text belongs to what is proven.
#include "avx2.h"

#include "avx512.h"
