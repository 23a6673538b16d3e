#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "simulator/messages.hpp"

namespace nbody {

// A program of several processes (common/mpi) runs on all ranks in the same way: each reads the
// command line, answers the requests, and calls its simulator in the same order, so that every call
// may communicate. Rank 0 alone prints and writes. What it alone knows (a file, a request, what a
// clock or Ctrl-C has decided) it tells the others before any rank calls the simulator because of
// it: a rank that takes another branch waits for ever.
struct Ranks {
  unsigned own, number;
  // From rank 0 to the others, which sleep until it comes.
  void (*share)(void* data, std::size_t bytes);
  // On rank 0, which will share nothing more: it throws RankZeroEnded where others wait for it.
  void (*end)();
  // Ends all ranks, with one line that names this one.
  void (*stop)(const char* why);
};
struct RankZeroEnded {};

inline const Ranks* all_ranks = nullptr;  // null: one process

inline bool is_rank_0() { return all_ranks == nullptr || all_ranks->own == 0; }

// Of the same length on all ranks.
template <typename T>
void share(std::vector<T>& values) {
  if (all_ranks != nullptr) all_ranks->share(values.data(), values.size() * sizeof(T));
}

inline std::uint64_t of_rank_0(std::uint64_t number) {
  if (all_ranks != nullptr) all_ranks->share(&number, sizeof number);
  return number;
}
inline Request of_rank_0(Request request) {
  if (all_ranks == nullptr) return request;
  std::string header = format_request_header(request, 0);
  header.resize(of_rank_0(header.size()));
  all_ranks->share(header.data(), header.size());
  if (!is_rank_0()) request = parse_request_header(header).request;
  for (auto* column : columns_of(request.bodies)) share(*column);
  return request;
}

// Before rank 0 destroys its simulator, as also an exception does: the others leave their loops and
// destroy theirs, since a destructor may communicate, too.
struct EndOfRanks {
  ~EndOfRanks() {
    if (all_ranks != nullptr && is_rank_0()) all_ranks->end();
  }
};

}  // namespace nbody
