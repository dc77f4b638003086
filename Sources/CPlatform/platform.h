// System calls that the C library's own module does not export to Swift.
#ifndef STORIES_PLATFORM_H
#define STORIES_PLATFORM_H

// The variables of this process, as execve(2) hands them on.
static inline char **stories_environment(void) {
  extern char **environ;
  return environ;
}

#ifdef __linux__
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

// renameat2(2): RENAME_NOREPLACE fails with EEXIST, RENAME_EXCHANGE swaps the two names.
#define STORIES_RENAME_NOREPLACE 1u
#define STORIES_RENAME_EXCHANGE 2u

static inline int stories_renameat2(const char *from, const char *to, unsigned int flags) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags);
}

// syncfs(2): writes everything of the file system that holds `descriptor` to the disk.
static inline int stories_syncfs(int descriptor) { return (int)syscall(SYS_syncfs, descriptor); }
#endif

#endif
