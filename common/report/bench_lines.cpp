#include "report/bench_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nbody {

namespace {

// "NVIDIA H200 (132 SM, at most 1980 MHz), built with CUDA 13.0, driver ..." is too long for a
// line.
std::string without_software(const std::string& device) {
  return device.substr(0, device.find(", built with"));
}

}  // namespace

std::string caption_of(const BenchResult& result) {
  const BenchContext& context = result.context;
  const std::string machine = context.device.empty()
                                  ? context.cpu + ", " + context.compiler
                                  : without_software(context.device) + ", " + context.cpu;
  return fmt::format("{}; {} scene, {} step; medians of {} rounds; {}", machine, context.scene,
                     context.adaptive ? "adaptive" : "fixed", result.rows.front().rounds,
                     context.date);
}

std::vector<Line> lines_of(const BenchResult& result,
                           const std::function<BenchSetup(const BenchRow&)>& without_axis) {
  std::vector<BenchSetup> setups;
  for (const BenchRow& row : result.rows) {
    const BenchSetup setup = without_axis(row);
    if (std::find(setups.begin(), setups.end(), setup) == setups.end()) setups.push_back(setup);
  }
  std::vector<Line> lines;
  for (const std::string& name : names_in(result)) {
    for (const BenchSetup& setup : setups) {
      Line line{name + (setups.size() > 1 ? ", " + label_of(setup, setups) : ""), {}};
      for (const BenchRow& row : result.rows) {
        if (row.name == name && row.measured() && without_axis(row) == setup)
          line.rows.push_back(&row);
      }
      if (!line.rows.empty()) lines.push_back(line);
    }
  }
  return lines;
}

std::string tics_at(const std::vector<std::size_t>& values) {
  return fmt::format("({})", fmt::join(values, ", "));
}

std::string curves(const std::string& name, const std::vector<Line>& lines, int column) {
  std::vector<std::string> curves;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    curves.push_back(fmt::format("'{}.dat' index {} using 1:{} with linespoints {} title {}", name,
                                 k, column, line_style(k), quoted(lines[k].label)));
  }
  return fmt::format("{}", fmt::join(curves, ", \\\n    "));
}

std::string grid_and_key() {
  return "  set grid lt 1 lw 0.7 lc rgb '#dddddd'\n"
         "  set key outside right top Left reverse samplen 2\n"
         "  set bmargin 6\n";
}

std::string x_axis_of_n(const BenchResult& result) {
  return fmt::format(
      "  set logscale x\n  set xtics {} rotate by -45\n  set xlabel 'bodies N'\n"
      "  set xrange [{}:{}]\n",
      tics_at(values_of(result, &BenchSetup::n)), values_of(result, &BenchSetup::n).front() * 0.9,
      static_cast<double>(values_of(result, &BenchSetup::n).back()) * 1.1);
}

}  // namespace nbody
