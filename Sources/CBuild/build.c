#include "CBuild.h"

#ifndef STORIES_COMMIT
#define STORIES_COMMIT ""
#endif
#ifndef STORIES_COMMIT_DATE
#define STORIES_COMMIT_DATE __DATE__
#endif

const char *stories_build_commit(void) { return STORIES_COMMIT; }

const char *stories_build_date(void) { return STORIES_COMMIT_DATE; }
