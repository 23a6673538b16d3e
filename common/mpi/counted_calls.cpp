// MPI's profiling interface (MPI 3.1, chapter 14.2): a program's call of MPI_X comes here, is
// counted, and goes on to the library's own PMPI_X. These are the calls with which a rung or a
// student may move bodies; others (MPI_Bsend, MPI_Alltoallw, ...) are not counted.
#include <mpi.h>

#include <map>

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

Bytes of_others(const int counts[], MPI_Datatype type, MPI_Comm comm) {
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

// For each persistent request: the message's destination and bytes.
struct Sending {
  int to;
  Bytes bytes;
};
std::map<MPI_Request, Sending>& persistent() {
  static std::map<MPI_Request, Sending> requests;
  return requests;
}

void started(MPI_Request request) {
  const auto found = persistent().find(request);
  if (found != persistent().end()) sent(found->second.to, found->second.bytes);
}

}  // namespace

extern "C" {

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  sent(to, bytes_of(count, type));
  return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Ssend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  sent(to, bytes_of(count, type));
  return PMPI_Ssend(data, count, type, to, tag, comm);
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  sent(to, bytes_of(count, type));
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Issend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
  sent(to, bytes_of(count, type));
  return PMPI_Issend(data, count, type, to, tag, comm, request);
}

int MPI_Sendrecv(const void* data, int count, MPI_Datatype type, int to, int tag, void* in,
                 int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                 MPI_Status* status) {
  sent(to, bytes_of(count, type));
  return PMPI_Sendrecv(data, count, type, to, tag, in, in_count, in_type, from, in_tag, comm,
                       status);
}

int MPI_Sendrecv_replace(void* data, int count, MPI_Datatype type, int to, int tag, int from,
                         int in_tag, MPI_Comm comm, MPI_Status* status) {
  sent(to, bytes_of(count, type));
  return PMPI_Sendrecv_replace(data, count, type, to, tag, from, in_tag, comm, status);
}

int MPI_Send_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  const int status = PMPI_Send_init(data, count, type, to, tag, comm, request);
  persistent()[*request] = {to, bytes_of(count, type)};
  return status;
}

int MPI_Start(MPI_Request* request) {
  started(*request);
  return PMPI_Start(request);
}

int MPI_Startall(int count, MPI_Request requests[]) {
  for (int k = 0; k < count; ++k) started(requests[k]);
  return PMPI_Startall(count, requests);
}

int MPI_Request_free(MPI_Request* request) {
  persistent().erase(*request);
  return PMPI_Request_free(request);
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  got(rank_in(comm) == root ? 0 : bytes_of(count, type));
  return PMPI_Bcast(data, count, type, root, comm);
}

int MPI_Ibcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm,
               MPI_Request* request) {
  got(rank_in(comm) == root ? 0 : bytes_of(count, type));
  return PMPI_Ibcast(data, count, type, root, comm, request);
}

int MPI_Allgather(const void* data, int count, MPI_Datatype type, void* in, int in_count,
                  MPI_Datatype in_type, MPI_Comm comm) {
  got(others(comm) * bytes_of(in_count, in_type));
  return PMPI_Allgather(data, count, type, in, in_count, in_type, comm);
}

int MPI_Iallgather(const void* data, int count, MPI_Datatype type, void* in, int in_count,
                   MPI_Datatype in_type, MPI_Comm comm, MPI_Request* request) {
  got(others(comm) * bytes_of(in_count, in_type));
  return PMPI_Iallgather(data, count, type, in, in_count, in_type, comm, request);
}

int MPI_Allgatherv(const void* data, int count, MPI_Datatype type, void* in, const int counts[],
                   const int begins[], MPI_Datatype in_type, MPI_Comm comm) {
  got(of_others(counts, in_type, comm));
  return PMPI_Allgatherv(data, count, type, in, counts, begins, in_type, comm);
}

int MPI_Iallgatherv(const void* data, int count, MPI_Datatype type, void* in, const int counts[],
                    const int begins[], MPI_Datatype in_type, MPI_Comm comm, MPI_Request* request) {
  got(of_others(counts, in_type, comm));
  return PMPI_Iallgatherv(data, count, type, in, counts, begins, in_type, comm, request);
}

int MPI_Gather(const void* data, int count, MPI_Datatype type, void* in, int in_count,
               MPI_Datatype in_type, int root, MPI_Comm comm) {
  got(rank_in(comm) == root ? others(comm) * bytes_of(in_count, in_type) : 0);
  return PMPI_Gather(data, count, type, in, in_count, in_type, root, comm);
}

int MPI_Gatherv(const void* data, int count, MPI_Datatype type, void* in, const int counts[],
                const int begins[], MPI_Datatype in_type, int root, MPI_Comm comm) {
  got(rank_in(comm) == root ? of_others(counts, in_type, comm) : 0);
  return PMPI_Gatherv(data, count, type, in, counts, begins, in_type, root, comm);
}

