#include "bodies/body_header.hpp"

#include <fmt/format.h>

#include <array>
#include <set>

#include "bodies/input_error.hpp"
#include "bodies/words.hpp"

namespace nbody {
namespace {

constexpr std::string_view mark = "# nbody-lab:";

enum class Range { any, not_negative, positive, at_most_1 };

struct Key {
  std::string_view name;
  double& value;
  Range range;
};

std::array<Key, 6> keys_of(Scene& scene) {
  return {{{"G", scene.setting.G, Range::not_negative},
           {"soft", scene.setting.softening, Range::not_negative},
           {"dt", scene.setting.dt, Range::positive},
           {"mdt", scene.setting.dt_floor, Range::not_negative},
           {"time", scene.time, Range::any},
           {"damping", scene.setting.damping, Range::at_most_1}}};
}

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw InputError(fmt::format("{}:1: {}", printable(name), what));
}

void read_value(const std::string& name, const Key& key, std::string_view word) {
  const auto value = finite_number(word);
  if (!value) {
    fail(name, fmt::format("{} is {}, not a finite decimal number: write it like {}=1.5e3",
                           key.name, in_quotes(word), key.name));
  }
  if (key.range == Range::positive && !(*value > 0)) {
    fail(name, fmt::format("{} is {}, but must be above 0", key.name, in_quotes(word)));
  }
  if (key.range == Range::not_negative && *value < 0) {
    fail(name, fmt::format("{} is {}, but must not be negative", key.name, in_quotes(word)));
  }
  if (key.range == Range::at_most_1 && !(*value >= 0 && *value <= 1)) {
    fail(name, fmt::format("{} is {}, but must be between 0 and 1", key.name, in_quotes(word)));
  }
  key.value = *value;
}

}  // namespace

void parse_body_header(std::string_view text, const std::string& name, Scene& scene) {
  std::string_view line = text.substr(0, text.find('\n'));
  if (line.substr(0, mark.size()) != mark) return;
  line.remove_prefix(mark.size());

  const auto keys = keys_of(scene);
  std::set<std::string_view> seen;
  Words words(line);
  while (words.next()) {
    const std::string_view word = words.word();
    const std::string_view key_name = word.substr(0, word.find('='));
    const bool integrator = key_name == "integrator";
    const Key* key = nullptr;
    for (const Key& known : keys) {
      if (known.name == key_name) key = &known;
    }
    if (key == nullptr && !integrator) {
      fail(name,
           fmt::format("unknown key {} in the nbody-lab line: known are G, soft, dt, mdt, time, "
                       "damping, integrator",
                       in_quotes(key_name)));
    }
    if (key_name.size() == word.size() || (integrator && key_name.size() + 1 == word.size())) {
      fail(name, fmt::format("{} has no value: write {}={} without spaces", key_name, key_name,
                             integrator ? "NAME" : "NUMBER"));
    }
    if (!seen.insert(key_name).second) {
      fail(name, fmt::format("{} is given twice: remove one", key_name));
    }
    const std::string_view value = word.substr(key_name.size() + 1);
    if (integrator) {
      scene.setting.integrator = value;
    } else {
      read_value(name, *key, value);
    }
  }
}

std::string format_body_header(const Scene& scene) {
  const Setting& setting = scene.setting;
  std::string line = fmt::format("{} G={} soft={} dt={} mdt={} time={}", mark, setting.G,
                                 setting.softening, setting.dt, setting.dt_floor, scene.time);
  if (!setting.integrator.empty()) line += fmt::format(" integrator={}", setting.integrator);
  if (setting.damping != 1) line += fmt::format(" damping={}", setting.damping);
  return line + "\n";
}

}  // namespace nbody
