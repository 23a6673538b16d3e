#include "view/reference_frame.hpp"

#include <algorithm>
#include <cmath>

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

Point ReferenceFrame::point(const Vectors<double>& at, std::size_t i) const {
  return {static_cast<float>((at.x[i] - x) / size), static_cast<float>((at.y[i] - y) / size),
          static_cast<float>((at.z[i] - z) / size)};
}

double quantile(std::vector<double> values, double q) {
  const auto last = static_cast<double>(values.size() - 1);
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(std::ceil(q * last));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

ReferenceFrame frame_of(const Bodies<double>& bodies) {
  ReferenceFrame frame;
  double mass = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    mass += bodies.mass[i];
    const double share = bodies.mass[i] / mass;  // running mean: no sum that overflows
    frame.x += share * (bodies.qx[i] - frame.x);
    frame.y += share * (bodies.qy[i] - frame.y);
    frame.z += share * (bodies.qz[i] - frame.z);
  }
  std::vector<double> distances(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    distances[i] =
        std::hypot(bodies.qx[i] - frame.x, bodies.qy[i] - frame.y, bodies.qz[i] - frame.z);
  }
  const double size = quantile(std::move(distances), 0.95);
  frame.size = size > 0 ? size : 1;
  return frame;
}

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
