// The commit that this program was built from, and when.
#ifndef STORIES_BUILD_H
#define STORIES_BUILD_H

// Returns the commit's abbreviated hash, followed by "+" if files were changed since; empty if unknown.
const char *stories_build_commit(void);

// Returns the commit's date in the form 2026-11-20 if the builder named it, else the date of the build in
// the form of __DATE__, which SOURCE_DATE_EPOCH can set.
const char *stories_build_date(void);

#endif
