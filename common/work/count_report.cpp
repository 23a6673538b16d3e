#include "work/count_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "command_line/table.hpp"
#include "machine/machine.hpp"
#include "simulator/accelerator.hpp"

namespace nbody::work {
namespace {

std::string polynomial_text(const WorkCount& count, const WorkPart& part, const WorkClass& kind) {
  const auto polynomial = count.polynomial(part, kind);
  if (polynomial) return polynomial->text();
  const double n = fitted_sizes.back();
  return fmt::format("about {:.2f} n^2",
                     static_cast<double>(kind.of(part.of(count.fitted.back()))) / (n * n));
}

// Counted if possible, else by the polynomial; NaN without one.
double value_at_n(const WorkCount& count, const WorkPart& part, const WorkClass& kind) {
  if (count.at_n) return static_cast<double>(kind.of(part.of(*count.at_n)));
  const auto polynomial = count.polynomial(part, kind);
  return polynomial ? polynomial->at(static_cast<double>(count.n))
                    : std::numeric_limits<double>::quiet_NaN();
}

// A table with a column for each function, filled by rows of cell(function).
class FunctionTable {
 public:
  explicit FunctionTable(const std::string& title) : table_(titles(title)) {}

  template <typename Cell>
  void add_row(const std::string& label, Cell cell) {
    std::vector<std::string> cells = {label};
    for (const WorkPart& function : counted_functions()) cells.push_back(cell(function));
    table_.add_row(cells);
  }

  // A row for each class, flops and memops separated.
  template <typename Cell>
  void add_classes(const WorkCount& count, Cell cell) {
    for (const WorkClass& kind : work_classes()) {
      const Counts all = iterations().back().of(count.fitted.back());
      if (kind.rare && kind.of(all) == 0) continue;
      if (std::string(kind.key) == all_flops.key) table_.add_line();
      add_row(kind.label, [&](const WorkPart& function) { return cell(function, kind); });
      if (std::string(kind.key) == all_flops.key) table_.add_line();
    }
  }

  void add_line() { table_.add_line(); }
  std::string text() const { return table_.text(); }

 private:
  static std::vector<std::string> titles(const std::string& title) {
    std::vector<std::string> titles = {title};
    for (const WorkPart& function : counted_functions()) {
      titles.push_back(">" + function.name);
    }
    return titles;
  }

