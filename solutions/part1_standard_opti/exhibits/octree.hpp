#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "simulator/real.hpp"

namespace nbody {

// Groups of bodies in all sizes (J. Barnes, P. Hut, Nature 324, 1986): a cube with more than a few
// bodies is subdivided into eight. A cell that a body sees under less than the opening angle acts
// as a whole, by its mass and its second moments; a larger one is opened.
class Octree {
 public:
  struct Vector {
    real x = 0, y = 0, z = 0;
    friend Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Vector operator*(real s, Vector a) { return {s * a.x, s * a.y, s * a.z}; }
    friend real dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
  };
  struct Point {
    real mass;
    Vector q;
    std::size_t body;  // its number
  };

  Octree(real opening_angle, real softening) : opening_angle(opening_angle), softening(softening) {}

  void build(std::vector<Point> bodies) {
    points_ = std::move(bodies);
    real half = 0;
    for (const auto& [mass, q, body] : points_) {
      half = std::max({half, std::abs(q.x), std::abs(q.y), std::abs(q.z)});
    }
    cells.clear();
    if (!points_.empty()) subdivide(0, points_.size(), {}, half, 0);
#pragma omp parallel for schedule(dynamic)
    for (std::size_t c = 0; c < cells.size(); ++c) find_moments(cells[c]);
  }

  // In the order of the tree: neighbours are near each other.
  const std::vector<Point>& points() const { return points_; }

  // Eq. 1-3 without G, nearly.
  Vector acceleration_of(const Point& point) const {
    Vector sum;
    const auto open = [&](const Cell& cell) {
      const Vector d = cell.centre - point.q;
      if (!(dot(d, d) > cell.opened_within2)) return true;
      sum = sum + from_cell(cell, d);
      return false;
    };
    walk(open, [&](const Point& other) {
      if (other.body == point.body) return;
      const Vector d = other.q - point.q;
      const real r2 = dot(d, d) + softening * softening;
      sum = sum + other.mass / (r2 * std::sqrt(r2)) * d;
    });
    return sum;
  }

  // Squared distance of points()[k] to its nearest neighbour. Exact: only what cannot be nearer is
  // pruned. A neighbour in the order of the tree is a first guess, which prunes most cells.
  real nearest2_of(std::size_t k) const {
    const Point& point = points_[k];
    real found = std::numeric_limits<real>::infinity();
    const auto look_at = [&](const Point& other) {
      const Vector d = other.q - point.q;
      if (&other != &point) found = std::min(found, dot(d, d));
    };
    if (points_.size() > 1) look_at(points_[k > 0 ? k - 1 : k + 1]);
    const auto open = [&](const Cell& cell) {
      // No point of it is nearer than its surface; rounding must not prune it, either.
      const Vector d = cell.centre - point.q;
      const real surface = real(0.99999) * std::sqrt(dot(d, d)) - cell.radius;
      return !(surface > 0 && surface * surface > found);
    };
    walk(open, look_at);
    return found;
  }

 private:
  // Without its children: the first one follows it, and `next` is the cell after all of them.
  struct Cell {
    std::size_t first, end;  // its points
    std::size_t next = 0;
    real mass = 0, radius = 0;         // from the centre to its farthest point
    real opened_within2 = 0;           // a squared distance
    Vector centre = {};                // of mass
    Vector Sx = {}, Sy = {}, Sz = {};  // rows of its second moments about the centre
  };
  static constexpr std::size_t most_in_leaf = 16;
  static constexpr unsigned deepest = 60;  // bodies at one place cannot be divided

  real opening_angle, softening;
  std::vector<Point> points_;
  std::vector<Cell> cells;

  // `open` tells whether a cell is opened; `at` gets each point of the opened leaves.
  template <typename Open, typename At>
  void walk(Open open, At at) const {
    for (std::size_t c = 0; c < cells.size();) {
      const Cell& cell = cells[c];
      const bool is_open = open(cell), is_leaf = cell.next == c + 1;
      for (std::size_t k = cell.first; is_open && is_leaf && k < cell.end; ++k) at(points_[k]);
      c = is_open && !is_leaf ? c + 1 : cell.next;
    }
  }

  // The points from first to end, which lie in a cube around `middle`, and all cells in it.
  void subdivide(std::size_t first, std::size_t end, Vector middle, real half, unsigned depth) {
    const std::size_t index = cells.size();
    cells.push_back({first, end});
    const bool is_leaf = end - first <= most_in_leaf || depth == deepest;
    for (int octant = 0; octant < 8 && !is_leaf; ++octant) {
      const auto begin = points_.begin();
      const bool x = octant & 4, y = octant & 2, z = octant & 1;
      const auto inside = [&](const Point& p) {
        const Vector d = p.q - middle;
        return (d.x >= 0) == x && (d.y >= 0) == y && (d.z >= 0) == z;
      };
      const std::size_t cut = std::partition(begin + first, begin + end, inside) - begin;
      const Vector corner = {real(x ? 1 : -1), real(y ? 1 : -1), real(z ? 1 : -1)};
      if (first < cut) subdivide(first, cut, middle + half / 2 * corner, half / 2, depth + 1);
      first = cut;
    }
    cells[index].next = cells.size();
  }

  void find_moments(Cell& cell) const {
    const auto begin = points_.begin() + cell.first, end = points_.begin() + cell.end;
    Vector sum;
    for (auto p = begin; p != end; ++p) {
      cell.mass += p->mass;
      sum = sum + p->mass * (p->q - begin->q);  // small numbers, few lost digits
    }
    cell.centre = begin->q + (cell.mass > 0 ? 1 / cell.mass : real(0)) * sum;
    real radius2 = 0;
    for (auto p = begin; p != end; ++p) {
      const Vector d = p->q - cell.centre;
      radius2 = std::max(radius2, dot(d, d));
      cell.Sx = cell.Sx + p->mass * d.x * d;
      cell.Sy = cell.Sy + p->mass * d.y * d;
      cell.Sz = cell.Sz + p->mass * d.z * d;
    }
    cell.radius = std::sqrt(radius2);
    cell.opened_within2 = 4 * radius2 / (opening_angle * opening_angle);
  }

  // Of its mass at its centre, and what its second moments S change (t is their trace):
  //   a = 1/r^3 (m d + 1/r^2 (15/2 d.Sd/r^2 d - 3/2 t d - 3 Sd))
  Vector from_cell(const Cell& cell, Vector d) const {
    const real inverse_r2 = 1 / (dot(d, d) + softening * softening);
    const Vector Sd = {dot(cell.Sx, d), dot(cell.Sy, d), dot(cell.Sz, d)};
    const real t = cell.Sx.x + cell.Sy.y + cell.Sz.z;
    const real along = real(7.5) * dot(d, Sd) * inverse_r2 - real(1.5) * t;
    return inverse_r2 * std::sqrt(inverse_r2) *
           (cell.mass * d + inverse_r2 * (along * d - real(3) * Sd));
  }
};

}  // namespace nbody
