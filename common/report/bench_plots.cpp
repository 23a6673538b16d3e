#include "report/bench_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace nbody {
namespace {

std::string caption_of(const BenchResult& result) {
  const BenchContext& context = result.context;
  return fmt::format("{}, {}; {} scene, {} step; medians of {} rounds; {}", context.cpu,
                     context.compiler, context.scene, context.adaptive ? "adaptive" : "fixed",
                     result.rows.front().rounds, context.date);
}

// One line of a picture: the rows of an implementation along one axis.
struct Line {
  std::string label;
  std::vector<const BenchRow*> rows;
};

// Rows belong to one line if they agree in their name and in all of the setup but the axis, which
// `without_axis` takes out of it.
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

template <typename Member>
std::vector<std::size_t> values_of(const BenchResult& result, Member member) {
  std::vector<std::size_t> values;
  for (const BenchRow& row : result.rows) values.push_back(row.setup.*member);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// "'time.dat' index 0 using 1:2 with linespoints ... title 'naive'" for each line.
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

std::string data_by_n(const BenchResult& result, const std::vector<Line>& lines) {
  std::string data = "# N, ms an iteration: median, lower and upper quartile; x " +
                     result.rows.front().name + "\n";
  for (const Line& line : lines) {
    data += "# " + line.label + "\n";
    for (const BenchRow* row : line.rows) {
      data += fmt::format("{} {:.6g} {:.6g} {:.6g} {:.6g}\n", row->setup.n,
                          1e3 * row->seconds.median, 1e3 * row->seconds.lower_quartile,
                          1e3 * row->seconds.upper_quartile, ratio_to_first(result, *row));
    }
    data += "\n\n";
  }
  return data;
}

std::string x_axis_of_n(const BenchResult& result) {
  return fmt::format(
      "  set logscale x\n  set xtics {} rotate by -45\n  set xlabel 'bodies N'\n"
      "  set xrange [{}:{}]\n",
      tics_at(values_of(result, &BenchSetup::n)), values_of(result, &BenchSetup::n).front() * 0.9,
      static_cast<double>(values_of(result, &BenchSetup::n).back()) * 1.1);
}

std::vector<Picture> pictures_by_n(const BenchResult& result) {
  const auto lines = lines_of(result, [](const BenchRow& row) {
    return BenchSetup{0, row.setup.threads, row.setup.precision};
  });
  const std::string part = result.context.part, first = result.rows.front().name;
  const BenchRow& anchor = *lines.front().rows.back();
  const double n = static_cast<double>(anchor.setup.n);
  Picture time{"time", data_by_n(result, lines), "", caption_of(result)};
  time.commands = grid_and_key() + x_axis_of_n(result) +
                  fmt::format(
                      "  set title 'Time of an iteration, {}'\n"
                      "  set logscale y\n  set format y '%g'\n"
                      "  set ylabel 'time of an iteration (ms)'\n"
                      "  plot {}, \\\n    {:.6g}*(x/{})**2 with lines lc rgb '#999999' dt 3 lw 1.5 "
                      "title 'as N squared'\n",
                      part, curves("time", lines, 2), anchor.seconds.median * 2e3, n);
  Picture ratio{"ratio", time.data, "", time.caption};
  ratio.commands = grid_and_key() + x_axis_of_n(result) +
                   fmt::format(
                       "  set title 'Speed against {0} at the same N, {1}'\n"
                       "  set logscale y\n"
                       "  set ytics (0.001, 0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200)\n"
                       "  set ylabel 'interactions/s in multiples of {0}'\n"
                       "  plot {2}\n",
                       first, part, curves("ratio", lines, 5));
  return {time, ratio};
}

// Of the largest N only: fewer bodies tell about starting threads, which crossing points do better.
Picture picture_by_threads(const BenchResult& result) {
  const std::size_t n = values_of(result, &BenchSetup::n).back();
  const auto threads = values_of(result, &BenchSetup::threads);
  BenchResult largest{result.context, {}};
  for (const BenchRow& row : result.rows) {
    if (row.setup.n == n) largest.rows.push_back(row);
  }
  const auto lines = lines_of(largest, [](const BenchRow& row) {
    return BenchSetup{row.setup.n, 0, row.setup.precision};
  });
  Picture picture{"threads", "# threads; rate in multiples of that of the fewest threads\n", "",
                  caption_of(result)};
  for (const Line& line : lines) {
    picture.data += "# " + line.label + "\n";
    for (const BenchRow* row : line.rows) {
      picture.data += fmt::format("{} {:.6g}\n", row->setup.threads,
                                  row->rate.median / line.rows.front()->rate.median);
    }
    picture.data += "\n\n";
  }
  picture.commands =
      grid_and_key() +
      fmt::format(
          "  set title 'Threads, {0}, N = {1}'\n"
          "  set xtics {2}\n  set xlabel 'threads'\n"
          "  set ylabel 'interactions/s in multiples of {3} thread{4}'\n"
          "  set xrange [{3}:{5}]\n  set yrange [0:{6:.3g}]\n"
          "  plot {7}, \\\n    x/{3}. with lines lc rgb '#999999' dt 3 lw 1.5 title 'ideal'\n",
          result.context.part, n, tics_at(threads), threads.front(),
          threads.front() == 1 ? "" : "s", threads.back(),
          1.1 * static_cast<double>(threads.back()) / threads.front(), curves("threads", lines, 2));
  return picture;
}

Picture ladder(const BenchResult& result) {
  const BenchSetup setup = setups_in(result).back();
  Picture picture{"ladder",
                  "# name, 10^9 interactions/s: median, lower and upper quartile, x first\n", "",
                  caption_of(result)};
  double most = 0;
  int bars = 0;
  for (const BenchRow& row : result.rows) {
    if (!(row.setup == setup) || !row.measured()) continue;
    picture.data += fmt::format("\"{}\" {:.6g} {:.6g} {:.6g} {:.2f}x\n", row.name,
                                row.rate.median / 1e9, row.rate.lower_quartile / 1e9,
                                row.rate.upper_quartile / 1e9, ratio_to_first(result, row));
    most = std::max(most, row.rate.upper_quartile / 1e9);
    ++bars;
  }
  picture.height = 150 + 30 * bars;
  picture.commands = fmt::format(
      "  set title '{0}, {1}'\n"
      "  set grid x lt 1 lw 0.7 lc rgb '#dddddd'\n  unset key\n  set bmargin 5\n"
      "  set xlabel '10^9 interactions/s; whiskers: middle half of the rounds'\n"
      "  set xrange [0:{2:.4g}]\n  set yrange [{3}:-0.7]\n  set ytics nomirror scale 0\n"
      "  set style fill solid 1 noborder\n"
      "  plot 'ladder.dat' using 2:0:(0):2:($0-0.35):($0+0.35):ytic(1) with boxxyerror "
      "lc rgb '#56B4E9', \\\n"
      "    '' using 2:0:3:4 with xerrorbars lc rgb '#000000' lw 1.5 pt -1, \\\n"
      "    '' using 4:0:5 with labels left offset 0.7,0\n",
      result.context.part, label_of(setup, {setup}), 1.15 * most, bars - 0.3);
  return picture;
}

}  // namespace

std::vector<Picture> pictures_of(const BenchResult& result) {
  std::vector<Picture> pictures;
  const bool anything = std::any_of(result.rows.begin(), result.rows.end(),
                                    [](const BenchRow& row) { return row.measured(); });
  if (!anything) return pictures;
  pictures.push_back(ladder(result));
  if (values_of(result, &BenchSetup::n).size() > 1) {
    for (const Picture& picture : pictures_by_n(result)) pictures.push_back(picture);
  }
  if (values_of(result, &BenchSetup::threads).size() > 1)
    pictures.push_back(picture_by_threads(result));
  return pictures;
}

std::string plot_bench(const BenchResult& result, const std::filesystem::path& folder) {
  return draw(pictures_of(result), folder);
}

}  // namespace nbody
