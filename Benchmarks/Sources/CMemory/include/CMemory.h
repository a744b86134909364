#ifndef CMEMORY_H
#define CMEMORY_H

#include <stddef.h>

/// Returns the bytes that the program has allocated and not freed, as its allocator counts them.
///
/// Zero where the C library does not tell.
size_t cmemory_bytes_in_use(void);

/// Returns the bytes of memory that the program occupies, as its system counts them.
///
/// What was freed and not given back to the system counts too. Zero where the system does not tell.
size_t cmemory_resident_bytes(void);

#endif
