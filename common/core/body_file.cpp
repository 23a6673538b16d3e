#include "core/body_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "core/input_error.hpp"
#include "core/text_file.hpp"
#include "core/words.hpp"

namespace nbody {
namespace {

constexpr std::array column_names = {"mass", "radius", "qx", "qy", "qz", "vx", "vy", "vz"};
constexpr std::size_t mass_column = 0, radius_column = 1;

// Eight digits and their spaces: no record is shorter.
constexpr std::size_t shortest_record = 16;

[[noreturn]] void fail(const std::string& name, const Words& words, const std::string& what) {
  throw InputError(fmt::format("{}:{}: {}", printable(name), words.line(), what));
}

// --- the first line ---

// Any other first line is a comment.
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

void read_value(const std::string& name, const Words& words, const Key& key,
                std::string_view word) {
  const auto value = finite_number(word);
  if (!value) {
    fail(name, words,
         fmt::format("{} is {}, not a finite decimal number: write it like {}=1.5e3", key.name,
                     in_quotes(word), key.name));
  }
  if (key.range == Range::positive && !(*value > 0)) {
    fail(name, words, fmt::format("{} is {}, but must be above 0", key.name, in_quotes(word)));
  }
  if (key.range == Range::not_negative && *value < 0) {
    fail(name, words, fmt::format("{} is {}, but must not be negative", key.name, in_quotes(word)));
  }
  if (key.range == Range::at_most_1 && !(*value >= 0 && *value <= 1)) {
    fail(name, words,
         fmt::format("{} is {}, but must be between 0 and 1", key.name, in_quotes(word)));
  }
  key.value = *value;
}

void parse_first_line(std::string_view text, const std::string& name, Scene& scene) {
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
      fail(name, words,
           fmt::format("unknown key {} in the nbody-lab line: known are G, soft, dt, mdt, time, "
                       "damping, integrator",
                       in_quotes(key_name)));
    }
    if (key_name.size() == word.size() || (integrator && key_name.size() + 1 == word.size())) {
      fail(name, words,
           fmt::format("{} has no value: write {}={} without spaces", key_name, key_name,
                       integrator ? "NAME" : "NUMBER"));
    }
    if (!seen.insert(key_name).second) {
      fail(name, words, fmt::format("{} is given twice: remove one", key_name));
    }
    const std::string_view value = word.substr(key_name.size() + 1);
    if (integrator) {
      scene.setting.integrator = value;
    } else {
      read_value(name, words, *key, value);
    }
  }
}

std::string format_first_line(const Scene& scene) {
  const Setting& setting = scene.setting;
  std::string line = fmt::format("{} G={} soft={} dt={} mdt={} time={}", mark, setting.G,
                                 setting.softening, setting.dt, setting.dt_floor, scene.time);
  if (!setting.integrator.empty()) line += fmt::format(" integrator={}", setting.integrator);
  if (setting.damping != 1) line += fmt::format(" damping={}", setting.damping);
  return line + "\n";
}

// --- N and the records ---

std::size_t parse_count(const std::string& name, Words& words) {
  if (!words.next()) {
    fail(name, words, "no bodies here: start with their number N, then write N records");
  }
  const std::string_view word = words.word();
  if (word.find_first_not_of("0123456789") != std::string_view::npos) {
    fail(name, words,
         fmt::format(
             "{} is not a number of bodies: start with a whole number N, then write N records",
             in_quotes(word)));
  }
  std::size_t count = 0;
  const auto error = std::from_chars(word.data(), word.data() + word.size(), count).ec;
  if (error != std::errc() || count > max_bodies) {
    fail(name, words,
         fmt::format("N is {}, but at most {} bodies are possible: correct N", in_quotes(word),
                     max_bodies));
  }
  if (count == 0) fail(name, words, "N is 0, but at least 1 body is needed: correct N");
  return count;
}

void parse_value(const std::string& name, const Words& words, std::size_t column,
                 std::vector<double>& values) {
  const auto complain = [&](const char* trouble) {
    fail(name, words,
         fmt::format("{} of record {} is {}, {}", column_names[column], values.size() + 1,
                     in_quotes(words.word()), trouble));
  };
  const auto value = finite_number(words.word());
  if (!value) complain("not a finite decimal number: write it like 1.5e3");
  if (column == mass_column && !(*value > 0)) complain("but a mass must be above 0");
  if (column == radius_column && *value < 0) complain("but a radius must not be negative");
  values.push_back(*value);
}

void demand_finite(double value, std::size_t column, std::size_t body) {
  if (std::isfinite(value)) return;
  throw InputError(fmt::format(
      "{} of body {} is {} and cannot be written: try a smaller time step or a softening",
      column_names[column], body, value));
}

}  // namespace

Scene parse_bodies(std::string_view text, const std::string& name) {
  Scene scene;
  parse_first_line(text, name, scene);
  Words words(text);
  const std::size_t count = parse_count(name, words);

  // Reserve what the text can hold, however many bodies it announces.
  const std::size_t expected = std::min(count, text.size() / shortest_record + 1);
  const auto columns = scene.bodies.columns();
  for (auto* column : columns) column->reserve(expected);

  for (std::size_t found = 0; found < count; ++found) {
    for (std::size_t c = 0; c < column_names.size(); ++c) {
      if (!words.next()) {
        fail(name, words,
             fmt::format("the file ends after {} records and {} numbers, but N is {}: add what is "
                         "missing or correct N",
                         found, c, count));
      }
      parse_value(name, words, c, *columns[c]);
    }
    const std::string_view called = words.comment();
    if (!called.empty()) scene.names.emplace(found, called);
  }
  if (words.next()) {
    fail(name, words,
         fmt::format("{} follows the last record, because N is {}: remove the surplus or correct N",
                     in_quotes(words.word()), count));
  }
  return scene;
}

std::string format_bodies(const Scene& scene) {
  const Bodies<double>& bodies = scene.bodies;
  const auto columns = bodies.columns();
  std::string text = format_first_line(scene);
  text += fmt::format("{}\n# mass radius qx qy qz vx vy vz\n", bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t c = 0; c < column_names.size(); ++c) {
      const double value = (*columns[c])[i];
      demand_finite(value, c, i);
      // The shortest digits that read back to the same double.
      text += fmt::format("{}{}", c == 0 ? "" : " ", value);
    }
    const auto name = scene.names.find(i);
    text += name == scene.names.end() ? "\n" : fmt::format("  # {}\n", name->second);
  }
  return text;
}

Scene read_body_file(const std::filesystem::path& file) {
  return parse_bodies(read_text_file(file), file.string());
}

void write_body_file(const std::filesystem::path& file, const Scene& scene) {
  write_text_file(file, format_bodies(scene));
}

}  // namespace nbody
