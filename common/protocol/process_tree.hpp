#pragma once

#include <sys/types.h>

#include <cstddef>
#include <vector>

namespace nbody::protocol {

// Processes that a program starts, even hidden ones: by their parents and sessions in /proc. Linux
// only; elsewhere none are found.

// Descendants of `root`, without itself.
std::vector<pid_t> descendants_of(pid_t root);

// CPU seconds of `root` and its running descendants, to the nanosecond; processes that have ended
// no longer count. A launcher or a sandbox does nothing itself.
double cpu_seconds_of_tree(pid_t root);
// Bytes of their resident sets, shared memory counted for each.
std::size_t memory_of_tree(pid_t root);

// Sends the signal to `root` and all descendants; repeats until no new one appears, at most a
// hundred times.
void signal_tree(pid_t root, int signal);

// Forbids this user's other processes to read or write this one's memory. The administrator still
// may: full isolation needs more. Not in a sanitized build, whose leak check needs access.
void keep_memory_private();

// Makes this process adopt descendants whose parent has ended, instead of init.
void adopt_orphans();

// The same for adopted processes: children in other sessions that are not in `ours`. After SIGKILL
// it also reaps them.
void signal_adopted(bool (*is_ours)(pid_t), int signal);

}  // namespace nbody::protocol
