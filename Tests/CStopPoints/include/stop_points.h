// Lets a test end a "process" between any two of its changes to a folder.
//
// The system calls that change files are wrapped for this whole program. Calls on files below a
// watched folder are counted; from a chosen one on, they fail with EIO and change nothing, so that
// the folder stays as `kill -9` would have left it. Linux only; elsewhere nothing is counted.
//
// Built as a library of its own with STOP_POINTS_KILL and preloaded into another program (ld.so(8)),
// the same code kills that program with SIGKILL instead, as the environment says:
//   STOP_POINTS_ROOT   the folder to watch
//   STOP_POINTS_AT     the call that is not made any more, counted from 1
//   STOP_POINTS_TEARS  where it is set, half of that call is still made: half of the bytes are written, and
//                      on a drive a file that would be renamed over is removed
//   STOP_POINTS_DRIVE  where it is set, the folder is on a drive with exFAT: no exchange of names, no hard
//                      links, and a rename over a file removes that first
//   STOP_POINTS_LOG    where to write, at the end, what each call was: a letter each, `w` for a write
// A flush is no call of its own: killed before or after it, the folder looks the same.
#ifndef STOP_POINTS_H
#define STOP_POINTS_H

// Starts to watch a folder (absolute path); -1 where too many are watched.
int stop_points_watch(const char *root);
// Lets the `at`-th call from now on (counted from 1) and all after it fail; 0 lets none fail.
// The count starts anew.
void stop_points_arm(int slot, long at);
// The number of calls since `stop_points_arm`, those that failed included.
long stop_points_count(int slot);
// Lets everything from now on fail, whatever the count.
void stop_points_stop(int slot);
// Whether calls fail now.
int stop_points_is_stopped(int slot);
// Calls `hook` right before the `at`-th call from now on, on that call's thread. Changes that the hook
// makes are not counted.
void stop_points_interrupt(int slot, long at, void (*hook)(void *), void *context);
// Ends watching.
void stop_points_forget(int slot);

#endif
