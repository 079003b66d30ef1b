// Whether this processor can execute a set of instructions. The variable LACKING names sets that it is to lack: with it, what is
// done without them can be tried on a processor that has them.
#ifndef ARITHMETIC_PROCESSOR_FITS_H
#define ARITHMETIC_PROCESSOR_FITS_H

#include <stdlib.h>
#include <string.h>

static int fits(const char *instructions)
{
    const char *lacking = getenv("LACKING");
    if (lacking && strstr(lacking, instructions)) return 0;
    if (strcmp(instructions, "avx512") == 0)
        return __builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("avx512vbmi2");
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

#endif
