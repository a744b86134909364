#include "CUsage.h"

#include <time.h>

static uint64_t nanoseconds(clockid_t clock) {
  struct timespec time;
  if (clock_gettime(clock, &time) != 0) return 0;
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t cusage_cpu_nanoseconds(void) {
  return nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t cusage_clock_nanoseconds(void) {
  return nanoseconds(CLOCK_MONOTONIC);
}

#if defined(__APPLE__)
#include <mach/mach.h>

size_t cusage_peak_bytes(void) {
  mach_task_basic_info_data_t info;
  mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
  kern_return_t result =
      task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&info, &count);
  return result == KERN_SUCCESS ? info.resident_size_max : 0;
}

#elif defined(__linux__)
#include <stdio.h>

// Not ru_maxrss, which is never less than what the parent had when it made this process.
size_t cusage_peak_bytes(void) {
  FILE *file = fopen("/proc/self/status", "r");
  if (file == NULL) return 0;
  char line[256];
  size_t kilobytes = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "VmHWM: %zu kB", &kilobytes) == 1) break;
  }
  fclose(file);
  return kilobytes * 1024;
}

#else

size_t cusage_peak_bytes(void) {
  return 0;
}

#endif
