#pragma once

#include <fstream>
#include <string>

#include "core/bodies.hpp"

namespace nbody {

// The states of a run, for who watches it (docs/file_formats.md). Writing one waits for its reader,
// whose pace is the pause, the single step and the rate of the run: nothing comes back.
class Frames {
 public:
  // Into the FIFO that LAB_FRAMES names. Throws InputError.
  Frames();
  bool are_wanted() const { return file_.is_open(); }
  bool reader_has_gone() const { return !file_; }
  // A line of JSON, and columns of floats.
  void write(const std::string& header, const Bodies<double>& bodies,
             const Vectors<double>& accelerations);

 private:
  std::ofstream file_;
};

}  // namespace nbody
