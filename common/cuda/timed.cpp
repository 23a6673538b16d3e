#include "cuda/timed.cuh"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "machine/clock.hpp"

namespace nbody {
namespace {

using machine::seconds_now;

struct Pending {
  const char* name;
  std::size_t bytes;
  cudaEvent_t start, stop;
};
// Of the table: a kernel, or copies or allocations.
struct Row {
  std::string name;
  std::size_t calls = 0;
  double total_s = 0, shortest_s = 1e99, longest_s = 0;
  std::size_t bytes = 0;
};

// One thread of the host launches.
bool profiling = false;
std::vector<Row> rows;
std::vector<Pending> pending;

void add_row(const char* name, double seconds, std::size_t bytes) {
  auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.name == name; });
  if (row == rows.end()) row = rows.insert(rows.end(), Row{name});
  ++row->calls;
  row->total_s += seconds;
  row->shortest_s = std::min(row->shortest_s, seconds);
  row->longest_s = std::max(row->longest_s, seconds);
  row->bytes += bytes;
}

// Waits for the last of them.
void read_pending() {
  for (const Pending& one : pending) {
    float milliseconds = 0;
    cuda_check(cudaEventSynchronize(one.stop));
    cuda_check(cudaEventElapsedTime(&milliseconds, one.start, one.stop));
    add_row(one.name, milliseconds * 1e-3, one.bytes);
    cudaEventDestroy(one.start);
    cudaEventDestroy(one.stop);
  }
  pending.clear();
}

}  // namespace

void start_profile() {
  // The first CUDA call starts the device; that time belongs to no row.
  cuda_check(cudaFree(nullptr));
  profiling = true;
}

// Longest first, with shares of `wall_s`; the last rows are the remainder and the sum.
std::string profile_so_far(double wall_s) {
  read_pending();
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.total_s > b.total_s; });
  std::string text =
      fmt::format("  {:<30} {:>7} {:>10} {:>8} {:>10} {:>10} {:>10} {:>6}\n", "what", "calls",
                  "ms in all", "share", "us each", "shortest", "longest", "GB/s");
  double rest_s = wall_s;
  for (const Row& row : rows) {
    rest_s -= row.total_s;
    text += fmt::format("  {:<30} {:>7} {:>10.3f} {:>6.2f} % {:>10.2f} {:>10.2f} {:>10.2f}",
                        row.name, row.calls, row.total_s * 1e3, 100 * row.total_s / wall_s,
                        row.total_s * 1e6 / double(row.calls), row.shortest_s * 1e6,
                        row.longest_s * 1e6);
    if (row.bytes > 0) text += fmt::format(" {:>6.2f}", double(row.bytes) / row.total_s / 1e9);
    text += "\n";
  }
  rest_s = std::max(0.0, rest_s);
  return text + fmt::format(
                    "  {:<38} {:>10.3f} {:>6.2f} %\n"
                    "  {:<38} {:>10.3f} {:>6.2f} %\n"
                    "  kernels and copies are timed by GPU events around each, which add some\n"
                    "  microseconds; allocations by the host's clock\n",
                    "the rest: host code, launches", rest_s * 1e3, 100 * rest_s / wall_s,
                    "wall clock", wall_s * 1e3, 100.0);
}

Stopwatch::Stopwatch(const char* name, Clock clock, std::size_t bytes)
    : name_(name), clock_(clock), bytes_(bytes) {
  if (!profiling) return;
  if (clock_ == Clock::host) {
    started_s_ = seconds_now();
    return;
  }
  if (pending.size() >= 4096) read_pending();
  cuda_check(cudaEventCreate(&start_));
  cuda_check(cudaEventCreate(&stop_));
  cuda_check(cudaEventRecord(start_));
}

// Errors are not reported here: a destructor cannot throw, but the next checked call will.
Stopwatch::~Stopwatch() {
  if (!profiling) return;
  if (clock_ == Clock::host) {
    add_row(name_, seconds_now() - started_s_, bytes_);
  } else if (start_ != nullptr && cudaEventRecord(stop_) == cudaSuccess) {
    pending.push_back({name_, bytes_, start_, stop_});
  }
}

}  // namespace nbody
