#include "report/orbit_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "bodies/body_file.hpp"
#include "bodies/input_error.hpp"

namespace nbody {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_in_key = 12;
constexpr std::size_t most_paths = 300;  // of more bodies only the last positions

struct Path3 {
  std::array<std::vector<double>, 3> q;  // x, y, z
};

// By iteration. Only names whose middle is a number: BASE_orbits.dat is none of them.
std::map<std::uint64_t, fs::path> files_of(const fs::path& base) {
  const fs::path folder = base.has_parent_path() ? base.parent_path() : fs::path(".");
  const std::string before = base.filename().string() + ".", after = ".dat";
  std::map<std::uint64_t, fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.size() <= before.size() + after.size() || name.rfind(before, 0) != 0) continue;
    if (name.compare(name.size() - after.size(), after.size(), after) != 0) continue;
    const std::string number =
        name.substr(before.size(), name.size() - before.size() - after.size());
    if (number.size() > 18 || number.find_first_not_of("0123456789") != std::string::npos) continue;
    files[std::stoull(number)] = entry.path();
  }
  if (files.empty()) {
    throw InputError(
        fmt::format("{}.<iteration>.dat: no such file; ./lab run ... -w {} --every 10 writes them",
                    base.string(), base.string()));
  }
  return files;
}

struct Orbits {
  std::vector<Path3> bodies;
  std::uint64_t first = 0, last = 0;  // iterations
  std::size_t files = 0;
  bool natural_units = false;  // G = 1: lengths are not in metres
};

Orbits read_orbits(const fs::path& base) {
  const auto files = files_of(base);
  Orbits orbits;
  orbits.first = files.begin()->first;
  orbits.last = files.rbegin()->first;
  orbits.files = files.size();
  for (const auto& [iteration, file] : files) {
    const Scene scene = read_body_file(file);
    const std::size_t n = scene.bodies.size();
    if (orbits.bodies.empty()) orbits.bodies.resize(n);
    if (orbits.bodies.size() != n) {
      throw InputError(fmt::format("{}: {} bodies, but {} in the files before it", file.string(), n,
                                   orbits.bodies.size()));
    }
    orbits.natural_units = scene.setting.G == 1;
    for (std::size_t i = 0; i < n; ++i) {
      orbits.bodies[i].q[0].push_back(scene.bodies.qx[i]);
      orbits.bodies[i].q[1].push_back(scene.bodies.qy[i]);
      orbits.bodies[i].q[2].push_back(scene.bodies.qz[i]);
    }
  }
  return orbits;
}

// A cube around everything, so that all three planes have one scale.
struct Cube {
  std::array<double, 3> centre{};
  double half = 0;
};

Cube cube_around(const Orbits& orbits) {
  Cube cube;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double low = INFINITY, high = -INFINITY;
    for (const Path3& body : orbits.bodies) {
      const auto [least, most] = std::minmax_element(body.q[axis].begin(), body.q[axis].end());
      low = std::min(low, *least);
      high = std::max(high, *most);
    }
    cube.centre[axis] = low + (high - low) / 2;
    cube.half = std::max(cube.half, (high - low) / 2);
  }
  cube.half = cube.half > 0 ? 1.08 * cube.half : 1;
  return cube;
}

// A thousand, a million, ...: what numbers of this size are read in.
double unit_of(double extent) { return std::pow(10.0, 3 * std::floor(std::log10(extent) / 3)); }

std::string axis_label(char axis, double unit, bool natural_units) {
  const std::string power = unit == 1 ? "" : fmt::format("10^{:.0f}", std::log10(unit));
  const std::string metres = natural_units ? "" : "m";
  const std::string both = power + (power.empty() || metres.empty() ? "" : " ") + metres;
  return both.empty() ? std::string(1, axis) : fmt::format("{} ({})", axis, both);
}

std::string data_of(const Orbits& orbits, double unit) {
  std::string data = fmt::format("# x, y, z in {:g} m; a block for each body\n", unit);
  const bool paths = orbits.bodies.size() <= most_paths;
  for (const Path3& body : orbits.bodies) {
    const std::size_t count = body.q[0].size();
    for (std::size_t k = paths ? 0 : count - 1; k < count; ++k) {
      data += fmt::format("{:.7g} {:.7g} {:.7g}\n", body.q[0][k] / unit, body.q[1][k] / unit,
                          body.q[2][k] / unit);
    }
    if (paths) data += "\n\n";
  }
  return data;
}

