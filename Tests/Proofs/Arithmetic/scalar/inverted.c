// `inverted` of inversion.h with the functions that it calls as functions by themselves: these have contracts of their own.
#include "words_scalar.h"

#include "lanes.h"

// Visible functions keep their parameters.
#define static

#include "inversion.h"
