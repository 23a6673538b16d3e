#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simulator/run_report.hpp"
#include "simulator/simulation.hpp"
#include "simulator/viewer_link.hpp"

namespace nbody {

// A run shown while it computes, if the environment names a viewer. The newest state is sent
// whenever the viewer has seen the last one; only a viewer that pauses or slows the run makes it
// wait.
class LiveView {
 public:
  LiveView(const Implementation& implementation, const Options& options, const Scene& scene);

  bool is_watched() const { return link_.is_open(); }
  // Its viewer alone is interested in it, and shows its progress.
  bool is_owned() const { return is_watched() && link_.wish().owns; }
  bool is_paused() const { return is_watched() && link_.wish().paused; }
  // Waits for the viewer's permission. Returns how many steps to take now, `most` at most; 0: none,
  // and ask again.
  std::uint64_t permitted(std::uint64_t most);
  // The viewer to whom the run belongs has gone.
  bool is_abandoned() const { return abandoned_; }
  bool wants_state(std::uint64_t iteration) const;
  bool wants_energy() const;
  void show(const Simulation& simulation, const Bodies<double>& bodies, const RunSummary& now);
  // Shows the last state, and gives the viewer a moment to take it.
  void finish(const Simulation& simulation, const Bodies<double>& bodies, const RunSummary& last);

 private:
  std::uint64_t in_time(std::uint64_t most);
  std::string message(const Simulation& simulation, const Bodies<double>& bodies,
                      const RunSummary& now, bool is_last);

  ViewerLink link_;
  const Scene& scene_;
  double x_ = 0, y_ = 0, z_ = 0, size_ = 1;  // m: what is 0 and what is 1 in the picture
  std::uint64_t steps_taken_ = 0;            // of those one by one
  double credit_ = 0, credited_at_ = 0;      // iterations that may be taken; s
  std::optional<std::uint64_t> shown_;       // the iteration that was sent last
  bool shown_accelerations_ = false;         // with it
  std::uint64_t evaluations_ = 0;            // then
  double wall_s_ = 0;                        // then
  bool abandoned_ = false;
};

}  // namespace nbody
