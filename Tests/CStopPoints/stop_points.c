#define _GNU_SOURCE
#include "stop_points.h"

#ifdef __linux__
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#define SLOTS 64

struct slot {
  int is_used;
  size_t length;
  char root[PATH_MAX];
  long count;
  long at;
  long hook_at;
  void (*hook)(void *);
  void *context;
};

static struct slot slots[SLOTS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int watched;
static _Thread_local int is_in_hook;

int stop_points_watch(const char *root) {
  int found = -1;
  pthread_mutex_lock(&mutex);
  for (int index = 0; index < SLOTS && found < 0; index++) {
    if (slots[index].is_used) continue;
    memset(&slots[index], 0, sizeof slots[index]);
    slots[index].is_used = 1;
    slots[index].length = strlen(root);
    strncpy(slots[index].root, root, PATH_MAX - 1);
    found = index;
  }
  pthread_mutex_unlock(&mutex);
  if (found >= 0) atomic_fetch_add(&watched, 1);
  return found;
}

void stop_points_arm(int slot, long at) {
  pthread_mutex_lock(&mutex);
  slots[slot].count = 0;
  slots[slot].at = at;
  slots[slot].hook_at = 0;
  pthread_mutex_unlock(&mutex);
}

long stop_points_count(int slot) {
  pthread_mutex_lock(&mutex);
  long count = slots[slot].count;
  pthread_mutex_unlock(&mutex);
  return count;
}

void stop_points_stop(int slot) {
  pthread_mutex_lock(&mutex);
  slots[slot].at = 1;
  if (slots[slot].count < 1) slots[slot].count = 1;
  pthread_mutex_unlock(&mutex);
}

int stop_points_is_stopped(int slot) {
  pthread_mutex_lock(&mutex);
  int is_stopped = slots[slot].at > 0 && slots[slot].count >= slots[slot].at;
  pthread_mutex_unlock(&mutex);
  return is_stopped;
}

void stop_points_interrupt(int slot, long at, void (*hook)(void *), void *context) {
  pthread_mutex_lock(&mutex);
  slots[slot].hook_at = slots[slot].count + at;
  slots[slot].hook = hook;
  slots[slot].context = context;
  pthread_mutex_unlock(&mutex);
}

void stop_points_forget(int slot) {
  pthread_mutex_lock(&mutex);
  slots[slot].is_used = 0;
  pthread_mutex_unlock(&mutex);
  atomic_fetch_sub(&watched, 1);
}

#define REAL(name) ((typeof(&name))real(#name))

static void *real(const char *name) {
  // Looked up each time: a few hundred calls a run, and no order of initialisation to think about.
  return dlsym(RTLD_NEXT, name);
}

#ifdef STOP_POINTS_KILL

// What each call was, in order: the first letter of its name.
static char kinds[1 << 16];
static int tears, is_on_drive;

__attribute__((constructor)) static void begin(void) {
  const char *root = getenv("STOP_POINTS_ROOT"), *at = getenv("STOP_POINTS_AT");
  // Programs that this one starts are none of the test's business.
  unsetenv("LD_PRELOAD");
  tears = getenv("STOP_POINTS_TEARS") != NULL;
  is_on_drive = getenv("STOP_POINTS_DRIVE") != NULL;
  if (root) stop_points_arm(stop_points_watch(root), at ? atol(at) : 0);
}

__attribute__((destructor)) static void finish(void) {
  const char *path = getenv("STOP_POINTS_LOG");
  if (!path) return;
  is_in_hook = 1;
  FILE *file = fopen(path, "w");
  if (!file) return;
  fputs(kinds, file);
  fclose(file);
}

static int refused(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

static ssize_t refused_write(int descriptor, const void *bytes, size_t count) {
  if (tears) REAL(write)(descriptor, bytes, count / 2);
  return refused();
}

static ssize_t refused_pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  if (tears) REAL(pwrite)(descriptor, bytes, count / 2, offset);
  return refused();
}

static int refused_rename(int folder, const char *name) {
  if (tears && is_on_drive) REAL(unlinkat)(folder, name, 0);
  return refused();
}

int fstatfs(int descriptor, struct statfs *status) {
  int result = REAL(fstatfs)(descriptor, status);
  if (result == 0 && is_on_drive) status->f_type = 0x2011BAB0;
  return result;
}

static void log_call(long count, char kind) {
  if (count > 0 && count < (long)sizeof kinds) kinds[count - 1] = kind;
}

#else

static const int is_on_drive = 0;

static int refused(void) { return -1; }
static int refused_rename(int folder, const char *name) { return -1; }
static ssize_t refused_write(int d, const void *b, size_t c) { return -1; }
static ssize_t refused_pwrite(int d, const void *b, size_t c, off_t o) { return -1; }
static void log_call(long count, char kind) {}

#endif

// Counts a call on a path; whether it has to fail.
static int fails(const char *path, char kind) {
  if (path == NULL || atomic_load(&watched) == 0 || is_in_hook) return 0;
  int result = 0;
  void (*hook)(void *) = NULL;
  void *context = NULL;
  pthread_mutex_lock(&mutex);
  for (int index = 0; index < SLOTS; index++) {
    struct slot *slot = &slots[index];
    if (!slot->is_used || strncmp(path, slot->root, slot->length) != 0) continue;
    if (path[slot->length] != '/' && path[slot->length] != 0) continue;
    slot->count++;
    log_call(slot->count, kind);
    result = slot->at > 0 && slot->count >= slot->at;
    if (slot->hook_at > 0 && slot->count == slot->hook_at) {
      hook = slot->hook;
      context = slot->context;
    }
    break;
  }
  pthread_mutex_unlock(&mutex);
  if (hook) {
    is_in_hook = 1;
    hook(context);
    is_in_hook = 0;
  }
  if (result) errno = EIO;
  return result;
}

static int descriptor_fails(int descriptor, char kind) {
  if (atomic_load(&watched) == 0) return 0;
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return fails(path, kind);
}

// Counts a call on a name in an open folder.
static int fails_at(int folder, const char *name, char kind) {
  if (name == NULL || atomic_load(&watched) == 0) return 0;
  if (folder == AT_FDCWD || name[0] == '/') return fails(name, kind);
  char link[64], path[2 * PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length <= 0) return 0;
  snprintf(path + length, sizeof path - (size_t)length, "/%s", name);
  return fails(path, kind);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  static typeof(&write) next;
  if (!next) next = REAL(write);
  return descriptor_fails(descriptor, 'w') ? refused_write(descriptor, bytes, count)
                                           : next(descriptor, bytes, count);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  return descriptor_fails(descriptor, 'w') ? refused_pwrite(descriptor, bytes, count, offset)
                                           : REAL(pwrite)(descriptor, bytes, count, offset);
}

int ftruncate(int descriptor, off_t length) {
  return descriptor_fails(descriptor, 't') ? refused() : REAL(ftruncate)(descriptor, length);
}

int fchmod(int descriptor, mode_t mode) {
  return descriptor_fails(descriptor, 'c') ? refused() : REAL(fchmod)(descriptor, mode);
}

int unlink(const char *path) { return fails(path, 'u') ? refused() : REAL(unlink)(path); }

int rmdir(const char *path) { return fails(path, 'd') ? refused() : REAL(rmdir)(path); }

int mkdir(const char *path, mode_t mode) {
  return fails(path, 'm') ? refused() : REAL(mkdir)(path, mode);
}

int unlinkat(int folder, const char *path, int flags) {
  return fails_at(folder, path, flags & AT_REMOVEDIR ? 'd' : 'u')
             ? refused()
             : REAL(unlinkat)(folder, path, flags);
}

int mkdirat(int folder, const char *path, mode_t mode) {
  return fails_at(folder, path, 'm') ? refused() : REAL(mkdirat)(folder, path, mode);
}

int renameat(int old, const char *from, int new, const char *to) {
  return fails_at(new, to, 'r') ? refused_rename(new, to) : REAL(renameat)(old, from, new, to);
}

int linkat(int old, const char *from, int new, const char *to, int flags) {
  if (is_on_drive) return errno = EPERM, -1;
  return fails_at(new, to, 'l') ? refused() : REAL(linkat)(old, from, new, to, flags);
}

int rename(const char *from, const char *to) {
  return fails(to, 'r') ? refused_rename(AT_FDCWD, to) : REAL(rename)(from, to);
}

int link(const char *from, const char *to) {
  if (is_on_drive) return errno = EPERM, -1;
  return fails(to, 'l') ? refused() : REAL(link)(from, to);
}

// renameat2(2) has no wrapper in every C library, so programs come here for it.
long syscall(long number, ...) {
  static typeof(&syscall) next;
  if (!next) next = REAL(syscall);
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
  long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  if (number == SYS_renameat2 && is_on_drive && e != 0) return errno = EINVAL, -1;
  if (number == SYS_renameat2 && fails_at((int)c, (const char *)d, 'r')) return refused();
  return next(number, a, b, c, d, e, f);
}

#else

int stop_points_watch(const char *root) { return 0; }
void stop_points_arm(int slot, long at) {}
long stop_points_count(int slot) { return 0; }
void stop_points_stop(int slot) {}
void stop_points_interrupt(int slot, long at, void (*hook)(void *), void *context) {}
int stop_points_is_stopped(int slot) { return 0; }
void stop_points_forget(int slot) {}

#endif
