#pragma once

#include <sys/types.h>

#include <cstddef>

namespace nbody {

// A program that leads a session of its own, and all that it has started: the ranks of a launcher,
// what a sandbox holds, what has lost its parent. Found by session and parent in /proc. What moves
// to another session and loses its parent, too, is lost: a sandbox with its own process numbers
// holds even that.

// Repeats until no new one appears, at most a hundred times.
void signal_all(pid_t leader, int signal);

// CPU seconds to the nanosecond; processes that have ended no longer count.
double cpu_seconds_of(pid_t leader);

// Of their running threads, so far: seconds on a core, and seconds that they could have run and had
// none. Of threads that have ended, and where the kernel does not tell, nothing is known.
struct ThreadTimes {
  double ran = 0, waited = 0;
};
ThreadTimes thread_times_of(pid_t leader);

// Bytes of their resident sets, shared memory counted for each.
std::size_t memory_of(pid_t leader);

}  // namespace nbody
