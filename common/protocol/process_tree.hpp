#pragma once

#include <sys/types.h>

#include <cstddef>
#include <vector>

namespace nbody {

// Processes that a program starts, whatever it does to hide them: their parents and sessions as
// /proc has them. Linux only; elsewhere there are none to be seen.

// Those below `root`, not itself.
std::vector<pid_t> descendants_of(pid_t root);

// Seconds of processor time of `root` and of all below it that run now, to the nanosecond; those
// that have ended count no more. A launcher or a sandbox does nothing itself.
double cpu_seconds_of_tree(pid_t root);
// Bytes that they hold, each with what it shares.
std::size_t memory_of_tree(pid_t root);

// The signal to `root` and all below it; again until no new one appears, a hundred times
// at most.
void signal_tree(pid_t root, int signal);

// Other processes of this user may not read or write this one's memory. The system's administrator
// still may: full isolation is more than this. Not in a sanitized build, whose leak check looks.
void keep_memory_private();

// A process whose parent has ended becomes a child of this one, and not of the system's first one.
void adopt_orphans();

// The same for what this process has adopted: its children in other sessions, but for those that
// are `ours`. With SIGKILL they are buried, too.
void signal_adopted(bool (*is_ours)(pid_t), int signal);

}  // namespace nbody
