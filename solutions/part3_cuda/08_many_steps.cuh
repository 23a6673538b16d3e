// Problem: with few bodies a kernel is done before the host has launched the next one.
// Idea: the launches of 64 steps are recorded as one graph, which the host starts as a whole; the
// GPU knows what comes next. The rule of the time step is an argument of the recorded launches,
// so a graph serves as long as the rule is the same.
// Predicted: 2.6 x with 1024 bodies: 4 to 5 us per step instead of 11.7
// (data/results/part3_study_sizes.json); 1 with 131072.
// Measured: 1.47 x with 1024, the median of the rounds' ratios (14.1 us become 9.0:
// data/results/part3_study_barriers.json; from 11.7 it would be 1.30); 1.48 with 256, 1.12 with
// 4096, 1.00 with 131072.
// Why: a graph saves the host work, but the three kernels of a step still run one after the other:
// 9.0 us a step with 1024 bodies, and 7.3 with 64, whose forces take next to nothing.
// Limit: launches
#pragma once

#include <optional>

#include "06_split.cuh"

namespace nbody {

// Some launches, recorded once and started together: a CUDA graph.
class Graph {
 public:
  template <typename Launches>
  Graph(cudaStream_t stream, const Launches& launches) {
    cuda_check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    launches();
    cudaGraph_t recorded = nullptr;
    cuda_check(cudaStreamEndCapture(stream, &recorded));
    const cudaError_t status = cudaGraphInstantiate(&graph_, recorded, 0);
    cudaGraphDestroy(recorded);
    cuda_check(status);
  }
  ~Graph() { cudaGraphExecDestroy(graph_); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void launch(cudaStream_t stream) const { cuda_check(cudaGraphLaunch(graph_, stream)); }

 private:
  cudaGraphExec_t graph_ = nullptr;
};

class ManySteps : public Split {
 public:
  explicit ManySteps(const Problem& problem) : Split(problem) {
    cuda_check(cudaStreamCreate(&own_stream));
  }
  ~ManySteps() override { cudaStreamDestroy(own_stream); }

  double advance(std::uint64_t count, const StepRule& rule) override {
    if (count < 2 * together) return Split::advance(count, rule);
    start_clock();
    stream = own_stream;
    if (!graph || recorded != rule) record(rule);
    timed("64 steps", [&] {
      for (std::uint64_t k = 0; k < count / together; ++k) graph->launch(own_stream);
    });
    for (std::uint64_t step = 0; step < count % together; ++step) launch_step(rule);
    check_launch();
    stream = nullptr;
    cuda_check(cudaStreamSynchronize(own_stream));
    return time_of_clock();
  }

 private:
  static constexpr unsigned together = 64;
  cudaStream_t own_stream = nullptr;
  std::optional<Graph> graph;
  StepRule recorded;

  void record(const StepRule& rule) {
    graph.reset();
    graph.emplace(own_stream, [&] {
      for (unsigned step = 0; step < together; ++step) launch_step(rule);
    });
    recorded = rule;
  }

  void launch_step(const StepRule& rule) {
    launch_accelerations(rule.adaptive);
    if (rule.adaptive) launch_time_steps();
    launch_update(rule);
  }
};

}  // namespace nbody
