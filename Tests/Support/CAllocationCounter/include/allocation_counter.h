#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdint.h>

/// How many times this thread has allocated memory; -1 if that cannot be counted.
int64_t allocation_count_of_thread(void);

#endif
