#include "view/cast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "bodies/input_error.hpp"

namespace nbody::view {
namespace {

using Words = std::vector<std::string>;

bool has(const Words& words, const std::string& option) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return word == option || word.rfind(option + "=", 0) == 0;
  });
}

// Defaults: something to see, without end.
Words completed(Words words) {
  if (!has(words, "-f") && !has(words, "-n") && !has(words, "--scene")) {
    words.insert(words.end(), {"--scene", "galaxy"});
  }
  if (has(words, "--scene") && !has(words, "-n") &&
      (has(words, "galaxy") || has(words, "collision") || has(words, "plummer"))) {
    words.insert(words.end(), {"-n", "2000"});
  }
  if (!has(words, "-i")) words.insert(words.end(), {"-i", std::to_string(endless)});
  return words;
}

void refuse_what_only_runs_do(const Options& options) {
  const auto refuse = [](bool given, const char* option) {
    if (given) {
      throw InputError(fmt::format("{} belongs to ./lab run: a view writes no bodies", option));
    }
  };
  refuse(options.write_base.has_value(), "-w");
  refuse(options.json.has_value(), "--json");
  refuse(options.log.has_value(), "--log");
  refuse(options.serve, "--serve");
}

Options options_of(const std::string& part, const std::string& name, const Words& words) {
  const MakeSimulator none(Maker<float>(nullptr));
  const Implementation nobody{part.c_str(), name.c_str(), "in a window", "", "", none};
  Words typed = completed(words);
  typed.insert(typed.begin(), "view");
  std::vector<char*> arguments;
  for (std::string& word : typed) arguments.push_back(word.data());
  const auto options =
      parse_command_line(static_cast<int>(arguments.size()), arguments.data(), nobody);
  if (!options) throw Leave{};
  refuse_what_only_runs_do(*options);
  return *options;
}

}  // namespace

Cast cast_of(const std::string& manifest, const std::string& part, const Words& names,
             const Words& words) {
  Cast cast;
  cast.options = options_of(part, names.front(), words);
  const protocol::Precision precision =
      cast.options.precision.value_or(protocol::Precision::single_precision);
  for (const auto& entry : check::select(check::read_manifest(manifest), part, names)) {
    const std::string skip = check::reason_to_skip(entry);
    if (!skip.empty()) throw InputError(fmt::format("{}/{} {}", part, entry.name, skip));
    const auto program = check::program_in(entry, precision);
    if (!program) {
      throw InputError(fmt::format("{}/{} has no program for {}", part, entry.name,
                                   protocol::name_of(precision)));
    }
    cast.players.push_back(
        {fmt::format("{}/{} in {}", part, entry.name, protocol::name_of(precision)), *program});
  }
  cast.scene = scene_of(cast.options);
  return cast;
}

}  // namespace nbody::view