  command_line::Table table_;
};

std::string polynomials(const WorkCount& count) {
  FunctionTable table("as polynomials in n");
  table.add_classes(count, [&](const WorkPart& function, const WorkClass& kind) {
    return polynomial_text(count, function, kind);
  });
  return table.text();
}

std::string values(const WorkCount& count) {
  const auto text = [](double value, int digits) {
    return std::isnan(value) ? std::string("?") : fmt::format("{:.{}f}", value, digits);
  };
  FunctionTable table(fmt::format("with n = {} bodies", count.n));
  table.add_classes(count, [&](const WorkPart& function, const WorkClass& kind) {
    return text(value_at_n(count, function, kind), 0);
  });
  table.add_line();
  const double n = static_cast<double>(count.n);
  const auto per_interaction = [&](const char* label, const WorkClass& kind, double factor) {
    table.add_row(label, [&](const WorkPart& function) {
      return text(value_at_n(count, function, kind) * factor / (n * n), 3);
    });
  };
  per_interaction("flops per interaction", all_flops, 1);
  per_interaction("bytes per interaction, float", all_memops, sizeof(float));
  per_interaction("bytes per interaction, double", all_memops, sizeof(double));
  return table.text();
}

std::string counted_everywhere(const WorkCount& count, const WorkPart& function,
                               const WorkClass& kind) {
  std::string text;
  for (std::size_t k = 0; k < fitted_sizes.size(); ++k) {
    text += fmt::format("{}{} at {}", k == 0 ? "" : ", ", kind.of(function.of(count.fitted[k])),
                        fitted_sizes[k]);
  }
  return text;
}

// Where a polynomial does not hold: a line for each class that depends on where the bodies are, one
// for all that padding and remainders add.
std::string exceptions(const WorkCount& count) {
  std::string text, remainders;
  for (const WorkPart& function : all_functions(count.fitted.back())) {
    for (const WorkClass& kind : work_classes()) {
      if (std::string(kind.key) == all_flops.key || std::string(kind.key) == all_memops.key)
        continue;
      const auto polynomial = count.polynomial(function, kind);
      if (!polynomial) {
        text += fmt::format("{}, {}: depends on where the bodies are: {}\n", function.name,
                            kind.label, counted_everywhere(count, function, kind));
      } else if (count.at_n) {
        const auto counted = static_cast<std::int64_t>(kind.of(function.of(*count.at_n)));
        const auto n = static_cast<std::int64_t>(count.n);
        if (polynomial->passes_through(n, counted)) continue;
        remainders +=
            fmt::format("{}{}, {}: {} instead of {:.0f}", remainders.empty() ? "" : "; ",
                        function.name, kind.label, counted, polynomial->at(static_cast<double>(n)));
      }
    }
  }
  if (!remainders.empty()) {
    text += fmt::format("padding and remainders of loops count, too: {}\n", remainders);
  }
  return text.empty() ? text : "\n" + text;
}

std::string steps(const WorkCount& count) {
  const Work& work = count.fitted.back();
  command_line::Table table(
      {"a step of each integrator", ">evaluations", ">flops", ">loads and stores"});
  for (const Scheme& scheme : schemes()) {
    const auto step = work_of_step(scheme, work);
    if (!step) continue;
    table.add_row({step->name, fmt::format("{}", scheme.evaluations),
                   polynomial_text(count, *step, all_flops),
                   polynomial_text(count, *step, all_memops)});
  }
  std::string text = "\n" + table.text() +
                     "  with a fixed step; what the lab itself computes on the host for rk4 and "
                     "hermite4 is not counted\n";
  for (const WorkPart& function : functions_for_integrators(work)) {
    text += fmt::format("  {}(): {} flops, {} loads and stores\n", function.name,
                        polynomial_text(count, function, all_flops),
                        polynomial_text(count, function, all_memops));
  }
  const auto missing = missing_functions(work);
  if (missing.empty()) return text;
  return text + fmt::format("  none of those that need {}: it has no such function\n",
                            fmt::join(missing, " or "));
}

using Json = nlohmann::ordered_json;

// {"n2": a, "n": b, "1": c, "over": d} stands for (a n^2 + b n + c) / d; null: no polynomial.
Json json_of(const std::optional<Polynomial>& polynomial) {
  if (!polynomial) return nullptr;
  return {{"n2", polynomial->a},
          {"n", polynomial->b},
          {"1", polynomial->c},
          {"over", polynomial->denominator},
          {"text", polynomial->text()}};
}

Json json_of(const WorkCount& count, const WorkPart& part) {
  Json json;
  for (const WorkClass& kind : work_classes()) {
    Json& entry = json[kind.key] = {{"polynomial", json_of(count.polynomial(part, kind))}};
    for (std::size_t k = 0; k < fitted_sizes.size(); ++k) {
      entry["counted"][std::to_string(fitted_sizes[k])] = kind.of(part.of(count.fitted[k]));
    }
    if (count.at_n) entry["counted"][std::to_string(count.n)] = kind.of(part.of(*count.at_n));
  }
  return json;
}

}  // namespace

std::string count_text(const CountedImplementation& implementation, const WorkCount& count) {
  std::string text =
      fmt::format("{}/{}: work of one iteration, counted by running it on a counting number\n\n{}",
                  implementation.part, implementation.name, polynomials(count));
  text += fmt::format(
      "  found by counting with n = {}, {} and {} bodies; the count with {} agrees\n\n{}",
      fitted_sizes[0], fitted_sizes[1], fitted_sizes[2], fitted_sizes[3], values(count));
  text += count.at_n ? "  counted with that many bodies\n" : "  by the polynomials\n";
  if (implementation.accelerator != nullptr) {
    text += "  loads and stores are of global memory unless marked\n";
  }
  text += exceptions(count);
  text += steps(count);
  text += fmt::format("\nflops per iteration: {} with a fixed step, {} with the adaptive step\n",
                      polynomial_text(count, iterations()[0], all_flops),
                      polynomial_text(count, iterations()[1], all_flops));
  text += fmt::format("accelerations right: error {:.1e}\n", count.error);
  return text;
}

std::string count_json(const CountedImplementation& implementation, const WorkCount& count) {
  Json json = {{"part", implementation.part},
               {"name", implementation.name},
               {"text", count_text(implementation, count)},
               {"n", count.n},
               {"error", count.error}};
  if (implementation.accelerator != nullptr) {
    json["device"] = implementation.accelerator->description();
    json["date"] = machine::date_today();
  }
  for (const auto& parts : {all_functions(count.fitted.back()), iterations()}) {
    for (const WorkPart& part : parts) json["work"][part.name] = json_of(count, part);
  }
  return json.dump(2) + "\n";
}

}  // namespace nbody::work
