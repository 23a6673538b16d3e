#include "report/bench_plots.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/bench_lines.hpp"
#include "report/device_plots.hpp"

namespace nbody {
namespace {

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

std::vector<Picture> pictures_by_n(const BenchResult& result) {
  const auto lines = lines_of(result, [](const BenchRow& row) {
    return BenchSetup{0, row.setup.threads, row.setup.precision, row.setup.tuning};
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
    return BenchSetup{row.setup.n, 0, row.setup.precision, row.setup.tuning};
  });
  Picture picture{"threads", "# threads; rate in multiples of that of the fewest threads\n", "",
                  caption_of(result)};
  for (const Line& line : lines) {
    picture.data += "# " + line.label + "\n";
    for (const BenchRow* row : line.rows) {
      picture.data += fmt::format("{} {:.6g}\n", row->setup.threads,
                                  row->judged_rate() / line.rows.front()->judged_rate());
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
                  "# name, 10^9 interactions/s: median, lower and upper quartile, "
                  "x first (x the last right one before)\n",
                  "", caption_of(result)};
  double most = 0;
  int bars = 0;
  double before = 0;
  for (const BenchRow& row : result.rows) {
    if (!(row.setup == setup) || !row.measured()) continue;
    const std::string to_before =
        before > 0 ? fmt::format(" ({:.2f})", row.judged_rate() / before) : std::string();
    picture.data +=
        fmt::format("\"{}\" {:.6g} {:.6g} {:.6g} \"{:.2f}x{}\"\n", row.name,
                    row.judged_rate() / 1e9, row.rate.lower_quartile / 1e9,
                    row.rate.upper_quartile / 1e9, ratio_to_first(result, row), to_before);
    if (row.verdict == "right") before = row.judged_rate();
    most = std::max(most, row.rate.upper_quartile / 1e9);
    ++bars;
  }
  picture.height = 150 + 30 * bars;
  picture.commands = fmt::format(
      "  set title '{0}, {1}'\n"
      "  set grid x lt 1 lw 0.7 lc rgb '#dddddd'\n  unset key\n  set bmargin 5\n"
      "  set xlabel '10^9 interactions/s, x the first (x the last right one above); whiskers: "
      "middle half of the rounds'\n"
      "  set xrange [0:{2:.4g}]\n  set yrange [{3}:-0.7]\n  set ytics nomirror scale 0\n"
      "  set style fill solid 1 noborder\n"
      "  plot 'ladder.dat' using 2:0:(0):2:($0-0.35):($0+0.35):ytic(1) with boxxyerror "
      "lc rgb '#56B4E9', \\\n"
      "    '' using 2:0:3:4 with xerrorbars lc rgb '#000000' lw 1.5 pt -1, \\\n"
      "    '' using 4:0:5 with labels left offset 0.7,0\n",
      result.context.part, label_of(setup, {setup}), 1.25 * most, bars - 0.3);
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
  for (const Picture& picture : device_pictures_of(result)) pictures.push_back(picture);
  return pictures;
}

std::string plot_bench(const BenchResult& result, const std::filesystem::path& folder) {
  return draw(pictures_of(result), folder);
}

}  // namespace nbody
