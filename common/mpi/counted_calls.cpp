// MPI's profiling interface (MPI 3.1, chapter 14.2): a program's call of MPI_X comes here, is
// counted, and goes on to the library's own PMPI_X. A call of MPI 3.1 that moves data and has no
// formula is named below the counts, so that they are not taken for all. Arguments that the
// standard ignores on a rank are not looked at there: they may be anything.
#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <tuple>

#include "mpi/message_counts.hpp"

namespace {

using nbody::message_counts;
using Bytes = std::uint64_t;

Bytes bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return static_cast<Bytes>(count) * static_cast<Bytes>(size);
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

int size_of(MPI_Comm comm) {
  int ranks = 1;
  PMPI_Comm_size(comm, &ranks);
  return ranks;
}

Bytes others(MPI_Comm comm) { return static_cast<Bytes>(size_of(comm) - 1); }

// Of all ranks but this one.
Bytes bytes_of(const int counts[], MPI_Datatype type, MPI_Comm comm) {
  Bytes bytes = 0;
  for (int rank = 0; rank < size_of(comm); ++rank) {
    if (rank != rank_in(comm)) bytes += bytes_of(counts[rank], type);
  }
  return bytes;
}

void sent(int to, Bytes bytes) {
  if (to == MPI_PROC_NULL) return;
  message_counts().messages += 1;
  message_counts().bytes_sent += bytes;
}

void got(Bytes bytes) {
  message_counts().collectives += 1;
  message_counts().bytes_got += bytes;
}

void one_sided(Bytes bytes) {
  message_counts().one_sided += 1;
  message_counts().bytes_one_sided += bytes;
}

void not_counted(const char* call) {
  auto& name = message_counts().not_counted;
  std::snprintf(name.data(), name.size(), "%s", call);
}

template <typename Call, std::size_t k>
struct ArgumentOf;
template <typename... Arguments, std::size_t k>
struct ArgumentOf<int(Arguments...), k> : std::tuple_element<k - 1, std::tuple<Arguments...>> {};

}  // namespace

// A call with K arguments, a1 to aK in the order of the standard, and what to do before it. Their
// types come from the library.
#define ARGUMENT(call, k) ArgumentOf<decltype(PMPI_##call), k>::type a##k
#define TAKES_5(call) \
  ARGUMENT(call, 1), ARGUMENT(call, 2), ARGUMENT(call, 3), ARGUMENT(call, 4), ARGUMENT(call, 5)
#define TAKES_6(call) TAKES_5(call), ARGUMENT(call, 6)
#define TAKES_7(call) TAKES_6(call), ARGUMENT(call, 7)
#define TAKES_8(call) TAKES_7(call), ARGUMENT(call, 8)
#define TAKES_9(call) TAKES_8(call), ARGUMENT(call, 9)
#define TAKES_10(call) TAKES_9(call), ARGUMENT(call, 10)
#define TAKES_12(call) TAKES_10(call), ARGUMENT(call, 11), ARGUMENT(call, 12)
#define GIVES_5 a1, a2, a3, a4, a5
#define GIVES_6 GIVES_5, a6
#define GIVES_7 GIVES_6, a7
#define GIVES_8 GIVES_7, a8
#define GIVES_9 GIVES_8, a9
#define GIVES_10 GIVES_9, a10
#define GIVES_12 GIVES_10, a11, a12
#define COUNTED(call, K, count)                \
  extern "C" int MPI_##call(TAKES_##K(call)) { \
    count;                                     \
    return PMPI_##call(GIVES_##K);             \
  }
#define NOT_COUNTED(call, K) COUNTED(call, K, not_counted("MPI_" #call))

