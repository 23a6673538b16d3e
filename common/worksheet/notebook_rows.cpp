#include "worksheet/notebook_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bodies/input_error.hpp"

namespace nbody {
namespace {

constexpr double close_enough = 0.15;  // as of the verdict "as expected"

// Null, or not there, where there is no number.
double number_in(const nlohmann::json& row, const char* key) {
  return row.contains(key) && row[key].is_number() ? row[key].get<double>() : 0;
}

std::string place_of(const NotebookRow& row) { return fmt::format("row {}", row.row); }

NotebookNumbers column(const NotebookRows& rows, double NotebookRow::*number) {
  NotebookNumbers numbers;
  for (const NotebookRow& row : rows) {
    if (row.*number > 0) numbers.push_back({row.*number, place_of(row)});
  }
  return numbers;
}

// 0.285, 4.2, 1950: no exponent.
std::string three_digits(double number) {
  return number < 1000 ? fmt::format("{:.3g}", number) : fmt::format("{:.0f}", number);
}

double distance(double answer, double number) { return std::abs(std::log(number / answer)); }

}  // namespace

NotebookRows notebook_rows_of(const std::string& json) {
  NotebookRows rows;
  try {
    for (const auto& row : nlohmann::json::parse(json)) {
      rows.push_back({static_cast<int>(number_in(row, "row")), row.at("name"), number_in(row, "n"),
                      number_in(row, "threads"), number_in(row, "expected"),
                      number_in(row, "measured"), number_in(row, "interactions_per_s")});
    }
  } catch (const nlohmann::json::exception&) {
    throw InputError("--notebook wants the right rows of the notebook as a JSON array");
  }
  return rows;
}

int measured_ideas(const NotebookRows& rows) {
  return static_cast<int>(std::count_if(rows.begin(), rows.end(), [](const NotebookRow& row) {
    return row.expected > 0 && row.measured > 0;
  }));
}

NotebookNumbers giga_interactions_per_s(const NotebookRows& rows, const WhichRows& which) {
  NotebookRows wanted;
  for (const NotebookRow& row : rows) {
    if (!which.name.empty() && row.name != which.name) continue;
    if (which.n > 0 && row.n != which.n) continue;
    if (which.threads > 0 && row.threads != which.threads) continue;
    wanted.push_back(row);
  }
  NotebookNumbers numbers = column(wanted, &NotebookRow::interactions_per_s);
  for (NotebookNumber& number : numbers) number.value /= 1e9;
  return numbers;
}

NotebookNumbers expected_gains(const NotebookRows& rows) {
  return column(rows, &NotebookRow::expected);
}

NotebookNumbers measured_gains(const NotebookRows& rows) {
  return column(rows, &NotebookRow::measured);
}

NotebookNumbers speed_ups_of_threads(const NotebookRows& rows, double n, double threads) {
  NotebookNumbers numbers;
  for (const NotebookRow& many : rows) {
    const bool wanted = threads > 0 ? many.threads == threads : many.threads > 1;
    if (!wanted || many.n == 0 || (n > 0 && many.n != n)) continue;
    for (const NotebookRow& one : rows) {
      if (one.threads != 1 || one.name != many.name || one.n != many.n) continue;
      if (!(one.interactions_per_s > 0 && many.interactions_per_s > 0)) continue;
      numbers.push_back({many.interactions_per_s / one.interactions_per_s,
                         fmt::format("rows {}, {}", one.row, many.row)});
    }
  }
  return numbers;
}

std::string disagreement(double answer, const NotebookNumbers& numbers) {
  if (numbers.empty() || !(answer > 0)) return "";
  const auto nearest = std::min_element(
      numbers.begin(), numbers.end(), [&](const NotebookNumber& one, const NotebookNumber& other) {
        return distance(answer, one.value) < distance(answer, other.value);
      });
  if (std::abs(answer - nearest->value) <= close_enough * nearest->value) return "";
  return fmt::format("{} in the notebook ({})", three_digits(nearest->value), nearest->where);
}

}  // namespace nbody