int MPI_Scatter(const void* data, int count, MPI_Datatype type, void* in, int in_count,
                MPI_Datatype in_type, int root, MPI_Comm comm) {
  got(rank_in(comm) == root ? 0 : bytes_of(in_count, in_type));
  return PMPI_Scatter(data, count, type, in, in_count, in_type, root, comm);
}

int MPI_Scatterv(const void* data, const int counts[], const int begins[], MPI_Datatype type,
                 void* in, int in_count, MPI_Datatype in_type, int root, MPI_Comm comm) {
  got(rank_in(comm) == root ? 0 : bytes_of(in_count, in_type));
  return PMPI_Scatterv(data, counts, begins, type, in, in_count, in_type, root, comm);
}

int MPI_Reduce(const void* data, void* in, int count, MPI_Datatype type, MPI_Op operation, int root,
               MPI_Comm comm) {
  got(rank_in(comm) == root ? bytes_of(count, type) : 0);
  return PMPI_Reduce(data, in, count, type, operation, root, comm);
}

int MPI_Allreduce(const void* data, void* in, int count, MPI_Datatype type, MPI_Op operation,
                  MPI_Comm comm) {
  got(others(comm) > 0 ? bytes_of(count, type) : 0);
  return PMPI_Allreduce(data, in, count, type, operation, comm);
}

int MPI_Iallreduce(const void* data, void* in, int count, MPI_Datatype type, MPI_Op operation,
                   MPI_Comm comm, MPI_Request* request) {
  got(others(comm) > 0 ? bytes_of(count, type) : 0);
  return PMPI_Iallreduce(data, in, count, type, operation, comm, request);
}

int MPI_Reduce_scatter_block(const void* data, void* in, int count, MPI_Datatype type,
                             MPI_Op operation, MPI_Comm comm) {
  got(others(comm) > 0 ? bytes_of(count, type) : 0);
  return PMPI_Reduce_scatter_block(data, in, count, type, operation, comm);
}

int MPI_Reduce_scatter(const void* data, void* in, const int counts[], MPI_Datatype type,
                       MPI_Op operation, MPI_Comm comm) {
  got(others(comm) > 0 ? bytes_of(counts[rank_in(comm)], type) : 0);
  return PMPI_Reduce_scatter(data, in, counts, type, operation, comm);
}

int MPI_Alltoall(const void* data, int count, MPI_Datatype type, void* in, int in_count,
                 MPI_Datatype in_type, MPI_Comm comm) {
  got(others(comm) * bytes_of(in_count, in_type));
  return PMPI_Alltoall(data, count, type, in, in_count, in_type, comm);
}

int MPI_Put(const void* data, int count, MPI_Datatype type, int rank, MPI_Aint at, int there,
            MPI_Datatype type_there, MPI_Win window) {
  one_sided(bytes_of(count, type));
  return PMPI_Put(data, count, type, rank, at, there, type_there, window);
}

int MPI_Get(void* data, int count, MPI_Datatype type, int rank, MPI_Aint at, int there,
            MPI_Datatype type_there, MPI_Win window) {
  one_sided(bytes_of(count, type));
  return PMPI_Get(data, count, type, rank, at, there, type_there, window);
}

int MPI_Accumulate(const void* data, int count, MPI_Datatype type, int rank, MPI_Aint at, int there,
                   MPI_Datatype type_there, MPI_Op operation, MPI_Win window) {
  one_sided(bytes_of(count, type));
  return PMPI_Accumulate(data, count, type, rank, at, there, type_there, operation, window);
}

int MPI_Rput(const void* data, int count, MPI_Datatype type, int rank, MPI_Aint at, int there,
             MPI_Datatype type_there, MPI_Win window, MPI_Request* request) {
  one_sided(bytes_of(count, type));
  return PMPI_Rput(data, count, type, rank, at, there, type_there, window, request);
}

int MPI_Rget(void* data, int count, MPI_Datatype type, int rank, MPI_Aint at, int there,
             MPI_Datatype type_there, MPI_Win window, MPI_Request* request) {
  one_sided(bytes_of(count, type));
  return PMPI_Rget(data, count, type, rank, at, there, type_there, window, request);
}

int MPI_Raccumulate(const void* data, int count, MPI_Datatype type, int rank, MPI_Aint at,
                    int there, MPI_Datatype type_there, MPI_Op operation, MPI_Win window,
                    MPI_Request* request) {
  one_sided(bytes_of(count, type));
  return PMPI_Raccumulate(data, count, type, rank, at, there, type_there, operation, window,
                          request);
}

}  // extern "C"
