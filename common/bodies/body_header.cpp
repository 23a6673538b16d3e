#include "bodies/body_header.hpp"

#include <fmt/format.h>

#include <array>
#include <set>

#include "bodies/input_error.hpp"
#include "bodies/words.hpp"

namespace nbody {
namespace {

constexpr std::string_view mark = "# nbody-lab:";

enum class Range { any, not_negative, positive };

struct Key {
  std::string_view name;
  double& value;
  Range range;
};

std::array<Key, 5> keys_of(Scene& scene) {
  return {{{"G", scene.setting.G, Range::not_negative},
           {"soft", scene.setting.softening, Range::not_negative},
           {"dt", scene.setting.dt, Range::positive},
           {"mdt", scene.setting.dt_floor, Range::not_negative},
           {"time", scene.time, Range::any}}};
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
    const Key* key = nullptr;
    for (const Key& known : keys) {
      if (known.name == key_name) key = &known;
    }
    if (key == nullptr) {
      fail(name,
           fmt::format("unknown key {} in the nbody-lab line: known are G, soft, dt, mdt, time",
                       in_quotes(key_name)));
    }
    if (key_name.size() == word.size()) {
      fail(name,
           fmt::format("{} has no value: write {}=NUMBER without spaces", key->name, key->name));
    }
    if (!seen.insert(key_name).second) {
      fail(name, fmt::format("{} is given twice: remove one", key->name));
    }
    read_value(name, *key, word.substr(key_name.size() + 1));
  }
}

std::string format_body_header(const Scene& scene) {
  const Setting& setting = scene.setting;
  return fmt::format("{} G={} soft={} dt={} mdt={} time={}\n", mark, setting.G, setting.softening,
                     setting.dt, setting.dt_floor, scene.time);
}

}  // namespace nbody
