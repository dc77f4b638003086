// libcurl, loaded when the first request is made instead of when the program starts.
//
// URLSession needs libcurl, which needs thirty further libraries. Loading them takes longer than a
// whole `status`. The release build links Foundation statically, and finds here what Foundation calls
// of libcurl (https://curl.se/libcurl/c/allfuncs.html); each function looks up the real one when it is
// first called. Where libcurl is missing the program ends with 127, as it would at its start.
//
// A debug build links Foundation dynamically: it loads libcurl by itself, and this file is empty.

#ifdef STORIES_LAZY_CURL

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

// Debian builds libcurl with OpenSSL and with GnuTLS; both have the functions below.
static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};

static void *find(const char *function) {
  void *found = NULL;
  for (size_t place = 0; place < sizeof names / sizeof *names && !found; place++) {
    void *library = dlopen(names[place], RTLD_LAZY | RTLD_LOCAL);
    if (library) found = dlsym(library, function);
  }
  if (!found) {
    const char *reason = dlerror();
    fprintf(stderr, "stories: libcurl, which requests need, cannot be loaded: %s\n",
            reason ? reason : function);
    fflush(stderr);
    _exit(127);
  }
  return found;
}

// Two threads that call a function for the first time both find the same address.
#define FORWARD(result, name, parameters, arguments)                                   \
  __attribute__((visibility("hidden"))) result name parameters {                       \
    static result(*_Atomic real) parameters;                                           \
    if (!real) real = (result(*) parameters)find(#name);                               \
    return real arguments;                                                             \
  }

// The one argument behind the option is a pointer, a long or a curl_off_t: all take one register.
#define FORWARD_OPTION(name)                                                           \
  __attribute__((visibility("hidden"))) int name(void *handle, int option, ...) {      \
    static int (*_Atomic real)(void *, int, ...);                                      \
    if (!real) real = (int (*)(void *, int, ...))find(#name);                          \
    va_list arguments;                                                                 \
    va_start(arguments, option);                                                       \
    void *value = va_arg(arguments, void *);                                           \
    va_end(arguments);                                                                 \
    return real(handle, option, value);                                                \
  }

typedef void *pointer;
typedef const char *text;

FORWARD(int, curl_global_init, (long flags), (flags))
FORWARD(text, curl_version, (void), ())
FORWARD(pointer, curl_version_info, (int age), (age))
FORWARD(void, curl_free, (pointer memory), (memory))

FORWARD(pointer, curl_easy_init, (void), ())
FORWARD(void, curl_easy_cleanup, (pointer handle), (handle))
FORWARD(int, curl_easy_pause, (pointer handle, int mask), (handle, mask))
FORWARD(text, curl_easy_strerror, (int code), (code))
FORWARD_OPTION(curl_easy_setopt)
FORWARD_OPTION(curl_easy_getinfo)

FORWARD(pointer, curl_multi_init, (void), ())
FORWARD(int, curl_multi_cleanup, (pointer multi), (multi))
FORWARD(int, curl_multi_add_handle, (pointer multi, pointer handle), (multi, handle))
FORWARD(int, curl_multi_remove_handle, (pointer multi, pointer handle), (multi, handle))
FORWARD(int, curl_multi_assign, (pointer multi, int socket, pointer data), (multi, socket, data))
FORWARD(int, curl_multi_socket_action, (pointer multi, int socket, int events, int *running),
        (multi, socket, events, running))
FORWARD(pointer, curl_multi_info_read, (pointer multi, int *left), (multi, left))

// What curl waits for on a socket, see https://curl.se/libcurl/c/CURLMOPT_SOCKETFUNCTION.html.
enum { SOCKET_FUNCTION_OPTION = 20001, POLL_IN = 1, POLL_OUT = 2, POLL_REMOVE = 4 };

typedef int (*socket_function)(pointer easy, int socket, int what, pointer user, pointer data);
static _Atomic socket_function foundations_socket_function;
// Whether somebody waits until a socket can be written to. A socket with a larger number is left alone.
static _Atomic unsigned char waits_to_write[4096];

// Foundation begins to wait until a socket can be written to, and ends that only together with all
// waiting for it: once a connection is open, or a body of more than 64 KiB is sent, it would look again
// and again until the answer is there, with a processor for itself. So where curl has nothing more to
// write, the socket is taken out and put in again; Foundation expects that curl may do both in a row.
static int watch_socket(pointer easy, int socket, int what, pointer user, pointer data) {
  socket_function watch = foundations_socket_function;
  if (socket >= 0 && socket < (int)sizeof waits_to_write) {
    if (what == POLL_IN && waits_to_write[socket] && data) {
      watch(easy, socket, POLL_REMOVE, user, data);
      data = NULL;
    }
    waits_to_write[socket] = what != POLL_REMOVE && (what & POLL_OUT);
  }
  return watch(easy, socket, what, user, data);
}

__attribute__((visibility("hidden"))) int curl_multi_setopt(void *multi, int option, ...) {
  static int (*_Atomic real)(void *, int, ...);
  if (!real) real = (int (*)(void *, int, ...))find("curl_multi_setopt");
  va_list arguments;
  va_start(arguments, option);
  void *value = va_arg(arguments, void *);
  va_end(arguments);
  if (option == SOCKET_FUNCTION_OPTION && value) {
    // Every session sets the same function.
    foundations_socket_function = (socket_function)value;
    value = (void *)watch_socket;
  }
  return real(multi, option, value);
}

FORWARD(pointer, curl_slist_append, (pointer list, text string), (list, string))
FORWARD(void, curl_slist_free_all, (pointer list), (list))

FORWARD(pointer, curl_url, (void), ())
FORWARD(int, curl_url_get, (pointer url, int part, char **content, unsigned flags),
        (url, part, content, flags))
FORWARD(int, curl_url_set, (pointer url, int part, text content, unsigned flags),
        (url, part, content, flags))

#endif
