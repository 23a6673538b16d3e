#include "view/view_options.hpp"

#include <fmt/format.h>

#include <map>
#include <numbers>

#include "bodies/input_error.hpp"
#include "bodies/words.hpp"
#include "command_line/command_line.hpp"

namespace nbody::view {
namespace {

using Words = std::vector<std::string>;
using Text = const std::string&;

constexpr float degree = std::numbers::pi_v<float> / 180;

int whole(const char* option, Text text, std::uint64_t least, std::uint64_t most) {
  return static_cast<int>(command_line::whole_number(option, text, least, most));
}

float number(const char* option, Text text, double least, double most) {
  return static_cast<float>(command_line::real_between(option, text, least, most));
}

void set_size(ViewOptions& options, Text text) {
  const auto cross = text.find('x');
  if (cross == std::string::npos) {
    throw InputError(
        fmt::format("--size needs WIDTHxHEIGHT, for example 1280x720, not {}", in_quotes(text)));
  }
  options.width = whole("--size", text.substr(0, cross), 64, 7680);
  options.height = whole("--size", text.substr(cross + 1), 64, 4320);
}

void set_colour(ViewOptions& options, Text text) {
  if (text != "speed" && text != "acceleration") {
    throw InputError(fmt::format("--colour needs speed or acceleration, not {}", in_quotes(text)));
  }
  options.look.colour = text == "speed" ? Look::Colour::speed : Look::Colour::acceleration;
}

void set_trails(ViewOptions& options, Text text) {
  if (text != "on" && text != "off") {
    throw InputError(fmt::format("--trails needs on or off, not {}", in_quotes(text)));
  }
  options.look.trails = text == "on";
  options.trails_given = true;
}

struct Row {
  const char *name, *value, *help;
  std::function<void(ViewOptions&, Text)> store;
  bool of_film = false;
};

// One row for each option of the view itself; all others belong to ./lab run.
const std::vector<Row>& rows() {
  static const std::vector<Row> rows = {
      {"--manifest", "FILE", "written by cmake", [](auto& o, Text t) { o.manifest = t; }},
      {"-o", "FILE", "a film: FILE.mp4, FILE.gif or FILE.webm", [](auto& o, Text t) { o.film = t; },
       true},
      {"--frames", "K", "pictures of the film (default 240); -i is spread over them",
       [](auto& o, Text t) { o.frames = whole("--frames", t, 1, 1000000); }, true},
      {"--fps", "F", "pictures per second of the film (default 30)",
       [](auto& o, Text t) { o.frames_per_second = whole("--fps", t, 1, 240); }, true},
      {"--turn", "D", "degrees that the camera turns during the film (default 30)",
       [](auto& o, Text t) { o.turn = number("--turn", t, -36000, 36000); }, true},
      {"--size", "WxH", "pixels (default 1280x720)", set_size},
      {"--tilt", "D", "degrees above the plane of x and y (default 52)",
       [](auto& o, Text t) { o.camera.tilt = degree * number("--tilt", t, -88, 88); }},
      {"--zoom", "F", "nearer (2) or farther (0.5)",
       [](auto& o, Text t) { o.camera.zoom(number("--zoom", t, 0.001, 1000)); }},
      {"--colour", "BY", "speed (default) or acceleration", set_colour},
      {"--trails", "on|off", "lines behind the bodies (default: up to 3000 bodies)", set_trails},
      {"--text", "on|off", "what is written into the picture (default on)",
       [](auto& o, Text t) { o.look.text = t != "off"; }},
      {"--keys", "TEXT", "keys pressed at the start, one per picture",
       [](auto& o, Text t) { o.keys = t; }},
  };
  return rows;
}

// Puts our options into the first, all others into the second.
void sort_words(int argc, char** argv, Words& ours, Words& of_run) {
  std::map<std::string, bool> takes_value = {
      {"-h", false}, {"--help", false}, {"--benchmark", false}};
  for (const Row& row : rows()) takes_value[row.name] = true;
  int k = 1;
  while (k < argc && argv[k][0] != '-') ours.push_back(argv[k++]);
  for (; k < argc; ++k) {
    const std::string word = argv[k];
    const auto found = takes_value.find(word.substr(0, word.find('=')));
    if (found == takes_value.end()) {
      of_run.push_back(word);
      continue;
    }
    ours.push_back(word);
    if (found->second && word.find('=') == std::string::npos && k + 1 < argc) {
      ours.push_back(argv[++k]);
    }
  }
}

void check(const ViewOptions& options) {
  if (options.part.empty() || options.names.empty()) {
    throw InputError(
        "which implementation? For example: ./lab view part1 naive --scene galaxy -n 2000");
  }
  if (options.names.size() > 2) throw InputError("at most two implementations side by side");
}

}  // namespace

std::optional<ViewOptions> parse_view_options(int argc, char** argv) {
  ViewOptions options;
  Words ours = {"view"};
  sort_words(argc, argv, ours, options.of_run);
  command_line::CommandLine line(
      "Shows a simulation in a window, or makes a film of it. Options of ./lab run choose the "
      "simulation;\nwith -i the window stops there, and stays until Esc.",
      "./lab view");
  line.text("part", "", options.part, "part1, ...");
  line.words("name", "", options.names, "an implementation, or two: side by side");
  const auto add = [&](bool of_film) {
    for (const Row& row : rows()) {
      if (row.of_film != of_film) continue;
      line.option(
          row.name, row.value, [&](Text text) { row.store(options, text); }, row.help);
    }
  };
  add(false);
  line.flag("--benchmark", options.benchmark,
            "measure how many pictures per second are drawn here");
  line.group("A film (./lab record)");
  add(true);
  std::vector<char*> arguments;
  for (std::string& word : ours) arguments.push_back(word.data());
  if (!line.parse(static_cast<int>(arguments.size()), arguments.data())) return std::nullopt;
  check(options);
  return options;
}

}  // namespace nbody::view
