#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdint.h>

/// How many times this thread has asked for memory; -1 where that cannot be counted.
int64_t allocation_count_of_thread(void);

#endif