// What one panel plots: paths with the last place of each body marked, or dots.
std::string curves_of(const Orbits& orbits, const std::string& name, int x, int y, bool with_key) {
  if (orbits.bodies.size() > most_paths) {
    return fmt::format("'{}.dat' using {}:{} with points pt 7 ps 0.2 lc rgb '#0072B2' notitle",
                       name, x, y);
  }
  std::vector<std::string> curves;
  for (std::size_t i = 0; i < orbits.bodies.size(); ++i) {
    const std::string style = line_style(i);
    const std::string title =
        with_key ? fmt::format("title 'body {}'", i + 1) : std::string("notitle");
    curves.push_back(fmt::format("'{0}.dat' index {1} using {2}:{3} with lines {4} {5}", name, i, x,
                                 y, style.substr(0, style.find(" pt")), title));
    curves.push_back(fmt::format(
        "'{0}.dat' index {1} every ::{2} using {3}:{4} with points {5} notitle", name, i,
        orbits.files - 1, x, y, style.substr(0, style.find(" dt")) + " pt 7 ps 0.7"));
  }
  return fmt::format("{}", fmt::join(curves, ", \\\n    "));
}

std::string panel(const Orbits& orbits, const Cube& cube, const std::string& name, double unit,
                  std::array<int, 2> axes, int column) {
  const auto range = [&](int axis) {
    const double centre = cube.centre[static_cast<std::size_t>(axis)];
    return fmt::format("[{:.6g}:{:.6g}]", (centre - cube.half) / unit, (centre + cube.half) / unit);
  };
  const auto label = [&](int axis) { return axis_label("xyz"[axis], unit, orbits.natural_units); };
  const bool key = column == 2 && orbits.bodies.size() <= most_in_key;
  const double left = 0.065 + 0.295 * column;
  return fmt::format(
      "  set lmargin at screen {0:.3f}; set rmargin at screen {1:.3f}\n"
      "  set xlabel '{2}'; set ylabel '{3}'\n"
      "  set xrange {4}; set yrange {5}\n"
      "  {6}\n"
      "  plot {7}\n",
      left, left + 0.225, label(axes[0]), label(axes[1]), range(axes[0]), range(axes[1]),
      key ? "set key at screen 0.995, screen 0.88 right top Left reverse samplen 1.5" : "unset key",
      curves_of(orbits, name, axes[0] + 1, axes[1] + 1, key));
}

}  // namespace

Picture orbit_picture(const fs::path& base) {
  const Orbits orbits = read_orbits(base);
  const Cube cube = cube_around(orbits);
  const double unit = unit_of(cube.half);
  Picture picture;
  picture.name = base.filename().string() + "_orbits";
  picture.data = data_of(orbits, unit);
  picture.caption =
      fmt::format("iterations {} to {} of {}, {} files; dots: where the bodies are at the end",
                  orbits.first, orbits.last, base.filename().string(), orbits.files);
  picture.width = 1250;
  picture.height = 420;
  picture.commands = fmt::format(
                         "  set multiplot title 'Orbits of {} bodies in three planes'\n"
                         "  set tmargin at screen 0.88; set bmargin at screen 0.19\n"
                         "  set size ratio -1\n  set grid lt 1 lw 0.7 lc rgb '#dddddd'\n  set "
                         "xtics rotate by -30\n",
                         orbits.bodies.size()) +
                     panel(orbits, cube, picture.name, unit, {0, 1}, 0) + "  unset label 1\n" +
                     panel(orbits, cube, picture.name, unit, {0, 2}, 1) +
                     panel(orbits, cube, picture.name, unit, {1, 2}, 2) + "  unset multiplot\n";
  return picture;
}

std::string plot_orbits(const fs::path& base) {
  return draw({orbit_picture(base)}, base.has_parent_path() ? base.parent_path() : fs::path("."));
}

}  // namespace nbody
