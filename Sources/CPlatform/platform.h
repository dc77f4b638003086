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
#include <malloc.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

// mallopt(3): memory of `large` bytes and more goes back to the system as soon as it is free. glibc then
// adjusts nothing by itself any more, so the end of the heap gets the limit that it would have had: twice as
// much. Threads share `arenas` heaps; to be called before there is a second thread. Does nothing where the C
// library has no such settings.
static inline void stories_limit_heap(int large, int arenas) {
#ifdef M_MMAP_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, large);
  mallopt(M_TRIM_THRESHOLD, 2 * large);
#endif
#ifdef M_ARENA_MAX
  mallopt(M_ARENA_MAX, arenas);
#endif
}

// renameat2(2): RENAME_NOREPLACE fails with EEXIST, RENAME_EXCHANGE swaps the two names.
#define STORIES_RENAME_NOREPLACE 1u
#define STORIES_RENAME_EXCHANGE 2u

static inline int stories_renameat2(const char *from, const char *to, unsigned int flags) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags);
}

// syncfs(2): writes everything of the file system that holds `descriptor` to the disk.
static inline int stories_syncfs(int descriptor) { return (int)syscall(SYS_syncfs, descriptor); }

// pipe2(2): a pipe whose ends no program inherits, whoever starts one meanwhile.
static inline int stories_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }

// posix_spawn_file_actions_addchdir_np(3): the folder that a program starts in.
static inline int stories_spawn_in(posix_spawn_file_actions_t *actions, const char *folder) {
  extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
  return posix_spawn_file_actions_addchdir_np(actions, folder);
}

// posix_spawn_file_actions_addclosefrom_np(3): the program that starts gets none of this process's
// files from `first` on. Does nothing where the C library is older than glibc 2.34.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int)
    __attribute__((weak));
static inline void stories_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
  if (posix_spawn_file_actions_addclosefrom_np)
    posix_spawn_file_actions_addclosefrom_np(actions, first);
}
#endif

#endif
