#include "view/palette.hpp"

#include <algorithm>
#include <cmath>

#include "view/reference_frame.hpp"

namespace nbody::view {
namespace {

double length(const Vectors<double>& v, std::size_t i) {
  return std::hypot(v.x[i], v.y[i], v.z[i]);
}

std::vector<double> amounts(const Snapshot& snapshot, Look::Colour colour) {
  // The accelerations come with the next answer.
  const bool by_speed = colour == Look::Colour::speed || snapshot.acceleration.size() == 0;
  const Vectors<double>& vectors = by_speed ? snapshot.velocity : snapshot.acceleration;
  std::vector<double> amounts(vectors.size());
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    const double amount = length(vectors, i);
    amounts[i] = by_speed ? amount : std::log(std::max(amount, 1e-300));
  }
  return amounts;
}

}  // namespace

void Palette::follow(const std::vector<double>& of_bodies, Look::Colour colour) {
  const double low = quantile(of_bodies, 0.02), high = quantile(of_bodies, 0.98);
  const double share = has_range_ && of_ == colour ? 0.05 : 1;
  low_ += share * (low - low_);
  high_ += share * (high - high_);
  has_range_ = true;
  of_ = colour;
}

std::vector<float> Palette::values(const Snapshot& snapshot, Look::Colour colour) {
  const auto of_bodies = amounts(snapshot, colour);
  follow(of_bodies, snapshot.acceleration.size() == 0 ? Look::Colour::speed : colour);
  std::vector<float> values(of_bodies.size(), 0.5F);
  if (!(high_ > low_)) return values;
  std::transform(of_bodies.begin(), of_bodies.end(), values.begin(), [&](double amount) {
    return static_cast<float>(std::clamp((amount - low_) / (high_ - low_), 0.0, 1.0));
  });
  return values;
}

}  // namespace nbody::view
