#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#ifdef __linux__
#include <signal.h>
#include <spawn.h>
#endif
#include <string.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <sys/vfs.h>
#endif
#include <unistd.h>

// The flags for opening a folder in order to reach others. O_PATH needs no permission to list it.
#ifdef __linux__
#define STORIES_FOLDER (O_PATH | O_DIRECTORY | O_CLOEXEC)
#elif defined(O_SEARCH)
#define STORIES_FOLDER (O_SEARCH | O_DIRECTORY | O_CLOEXEC)
#else
#define STORIES_FOLDER (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#endif

int stories_open_root(const char *path) { return open(path, STORIES_FOLDER); }

int stories_open_folder(int folder, const char *name, int flags) {
  int result = openat(folder, name, flags | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat status;
  if (result < 0 && errno == ENOTDIR) {
    int is_link = fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
    errno = is_link ? ELOOP : ENOTDIR;
  }
  return result;
}

int stories_open_below(int root, const char *path, int mode, size_t *end) {
  int folder = fcntl(root, F_DUPFD_CLOEXEC, 0);
  const char *next = path;
  while (folder >= 0) {
    while (*next == '/') next++;
    if (*next == 0) return folder;
    char name[256];
    size_t length = strcspn(next, "/");
    *end = (size_t)(next - path) + length;
    int inner = -1, code = 0;
    if (length >= sizeof name) {
      code = ENAMETOOLONG;
    } else {
      memcpy(name, next, length);
      name[length] = 0;
      if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        code = EXDEV;
      } else {
        inner = stories_open_folder(folder, name, STORIES_FOLDER);
        if (inner < 0 && errno == ENOENT && mode >= 0) {
          if (mkdirat(folder, name, (mode_t)mode) == 0) {
            int names = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            if (names >= 0) {
              fsync(names);
              close(names);
            }
            inner = stories_open_folder(folder, name, STORIES_FOLDER);
          } else if (errno == EEXIST) {
            inner = stories_open_folder(folder, name, STORIES_FOLDER);
          }
        }
        if (inner < 0) code = errno;
      }
    }
    close(folder);
    if (code != 0) errno = code;
    folder = inner;
    next += length;
  }
  return -1;
}

char **stories_environment(void) {
  extern char **environ;
  return environ;
}

#ifdef __linux__
int stories_renameat2(
    int from_folder, const char *from, int to_folder, const char *to, unsigned int flags) {
  return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

static unsigned int file_system(int folder) {
  struct statfs status;
  return fstatfs(folder, &status) == 0 ? (unsigned int)status.f_type : 0;
}

int stories_has_writer(int folder, const char *name) {
  int file = openat(folder, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return 0;
  // A program that opens it right now breaks the lease. SIGIO would end this process, SIGURG does nothing.
  fcntl(file, F_SETSIG, SIGURG);
  int has_writer = fcntl(file, F_SETLEASE, F_RDLCK) != 0 && errno == EAGAIN;
  close(file);
  if (!has_writer) return 0;
  switch (file_system(folder)) {
    case 0x6969:      // NFS
    case 0xFF534D42:  // SMB
    case 0xFE534D42:  // SMB 2 and 3
      return 0;
    default: return 1;
  }
}

int stories_may_cut_renames(int folder) {
  switch (file_system(folder)) {
    case 0x2011BAB0:  // exFAT
    case 0x4D44:      // FAT
    case 0x65735546:  // FUSE
      return 1;
    default: return 0;
  }
}

int stories_syncfs(int descriptor) { return syncfs(descriptor); }

int stories_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int stories_spawn_in(void *actions, const char *folder) {
  return posix_spawn_file_actions_addchdir_np(actions, folder);
}

extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int)
    __attribute__((weak));
void stories_spawn_close_from(void *actions, int first) {
  if (posix_spawn_file_actions_addclosefrom_np)
    posix_spawn_file_actions_addclosefrom_np(actions, first);
}
#endif
