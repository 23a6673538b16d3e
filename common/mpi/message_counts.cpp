#include "mpi/message_counts.hpp"

#include <fmt/format.h>
#include <mpi.h>

namespace nbody {

MessageCounts& message_counts() {
  static MessageCounts counts;
  return counts;
}

std::vector<MessageCounts> gathered_message_counts() {
  int rank = 0, ranks = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<MessageCounts> all(rank == 0 ? static_cast<std::size_t>(ranks) : 0);
  constexpr int size = sizeof(MessageCounts);
  PMPI_Gather(&message_counts(), size, MPI_BYTE, all.data(), size, MPI_BYTE, 0, MPI_COMM_WORLD);
  return all;
}

std::string table_of(const std::vector<MessageCounts>& counts) {
  MessageCounts sum;
  std::string text =
      "rank   messages     bytes sent  collectives      bytes got  one-sided          bytes\n";
  const auto add = [&](const std::string& name, const MessageCounts& of) {
    text +=
        fmt::format("{:<5}{:>10}{:>15}{:>13}{:>15}{:>11}{:>15}\n", name, of.messages, of.bytes_sent,
                    of.collectives, of.bytes_got, of.one_sided, of.bytes_one_sided);
  };
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    const MessageCounts& of = counts[rank];
    add(std::to_string(rank), of);
    sum.messages += of.messages;
    sum.bytes_sent += of.bytes_sent;
    sum.collectives += of.collectives;
    sum.bytes_got += of.bytes_got;
    sum.one_sided += of.one_sided;
    sum.bytes_one_sided += of.bytes_one_sided;
  }
  add("all", sum);
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    const char* const call = counts[rank].not_counted.data();
    if (*call != 0) text += fmt::format("not counted: {}, which rank {} calls\n", call, rank);
  }
  return text;
}

}  // namespace nbody
