// Stands before the C library's allocator in the one program that is linked with it (the benchmark):
// each call is counted, by thread, and passed on. Only glibc exports the names to pass it on to.
#include "allocations.h"

#include <stddef.h>
#include <stdlib.h>

#if defined(__GLIBC__)

static _Thread_local long count;

long stories_allocation_count(void) { return count; }

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  count += 1;
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count += 1;
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  count += 1;
  return __libc_realloc(block, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  count += 1;
  *block = __libc_memalign(alignment, size);
  return *block == NULL ? 12 /* ENOMEM */ : 0;
}

#else

long stories_allocation_count(void) { return -1; }

#endif
