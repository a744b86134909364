#include "CMemory.h"

// Says, by the way, which C library this is.
#include <stdlib.h>

#if defined(__APPLE__)
#include <malloc/malloc.h>

size_t cmemory_bytes_in_use(void) {
  malloc_statistics_t statistics;
  malloc_zone_statistics(NULL, &statistics);
  return statistics.size_in_use;
}

#elif defined(__GLIBC__)
#include <malloc.h>

size_t cmemory_bytes_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

#else

size_t cmemory_bytes_in_use(void) {
  return 0;
}

#endif

#if defined(__APPLE__)
#include <mach/mach.h>

size_t cmemory_resident_bytes(void) {
  mach_task_basic_info_data_t info;
  mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
  kern_return_t result =
      task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&info, &count);
  return result == KERN_SUCCESS ? info.resident_size : 0;
}

#elif defined(__linux__)
#include <stdio.h>
#include <unistd.h>

size_t cmemory_resident_bytes(void) {
  unsigned long total, resident;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL) return 0;
  int read = fscanf(file, "%lu %lu", &total, &resident);
  fclose(file);
  return read == 2 ? resident * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

#else

size_t cmemory_resident_bytes(void) {
  return 0;
}

#endif
