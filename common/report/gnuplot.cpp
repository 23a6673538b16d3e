#include "report/gnuplot.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "bodies/input_error.hpp"
#include "bodies/text_file.hpp"

namespace nbody {
namespace {

constexpr int not_there = 127;

// Standard output and error of gnuplot are the caller's.
int run_gnuplot(const std::filesystem::path& folder, const std::string& script) {
  const pid_t child = fork();
  if (child < 0) throw InputError("gnuplot cannot be started: no more processes");
  if (child == 0) {
    if (chdir(folder.c_str()) == 0) execlp("gnuplot", "gnuplot", script.c_str(), nullptr);
    _exit(not_there);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char letter : text) result += letter == '\'' ? "''" : std::string(1, letter);
  return result + "'";
}

// Okabe and Ito's colours without the yellow, which is too light for a line on white.
std::string line_style(std::size_t k) {
  constexpr std::array colours = {"#000000", "#0072B2", "#D55E00", "#009E73",
                                  "#CC79A7", "#E69F00", "#56B4E9"};
  constexpr std::array points = {7, 5, 9, 13, 11, 6, 4, 8, 12};
  return fmt::format("lc rgb '{}' dt {} lw 2 pt {} ps 0.8", colours[k % colours.size()],
                     1 + k / colours.size(), points[k % points.size()]);
}

std::string script_of(const Picture& picture) {
  const std::string size = fmt::format("size {},{}", picture.width, picture.height);
  return fmt::format(
      "# Draw again, in this folder: gnuplot {0}.gp\n"
      "do for [kind in 'svg png'] {{\n"
      "  if (kind eq 'svg') {{\n"
      "    set terminal svg {1} font 'sans,14' background rgb 'white' noenhanced\n"
      "  }} else {{\n"
      "    set terminal pngcairo {1} font 'sans,11' noenhanced\n"
      "  }}\n"
      "  set output '{0}.'.kind\n"
      "  set label 1 {2} at screen 0.01, screen 0.02 font ',10' textcolor rgb '#555555'\n"
      "{3}"
      "  set output\n"
      "}}\n",
      picture.name, size, quoted(picture.caption), picture.commands);
}

std::string draw(const std::vector<Picture>& pictures, const std::filesystem::path& folder) {
  // Whatever is in the way, writing the first file says it.
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  for (const Picture& picture : pictures) {
    write_text_file(folder / (picture.name + ".dat"), picture.data);
    write_text_file(folder / (picture.name + ".gp"), script_of(picture));
  }
  std::string text;
  for (const Picture& picture : pictures) {
    const std::string script = picture.name + ".gp";
    const int status = run_gnuplot(folder, script);
    if (status == not_there) {
      return fmt::format(
          "no gnuplot here, so data and scripts only: install gnuplot-nox, then in {} run gnuplot "
          "on "
          "the *.gp\n",
          folder.string());
    }
    if (status != 0) {
      throw InputError(fmt::format("{}: gnuplot did not draw it", (folder / script).string()));
    }
    text += fmt::format("{}.svg and .png\n", (folder / picture.name).string());
  }
  return text;
}

}  // namespace nbody