COUNTED(Send, 6, sent(a4, bytes_of(a2, a3)))
COUNTED(Ssend, 6, sent(a4, bytes_of(a2, a3)))
COUNTED(Isend, 7, sent(a4, bytes_of(a2, a3)))
COUNTED(Issend, 7, sent(a4, bytes_of(a2, a3)))
COUNTED(Sendrecv, 12, sent(a4, bytes_of(a2, a3)))
COUNTED(Sendrecv_replace, 9, sent(a4, bytes_of(a2, a3)))
COUNTED(Bcast, 5, got(rank_in(a5) != a4 ? bytes_of(a2, a3) : 0))
COUNTED(Ibcast, 6, got(rank_in(a5) != a4 ? bytes_of(a2, a3) : 0))
COUNTED(Gather, 8, got(rank_in(a8) == a7 ? others(a8) * bytes_of(a5, a6) : 0))
COUNTED(Gatherv, 9, got(rank_in(a9) == a8 ? bytes_of(a5, a7, a9) : 0))
COUNTED(Allgather, 7, got(others(a7) * bytes_of(a5, a6)))
COUNTED(Iallgather, 8, got(others(a7) * bytes_of(a5, a6)))
COUNTED(Allgatherv, 8, got(bytes_of(a5, a7, a8)))
COUNTED(Iallgatherv, 9, got(bytes_of(a5, a7, a8)))
COUNTED(Scatter, 8, got(rank_in(a8) != a7 ? bytes_of(a5, a6) : 0))
COUNTED(Scatterv, 9, got(rank_in(a9) != a8 ? bytes_of(a6, a7) : 0))
COUNTED(Reduce, 7, got(rank_in(a7) == a6 ? bytes_of(a3, a4) : 0))
COUNTED(Allreduce, 6, got(others(a6) > 0 ? bytes_of(a3, a4) : 0))
COUNTED(Iallreduce, 7, got(others(a6) > 0 ? bytes_of(a3, a4) : 0))
COUNTED(Reduce_scatter_block, 6, got(others(a6) > 0 ? bytes_of(a3, a4) : 0))
COUNTED(Reduce_scatter, 6, got(others(a6) > 0 ? bytes_of(a3[rank_in(a6)], a4) : 0))
COUNTED(Alltoall, 7, got(others(a7) * bytes_of(a5, a6)))
COUNTED(Put, 8, one_sided(bytes_of(a2, a3)))
COUNTED(Get, 8, one_sided(bytes_of(a2, a3)))
COUNTED(Rput, 9, one_sided(bytes_of(a2, a3)))
COUNTED(Rget, 9, one_sided(bytes_of(a2, a3)))
COUNTED(Accumulate, 9, one_sided(bytes_of(a2, a3)))

NOT_COUNTED(Bsend, 6)
NOT_COUNTED(Rsend, 6)
NOT_COUNTED(Ibsend, 7)
NOT_COUNTED(Irsend, 7)
NOT_COUNTED(Send_init, 7)
NOT_COUNTED(Ssend_init, 7)
NOT_COUNTED(Bsend_init, 7)
NOT_COUNTED(Rsend_init, 7)
NOT_COUNTED(Igather, 9)
NOT_COUNTED(Igatherv, 10)
NOT_COUNTED(Iscatter, 9)
NOT_COUNTED(Iscatterv, 10)
NOT_COUNTED(Ireduce, 8)
NOT_COUNTED(Ireduce_scatter, 7)
NOT_COUNTED(Ireduce_scatter_block, 7)
NOT_COUNTED(Scan, 6)
NOT_COUNTED(Iscan, 7)
NOT_COUNTED(Exscan, 6)
NOT_COUNTED(Iexscan, 7)
NOT_COUNTED(Alltoallv, 9)
NOT_COUNTED(Alltoallw, 9)
NOT_COUNTED(Ialltoall, 8)
NOT_COUNTED(Ialltoallv, 10)
NOT_COUNTED(Ialltoallw, 10)
NOT_COUNTED(Neighbor_allgather, 7)
NOT_COUNTED(Neighbor_allgatherv, 8)
NOT_COUNTED(Neighbor_alltoall, 7)
NOT_COUNTED(Neighbor_alltoallv, 9)
NOT_COUNTED(Neighbor_alltoallw, 9)
NOT_COUNTED(Ineighbor_allgather, 8)
NOT_COUNTED(Ineighbor_allgatherv, 9)
NOT_COUNTED(Ineighbor_alltoall, 8)
NOT_COUNTED(Ineighbor_alltoallv, 10)
NOT_COUNTED(Ineighbor_alltoallw, 10)
NOT_COUNTED(Raccumulate, 10)
NOT_COUNTED(Get_accumulate, 12)
NOT_COUNTED(Fetch_and_op, 7)
NOT_COUNTED(Compare_and_swap, 7)
