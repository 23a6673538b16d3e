#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace nbody {

// What one rank has sent since the last reset. Bytes of a collective call are those that this rank
// received from others: how they travel is up to the library.
struct MessageCounts {
  std::uint64_t messages = 0;     // point to point: sent by this rank
  std::uint64_t bytes_sent = 0;   // ... with these bytes
  std::uint64_t collectives = 0;  // calls
  std::uint64_t bytes_got = 0;    // by collective calls
  std::uint64_t one_sided = 0;    // puts, gets and accumulates
  std::uint64_t bytes_one_sided = 0;
  std::array<char, 32> not_counted{};  // a call that moves data, too
};

MessageCounts& message_counts();  // of this rank

// Called on every rank; returns those of all ranks, in order, on rank 0, and nothing elsewhere.
std::vector<MessageCounts> gathered_message_counts();

// A table of them, a row for each rank.
std::string table_of(const std::vector<MessageCounts>& counts);

}  // namespace nbody
