#include "worksheet/given.hpp"

#include <fmt/format.h>

#include "bodies/input_error.hpp"

namespace nbody {

// A student may have removed a line, or changed what it is.
template <typename Value>
static const Value& found(const std::map<std::string, Value>& answers, const std::string& name,
                          const char* kind) {
  const auto place = answers.find(name);
  if (place == answers.end()) {
    throw InputError(
        fmt::format("worksheet.hpp: there is no {} {} in it: bring it back", kind, name));
  }
  return place->second;
}

AtBothSizes Given::at_both_sizes(const std::string& name) const {
  return {found(answers.first.numbers, name, "double"),
          found(answers.second.numbers, name, "double")};
}

char Given::letter(const std::string& name) const {
  return found(answers.first.letters, name, "char");
}

const std::string& Given::text(const std::string& name) const {
  return found(answers.first.texts, name, "std::string");
}

std::optional<double> Given::counted(const std::string& implementation, const std::string& kind,
                                     double n, const std::string& function) const {
  const auto counts = counts_of(implementation, function);
  return counts ? counts->at(kind, n) : std::nullopt;
}

}  // namespace nbody
