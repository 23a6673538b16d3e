#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/error_measure.hpp"
#include "check/fitters.hpp"

namespace nbody::check {
namespace {

constexpr std::size_t largest_n = 130;

// Solves the symmetric positive definite system in place by Cholesky's method; false if it is not.
bool solve(std::vector<std::vector<double>>& matrix, std::vector<double>& right) {
  const std::size_t n = right.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = matrix[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= matrix[i][k] * matrix[j][k];
      if (i == j && !(sum > 0)) return false;
      matrix[i][j] = i == j ? std::sqrt(sum) : sum / matrix[j][j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) right[i] -= matrix[i][k] * right[k];
    right[i] /= matrix[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) right[i] -= matrix[k][i] * right[k];
    right[i] /= matrix[i][i];
  }
  return true;
}

// "body 4", "bodies 4, 9", "bodies 128 to 190", "bodies 0, 7, 9 and 12 more"
std::string body_list(const std::vector<std::size_t>& bodies) {
  if (bodies.size() > 2 && bodies.back() - bodies.front() + 1 == bodies.size()) {
    return fmt::format("bodies {} to {}", bodies.front(), bodies.back());
  }
  const std::size_t named = std::min<std::size_t>(bodies.size(), 3);
  return fmt::format("{} {}{}", bodies.size() == 1 ? "body" : "bodies",
                     fmt::join(bodies.begin(), bodies.begin() + named, ", "),
                     bodies.size() > 3 ? fmt::format(" and {} more", bodies.size() - 3) : "");
}

// What is loaded with a wrong index pulls once, twice, or not at all.
Cause other_masses(const std::vector<double>& weights) {
  const auto is_fraction = [](double weight) {
    return std::abs(weight - std::round(weight)) > 0.05;
  };
  const auto first = std::find_if(weights.begin(), weights.end(), is_fraction);
  const auto fractions = std::count_if(weights.begin(), weights.end(), is_fraction);
  if (fractions < 3 || 2 * static_cast<std::size_t>(fractions) < weights.size()) return {};
  return {"other_masses",
          fmt::format("most bodies pull with another mass than their own, for example body {} with "
                      "{:.3g} of it: is one body's mass taken for all?",
                      first - weights.begin(), *first)};
}

Hypothesis about_silent(const std::vector<std::size_t>& silent, std::size_t n) {
  const std::string who =
      fmt::format("{} {} no other body", body_list(silent), silent.size() == 1 ? "pulls" : "pull");
  if (n - silent.front() == silent.size()) {
    return {{"sources_end", who + ": the loop over the sources ends too early (a tail?)"}};
  }
  return {{"sources_skipped", who + ": skipped as a source"}, Reach::some_cases, largest_n};
}

}  // namespace

std::optional<std::vector<double>> source_weights(const WrongForces& wrong, double fit) {
  const std::size_t n = wrong.got.size();
  if (n < 2 || n > largest_n) return std::nullopt;
  // Every row is scaled by its body's sum |a_ij|, every column by its length, so that giants do not
  // hide the others.
  std::vector<std::vector<double>> normal(n, std::vector<double>(n, 0));
  std::vector<double> weights(n, 0), length(n, 0);
  for (std::size_t k = 0; k < n; ++k) {
    const double scale = 1 / wrong.reference.magnitude[k];
    Vectors<double> pulls;
    pulls.resize(n);
    for (std::size_t j = 0; j < n; ++j) {
      const Vector a = j == k ? Vector() : pull_of(wrong.scene, k, j);
      pulls.x[j] = a.x * scale;
      pulls.y[j] = a.y * scale;
      pulls.z[j] = a.z * scale;
    }
    for (const auto axis : axes) {
      const std::vector<double>& row = pulls.*axis;
      for (std::size_t i = 0; i < n; ++i) {
        weights[i] += row[i] * (wrong.got.*axis)[k] * scale;
        for (std::size_t j = 0; j <= i; ++j) normal[i][j] += row[i] * row[j];
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) length[i] = std::sqrt(normal[i][i]);
  for (std::size_t i = 0; i < n; ++i) {
    weights[i] /= length[i];
    for (std::size_t j = 0; j <= i; ++j) normal[i][j] /= length[i] * length[j];
  }
  if (!solve(normal, weights)) return std::nullopt;
  for (std::size_t i = 0; i < n; ++i) weights[i] /= length[i];
  Reference sums = sums_with(wrong.scene, [&](auto, std::size_t j) { return weights[j]; });
  for (std::size_t i = 0; i < n; ++i) {
    sums.magnitude[i] = std::max(sums.magnitude[i], wrong.reference.magnitude[i]);
  }
  if (!explains(sums, wrong.got, fit)) return std::nullopt;
  return weights;
}

Hypothesis describe_source_weights(const std::vector<double>& weights) {
  // No loop loads a body so often: the weights only happen to fit.
  const double most = *std::max_element(weights.begin(), weights.end());
  if (most > 2 * static_cast<double>(weights.size())) return {};
  std::vector<std::size_t> silent, repeated, odd;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (std::abs(weights[j]) < 0.05) {
      silent.push_back(j);
    } else if (weights[j] > 1.5) {
      repeated.push_back(j);
    } else if (std::abs(weights[j] - 1) > 0.05) {
      odd.push_back(j);
    }
  }
  if (const Cause masses = other_masses(weights); masses.is_known()) {
    return {masses, Reach::some_cases, largest_n};
  }
  if (!repeated.empty()) {
    return {{"sources_repeated",
             fmt::format("{} pulls {:.0f} times{}: sources are loaded with a wrong index (a tile's "
                         "instead of a thread's?)",
                         body_list({repeated.front()}), weights[repeated.front()],
                         silent.empty() ? "" : fmt::format(", {} not at all", body_list(silent)))},
            Reach::some_cases,
            largest_n};
  }
  if (!silent.empty()) return about_silent(silent, weights.size());
  if (odd.empty()) return {};
  return {{"odd_weight", fmt::format("{} pulls with {:.4g} of its mass", body_list({odd.front()}),
                                     weights[odd.front()])},
          Reach::some_cases,
          largest_n};
}

}  // namespace nbody::check
