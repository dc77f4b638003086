// Glibc's Swift module leaves these declarations out: crypt_rn, crypt_gensalt_rn.
#include <crypt.h>
