#ifndef CMEMORY_H
#define CMEMORY_H

#include <stddef.h>

/// Returns the bytes that the program has allocated and not freed, as its allocator counts them.
///
/// Zero where the C library does not tell.
size_t cmemory_bytes_in_use(void);

#endif
