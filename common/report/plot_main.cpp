#include <fmt/format.h>

#include <string>
#include <vector>

#include "bench/result_file.hpp"
#include "bodies/input_error.hpp"
#include "bodies/words.hpp"
#include "command_line/run_main.hpp"
#include "report/bench_plots.hpp"
#include "report/orbit_plot.hpp"

// ./lab plot: pictures of what was measured or written before.

namespace {

using namespace nbody;

constexpr const char* usage =
    "plot bench FILE.json FOLDER   what ./lab bench --json wrote\n"
    "plot orbits BASE              what ./lab run ... -w BASE --every K wrote\n";

int plot(const std::vector<std::string>& words) {
  if (words.size() == 1 && (words[0] == "-h" || words[0] == "--help")) {
    fmt::print("{}", usage);
  } else if (words.size() == 3 && words[0] == "bench") {
    fmt::print("{}", plot_bench(read_result(words[1]), words[2]));
  } else if (words.size() == 2 && words[0] == "orbits") {
    fmt::print("{}", plot_orbits(words[1]));
  } else {
    throw InputError("wants: bench FILE.json FOLDER, or: orbits BASE");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return run_main("plot", [&] { return plot(std::vector<std::string>(argv + 1, argv + argc)); });
}
