// System calls that the C library's module does not export to Swift.
//
// This includes no system headers: types such as `struct stat` would belong to both this module and the C
// library's, and the build order would determine which one Swift uses.
#ifndef STORIES_PLATFORM_H
#define STORIES_PLATFORM_H

// Returns the environment variables of this process, in the form of execve(2).
char **stories_environment(void);

// Opens the folder at a plain path in order to reach others, following links.
int stories_open_root(const char *path);

// Opens a folder in an open folder; ELOOP if the name is a symbolic link.
int stories_open_folder(int folder, const char *name, int flags);

// Opens the folder `path` below the open folder `root` component by component, without following symbolic
// links. Creates missing folders with `mode` and flushes them, unless `mode` is negative.
//
// Returns -1 with errno on failure: ELOOP for a link, EXDEV for `.` and `..`. `*end` is then the offset in
// `path` after the component that failed.
int stories_open_below(int root, const char *path, int mode, __SIZE_TYPE__ *end);

#ifdef __linux__
// renameat2(2): RENAME_NOREPLACE fails with EEXIST; RENAME_EXCHANGE swaps the two names.
#define STORIES_RENAME_NOREPLACE 1u
#define STORIES_RENAME_EXCHANGE 2u
int stories_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags);

// Returns whether any program has the file `name` in the open folder `folder` open for writing: a read lease
// (F_SETLEASE, fcntl(2)) is refused then, and is released at once otherwise. 0 if the file system has no leases,
// if its server has them (NFS and SMB refuse those that it has not granted), or the file belongs to another user.
int stories_has_writer(int folder, const char *name);

// Returns whether a rename over a file may be cut in two by a crash on the file system of an open folder, so that
// the name is lost: exFAT, FAT, and drivers in user space, which may be for one of these (statfs(2)).
int stories_may_cut_renames(int folder);

// syncfs(2): flushes the file system that contains `descriptor` to disk.
int stories_syncfs(int descriptor);

// pipe2(2): creates a pipe that no child process inherits, even one started concurrently.
int stories_pipe(int ends[2]);

// posix_spawn_file_actions_addchdir_np(3): sets the working directory of the program. `actions` points to a
// posix_spawn_file_actions_t.
int stories_spawn_in(void *actions, const char *folder);

// posix_spawn_file_actions_addclosefrom_np(3): closes the descriptors from `first` on in the program. Does
// nothing if the C library is older than glibc 2.34. `actions` points to a posix_spawn_file_actions_t.
void stories_spawn_close_from(void *actions, int first);
#endif

#endif
