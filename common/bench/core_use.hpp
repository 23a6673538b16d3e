#pragma once

#include <algorithm>
#include <functional>

#include "session/session.hpp"

namespace nbody::bench {

// What the programs on this machine had of its cores while one of them was timed, in seconds. With
// fewer cores than threads, and threads that wait for each other by spinning, a program can be many
// times slower than it is: then its time says nothing about its code.
struct CoreUse {
  double seconds = 0;  // of wall-clock time, which is the caller's
  double ran = 0;      // processor time of the program
  double ended = 0;    // the part of it of threads that have ended
  double waited = 0;   // its other threads had no core
  double others = 0;   // processor time of all other programs
  double stolen = 0;   // by other virtual machines

  CoreUse plus(const CoreUse& more, double times = 1) const;
  double cores() const { return seconds > 0 ? ran / seconds : 0; }
  double cores_of_others() const { return seconds > 0 ? std::max(0.0, others / seconds) : 0; }
};

// So far: the difference of two moments is what was used in between.
CoreUse core_use(const Session& session);

// Did a program of so many threads have fewer cores than it could have used, because of others?
bool had_too_few_cores(const CoreUse& use, unsigned workers);

// Threads that nobody asked for, or processes that it started, work for it.
bool had_more_cores(const CoreUse& use, unsigned workers);

// Waits until other programs leave so many cores free, at most `left_s` seconds, which it shortens,
// and calls `on_wait` now and then. False: there is no such moment.
bool wait_for_cores(unsigned workers, double& left_s, const std::function<void()>& on_wait = {});

}  // namespace nbody::bench
