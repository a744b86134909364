#ifndef CUSAGE_H
#define CUSAGE_H

#include <stddef.h>
#include <stdint.h>

/// Returns the nanoseconds for which processors have worked for this process, in all its threads
/// and in the system.
uint64_t cusage_cpu_nanoseconds(void);

/// Returns the nanoseconds on a clock that is never set.
uint64_t cusage_clock_nanoseconds(void);

/// Returns the most bytes of memory that this process has occupied at once, what is shared with
/// others included.
///
/// Zero where the system does not tell.
size_t cusage_peak_bytes(void);

#endif
