#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "bench/result.hpp"
#include "report/gnuplot.hpp"

namespace nbody {

// What the pictures of a bench result are put together from.

// One line of a picture: the rows of an implementation along one axis.
struct Line {
  std::string label;
  std::vector<const BenchRow*> rows;
};

// Rows belong to one line if they agree in their name and in all of the setup but the axis, which
// `without_axis` takes out of it.
std::vector<Line> lines_of(const BenchResult& result,
                           const std::function<BenchSetup(const BenchRow&)>& without_axis);

// The values of one axis, ascending.
template <typename Value>
std::vector<std::size_t> values_of(const BenchResult& result, Value value) {
  std::vector<std::size_t> values;
  for (const BenchRow& row : result.rows) values.push_back(std::invoke(value, row.setup));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// Machine, scene, rounds, day.
std::string caption_of(const BenchResult& result);

// For gnuplot: places of the tics; bars of a grid, and the legend to the right.
std::string tics_at(const std::vector<std::size_t>& values);
std::string grid_and_key();
// "'time.dat' index 0 using 1:2 with linespoints ... title 'naive'" for each line.
std::string curves(const std::string& name, const std::vector<Line>& lines, int column);

// The axis of bodies N, logarithmic, with a tic at each that was measured.
std::string x_axis_of_n(const BenchResult& result);

}  // namespace nbody
