#include <fmt/format.h>

#include <cmath>

#include "check/error_measure.hpp"
#include "check/force_hypotheses.hpp"

namespace nbody::check {
namespace {

constexpr std::size_t largest_n = 130;

// a_ij for every pair, one row per component of each target: 3N rows of N columns.
std::vector<std::vector<double>> pair_accelerations(const Scene& scene) {
  const std::size_t n = scene.bodies.size();
  std::vector<std::vector<double>> rows(3 * n, std::vector<double>(n, 0));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (i == j) continue;
      const Vector a = pull_of(scene, i, j);
      rows[3 * i][j] = a.x;
      rows[3 * i + 1][j] = a.y;
      rows[3 * i + 2][j] = a.z;
    }
  }
  return rows;
}

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

double component(const Vectors<double>& v, std::size_t row) { return (v.*axes[row % 3])[row / 3]; }

// "4", "4 and 9", "128 to 190", "0, 7, 9 and 12 more"
std::string body_list(const std::vector<std::size_t>& bodies) {
  if (bodies.size() > 2 && bodies.back() - bodies.front() + 1 == bodies.size()) {
    return fmt::format("bodies {} to {}", bodies.front(), bodies.back());
  }
  std::string text = bodies.size() == 1 ? "body " : "bodies ";
  for (std::size_t k = 0; k < bodies.size() && k < 3; ++k) {
    text += fmt::format("{}{}", k > 0 ? ", " : "", bodies[k]);
  }
  if (bodies.size() > 3) text += fmt::format(" and {} more", bodies.size() - 3);
  return text;
}

}  // namespace

std::optional<std::vector<double>> source_weights(const WrongForces& wrong, double fit) {
  const std::size_t n = wrong.got.size();
  if (n < 2 || n > largest_n) return std::nullopt;
  const auto rows = pair_accelerations(wrong.scene);

  // Every row is scaled by its body's sum |a_ij|, every column by its length, so that giants do not
  // hide the others.
  std::vector<std::vector<double>> normal(n, std::vector<double>(n, 0));
  std::vector<double> weights(n, 0), length(n, 0);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double scale = 1 / wrong.reference.magnitude[r / 3];
    for (std::size_t i = 0; i < n; ++i) {
      const double a = rows[r][i] * scale;
      if (a == 0) continue;
      weights[i] += a * component(wrong.got, r) * scale;
      for (std::size_t j = 0; j <= i; ++j) normal[i][j] += a * rows[r][j] * scale;
    }
  }
  for (std::size_t i = 0; i < n; ++i) length[i] = std::sqrt(normal[i][i]);
  for (std::size_t i = 0; i < n; ++i) {
    weights[i] /= length[i];
    for (std::size_t j = 0; j <= i; ++j) normal[i][j] /= length[i] * length[j];
  }
  if (!solve(normal, weights)) return std::nullopt;
  for (std::size_t i = 0; i < n; ++i) weights[i] /= length[i];

  for (std::size_t r = 0; r < rows.size(); ++r) {
    double sum = 0, magnitude = 0;
    for (std::size_t j = 0; j < n; ++j) {
      sum += weights[j] * rows[r][j];
      magnitude += std::abs(weights[j] * rows[r][j]);
    }
    const double scale = std::max(magnitude, wrong.reference.magnitude[r / 3]);
    if (!(std::abs(sum - component(wrong.got, r)) <= fit * scale)) return std::nullopt;
  }
  return weights;
}

Hypothesis describe_source_weights(const std::vector<double>& weights) {
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
  const std::size_t n = weights.size();
  if (!repeated.empty()) {
    return {"sources repeated",
            fmt::format("{} pulls {:.0f} times{}: sources are loaded with a wrong index (a tile's "
                        "instead of a thread's?)",
                        body_list({repeated.front()}), weights[repeated.front()],
                        silent.empty() ? "" : fmt::format(", {} not at all", body_list(silent))),
            Reach::some_cases, largest_n};
  }
  if (!silent.empty() && n - silent.front() == silent.size()) {
    return {"sources end",
            fmt::format("{} {} no other body: the loop over the sources ends too early (a tail?)",
                        body_list(silent), silent.size() == 1 ? "pulls" : "pull")};
  }
  if (!silent.empty()) {
    return {"sources skipped",
            fmt::format("{} {} no other body: skipped as a source", body_list(silent),
                        silent.size() == 1 ? "pulls" : "pull"),
            Reach::some_cases, largest_n};
  }
  if (!odd.empty()) {
    return {"odd weight",
            fmt::format("{} pulls with {:.4g} of its mass", body_list({odd.front()}),
                        weights[odd.front()]),
            Reach::some_cases, largest_n};
  }
  return {"", ""};
}

}  // namespace nbody::check
