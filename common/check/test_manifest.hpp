#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace nbody::check::test {

// A row of a manifest as CMake writes it, of one program in float.
inline nlohmann::json manifest_row(const std::string& part, const std::string& name,
                                   const std::string& program) {
  return {{"part", part},
          {"name", name},
          {"kind", "rung"},
          {"summary", ""},
          {"source", ""},
          {"class", ""},
          {"parent", ""},
          {"flags", nlohmann::json::array()},
          {"needs", nlohmann::json::array()},
          {"expect", ""},
          {"program", program},
          {"target", part + "_" + name},
          {"arguments", nlohmann::json::array()},
          {"programs",
           {{{"precision", "float"},
             {"instruction_set", ""},
             {"program", program},
             {"target", part + "_" + name}}}},
          {"count", nullptr}};
}

// One more program of the row.
inline void add_program(nlohmann::json& row, const std::string& precision,
                        const std::string& instruction_set, const std::string& program) {
  row["programs"].push_back({{"precision", precision},
                             {"instruction_set", instruction_set},
                             {"program", program},
                             {"target", "none"}});
}

inline nlohmann::json manifest_of(const nlohmann::json& rows) {
  return {{"version", 2}, {"parts", nlohmann::json::array()}, {"implementations", rows}};
}

}  // namespace nbody::check::test
