#ifndef ASSETS_H
#define ASSETS_H

#include <stddef.h>

/// The bytes of a file that is part of the executable.
typedef struct {
    const unsigned char *start;
    size_t count;
} asset;

/// The file of this name, in its folder; without bytes if there is none.
asset asset_named(const char *name);

#endif
