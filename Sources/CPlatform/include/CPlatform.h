// System calls that the C library's own module does not export to Swift.
//
// No header of the system is included here: types like `struct stat` would then belong to this module as
// well as to the C library's, and which of the two Swift takes them from depends on the order of a build.
#ifndef STORIES_PLATFORM_H
#define STORIES_PLATFORM_H

// The variables of this process, as execve(2) hands them on.
char **stories_environment(void);

// Opens the folder at a plain path, through which others are to be reached.
int stories_open_root(const char *path);

// Opens a folder in an open folder; ELOOP if the name is a symbolic link.
int stories_open_folder(int folder, const char *name, int flags);

// Opens the folder `path` below the open folder `root`, one component after the other, so that no symbolic
// link is followed. Missing folders are made with `mode` and flushed, unless it is negative.
//
// Returns -1 with errno on failure: ELOOP for a link, EXDEV for `.` and `..`. `*end` is then where the
// component that failed ends in `path`.
int stories_open_below(int root, const char *path, int mode, __SIZE_TYPE__ *end);

#ifdef __linux__
// renameat2(2): RENAME_NOREPLACE fails with EEXIST, RENAME_EXCHANGE swaps the two names.
#define STORIES_RENAME_NOREPLACE 1u
#define STORIES_RENAME_EXCHANGE 2u
int stories_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags);

// syncfs(2): writes everything of the file system that holds `descriptor` to the disk.
int stories_syncfs(int descriptor);

// pipe2(2): a pipe whose ends no program inherits, whoever starts one meanwhile.
int stories_pipe(int ends[2]);

// posix_spawn_file_actions_addchdir_np(3): the folder that a program starts in. `actions` points to a
// posix_spawn_file_actions_t.
int stories_spawn_in(void *actions, const char *folder);

// posix_spawn_file_actions_addclosefrom_np(3): the program that starts gets none of this process's
// files from `first` on. Does nothing where the C library is older than glibc 2.34. `actions` points to a
// posix_spawn_file_actions_t.
void stories_spawn_close_from(void *actions, int first);
#endif

#endif
