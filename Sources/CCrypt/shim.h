// Declarations that Glibc's Swift module omits: crypt_rn, crypt_gensalt_rn.
#include <crypt.h>
