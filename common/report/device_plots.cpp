#include "report/device_plots.hpp"

#include <fmt/format.h>

#include "report/bench_lines.hpp"

namespace nbody {
namespace {

// The literature's convention for one interaction: by it different kernels can be compared.
constexpr double conventional_flops = 20;

// One way to launch, in a picture of its own: a line for each N.
struct Axis {
  std::string name;   // of the picture
  std::string title;  // of the picture
  std::string label;  // of the axis
  unsigned Tuning::*value;
};

std::string data_along(const std::vector<Line>& lines, const Axis& axis) {
  std::string data =
      fmt::format("# {}; 10^9 interactions/s: median, lower and upper quartile\n", axis.label);
  for (const Line& line : lines) {
    data += "# " + line.label + "\n";
    for (const BenchRow* row : line.rows) {
      data += fmt::format("{} {:.6g} {:.6g} {:.6g}\n", row->setup.tuning.*axis.value,
                          row->judged_rate() / 1e9, row->rate.lower_quartile / 1e9,
                          row->rate.upper_quartile / 1e9);
    }
    data += "\n\n";
  }
  return data;
}

std::string whiskers(const std::string& name, std::size_t lines) {
  std::string text;
  for (std::size_t k = 0; k < lines; ++k) {
    text += fmt::format(", \\\n    '{}.dat' index {} using 1:2:3:4 with yerrorbars {} notitle",
                        name, k, line_style(k));
  }
  return text;
}

Picture picture_along(const BenchResult& result, const Axis& axis) {
  const auto lines = lines_of(result, [&](const BenchRow& row) {
    BenchSetup setup = row.setup;
    setup.tuning.*axis.value = 0;
    return setup;
  });
  const auto values =
      values_of(result, [&](const BenchSetup& setup) { return setup.tuning.*axis.value; });
  Picture picture{axis.name, data_along(lines, axis), "", caption_of(result)};
  picture.commands =
      grid_and_key() +
      fmt::format(
          "  set title '{0}, {1}'\n"
          "  set logscale x 2\n  set xtics {2}\n  set xlabel '{3}'\n  set xrange [{4}:{5}]\n"
          "  set ylabel '10^9 interactions/s; whiskers: middle half of the rounds'\n"
          "  set yrange [0:*]\n"
          "  plot {6}{7}\n",
          axis.title, result.context.part, tics_at(values), axis.label,
          static_cast<double>(values.front()) * 0.9, static_cast<double>(values.back()) * 1.1,
          curves(axis.name, lines, 2), whiskers(axis.name, lines.size()));
  return picture;
}

// Gflop/s by 20 flops an interaction, against N; the right axis is in percent of the peak.
Picture picture_of_peak(const BenchResult& result) {
  const auto lines = lines_of(result, [](const BenchRow& row) {
    BenchSetup setup = row.setup;
    setup.n = 0;
    return setup;
  });
  const double peak = result.context.device_peak / 1e9;
  Picture picture{"flops", "# N, Gflop/s by 20 flops an interaction, percent of the peak\n", "",
                  caption_of(result)};
  for (const Line& line : lines) {
    picture.data += "# " + line.label + "\n";
    for (const BenchRow* row : line.rows) {
      const double rate = row->judged_rate() * conventional_flops / 1e9;
      picture.data += fmt::format("{} {:.6g} {:.4g}\n", row->setup.n, rate, 100 * rate / peak);
    }
    picture.data += "\n\n";
  }
  picture.commands =
      grid_and_key() + x_axis_of_n(result) +
      fmt::format(
          "  set title 'Flop/s by 20 flops an interaction, {0}'\n"
          "  set rmargin 34\n"
          "  set ylabel '10^9 flop/s'\n  set yrange [0:{1:.6g}]\n  set ytics nomirror\n"
          "  set y2label 'percent of the peak'\n  set y2range [0:110]\n  set y2tics 0, 20, 100\n"
          "  plot {2}, \\\n    {3:.6g} with lines lc rgb '#999999' dt 3 lw 1.5 title 'peak'\n",
          result.context.part, 1.1 * peak, curves("flops", lines, 2), peak);
  return picture;
}

}  // namespace

std::vector<Picture> device_pictures_of(const BenchResult& result) {
  const Axis axes[] = {
      {"block", "Threads of a block", "threads of a block", &Tuning::block},
      {"unroll", "Unrolling", "interactions of one turn of the loop", &Tuning::unroll}};
  std::vector<Picture> pictures;
  for (const Axis& axis : axes) {
    const auto value = [&](const BenchSetup& setup) { return setup.tuning.*axis.value; };
    if (values_of(result, value).size() > 1) pictures.push_back(picture_along(result, axis));
  }
  if (result.context.device_peak > 0 && values_of(result, &BenchSetup::n).size() > 1)
    pictures.push_back(picture_of_peak(result));
  return pictures;
}

}  // namespace nbody
