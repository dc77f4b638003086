// Counts what this thread allocates, so that the benchmark can tell how many allocations some work takes.
#ifndef STORIES_ALLOCATIONS_H
#define STORIES_ALLOCATIONS_H

/// How often this thread has asked for memory since it began; -1 where nobody counts.
long stories_allocation_count(void);

#endif
