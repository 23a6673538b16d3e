#pragma once

#include <cstdlib>  // which says whether this is the GNU C library

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace nbody {

// Freed memory stays in this process, for the next message. The C library would give each array
// above 32 MB back to the system, which clears pages for the next one: with a million bodies up to
// two fifths of a request without steps.
inline void keep_memory() {
#ifdef __GLIBC__
  ::mallopt(M_MMAP_MAX, 0);
  ::mallopt(M_TRIM_THRESHOLD, -1);
#endif
}

}  // namespace nbody
