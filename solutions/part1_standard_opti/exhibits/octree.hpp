#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "simulator/real.hpp"

namespace nbody {

// Groups of bodies in all sizes (J. Barnes, P. Hut, Nature 324, 1986): a cube with more than a few
// bodies is divided into eight. A body meets a cell as a whole if it sees it under less than the
// opening angle, and enters a larger one. A cell pulls by its mass and its second moments, so what
// is left out grows with the third power of the angle.
class Octree {
 public:
  struct Point {
    real mass, x, y, z;
    std::size_t body;  // its number
  };
  // Without G.
  struct Pull {
    real x = 0, y = 0, z = 0;
  };

  Octree(real opening_angle, real softening) : opening_angle(opening_angle), softening(softening) {}

  void plant(std::vector<Point> bodies) {
    points_ = std::move(bodies);
    Cube cube = {0, 0, 0, 0};
    for (const Point& p : points_) {
      cube.half = std::max({cube.half, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    }
    cells.clear();
    if (!points_.empty()) grow(0, points_.size(), cube, 0);
#pragma omp parallel for schedule(dynamic)
    for (std::size_t c = 0; c < cells.size(); ++c) weigh(cells[c]);
  }

  // In the order of the tree: neighbours are near each other.
  const std::vector<Point>& points() const { return points_; }

  // Eq. 1-3 without G, nearly.
  Pull pull_on(const Point& point) const {
    Pull sum;
    for (std::size_t c = 0; c < cells.size();) {
      const Cell& cell = cells[c];
      const real dx = cell.x - point.x, dy = cell.y - point.y, dz = cell.z - point.z;
      const real d2 = dx * dx + dy * dy + dz * dz;
      const bool enter = !(d2 > cell.opened_within2), is_leaf = cell.next == c + 1;
      if (!enter) add_cell(cell, dx, dy, dz, d2, sum);
      if (enter && is_leaf) add_points(cell, point, sum);
      c = enter && !is_leaf ? c + 1 : cell.next;
    }
    return sum;
  }

  // Squared distance of points()[k] to its nearest neighbour. Exact: only what cannot be nearer is
  // left out. A neighbour in the order of the tree is a first guess, which shuts most cells.
  real nearest2_of(std::size_t k) const {
    const Point& point = points_[k];
    real found = std::numeric_limits<real>::infinity();
    if (points_.size() > 1) found = distance2(point, points_[k > 0 ? k - 1 : k + 1]);
    for (std::size_t c = 0; c < cells.size();) {
      const Cell& cell = cells[c];
      // No point of it is nearer than its surface; rounding must not shut it, either.
      const real surface = real(0.99999) * std::sqrt(distance2(point, cell)) - cell.radius;
      const bool enter = !(surface > 0 && surface * surface > found), is_leaf = cell.next == c + 1;
      for (std::size_t j = cell.first; enter && is_leaf && j < cell.end; ++j) {
        if (j != k) found = std::min(found, distance2(point, points_[j]));
      }
      c = enter && !is_leaf ? c + 1 : cell.next;
    }
    return found;
  }

 private:
  // Without its children: the first one follows it, and `next` is the cell after all of them.
  struct Cell {
    std::size_t first, end;  // its points
    std::size_t next = 0;
    real mass = 0, x = 0, y = 0, z = 0;  // of the centre of mass
    real radius = 0;                     // from there to its farthest point
    real opened_within2 = 0;             // who is nearer must enter: a squared distance
    real xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;  // second moments about the centre
  };
  struct Cube {
    real x, y, z, half;
  };
  static constexpr std::size_t most_in_leaf = 16;
  static constexpr unsigned deepest = 60;  // bodies at one place cannot be divided

  real opening_angle, softening;
  std::vector<Point> points_;
  std::vector<Cell> cells;

  // The points from first to end, which lie in that cube, and all cells in it.
  void grow(std::size_t first, std::size_t end, const Cube& cube, unsigned depth) {
    const std::size_t index = cells.size();
    cells.push_back({first, end});
    if (end - first > most_in_leaf && depth < deepest) {
      std::array<std::size_t, 9> cut = {first};  // between the octants
      cut[8] = end;
      divide(cut, 0, 8, &Point::x, cube.x);
      for (const std::size_t k : {0, 4}) divide(cut, k, k + 4, &Point::y, cube.y);
      for (const std::size_t k : {0, 2, 4, 6}) divide(cut, k, k + 2, &Point::z, cube.z);
      const real h = cube.half / 2;
      for (std::size_t k = 0; k < 8; ++k) {
        if (cut[k] == cut[k + 1]) continue;
        grow(cut[k], cut[k + 1],
             {cube.x + (k & 4 ? h : -h), cube.y + (k & 2 ? h : -h), cube.z + (k & 1 ? h : -h), h},
             depth + 1);
      }
    }
    cells[index].next = cells.size();
  }

  // Points below the middle first, then the others.
  void divide(std::array<std::size_t, 9>& cut, std::size_t from, std::size_t to, real Point::*axis,
              real middle) {
    const auto begin = points_.begin();
    const auto half = std::partition(begin + cut[from], begin + cut[to],
                                     [=](const Point& p) { return p.*axis < middle; });
    cut[(from + to) / 2] = half - begin;
  }

  void weigh(Cell& cell) const {
    const auto begin = points_.begin() + cell.first, end = points_.begin() + cell.end;
    real mass = 0, x = 0, y = 0, z = 0;
    for (auto p = begin; p != end; ++p) {
      mass += p->mass;
      x += p->mass * (p->x - begin->x);  // small numbers, few lost digits
      y += p->mass * (p->y - begin->y);
      z += p->mass * (p->z - begin->z);
    }
    const real part = mass > 0 ? 1 / mass : real(0);
    cell.mass = mass;
    cell.x = begin->x + x * part;
    cell.y = begin->y + y * part;
    cell.z = begin->z + z * part;
    real radius2 = 0;
    for (auto p = begin; p != end; ++p) {
      const real dx = p->x - cell.x, dy = p->y - cell.y, dz = p->z - cell.z;
      radius2 = std::max(radius2, dx * dx + dy * dy + dz * dz);
      cell.xx += p->mass * dx * dx;
      cell.xy += p->mass * dx * dy;
      cell.xz += p->mass * dx * dz;
      cell.yy += p->mass * dy * dy;
      cell.yz += p->mass * dy * dz;
      cell.zz += p->mass * dz * dz;
    }
    cell.radius = std::sqrt(radius2);
    cell.opened_within2 = 4 * radius2 / (opening_angle * opening_angle);
  }

  void add_points(const Cell& leaf, const Point& point, Pull& sum) const {
    for (std::size_t k = leaf.first; k < leaf.end; ++k) {
      const Point& other = points_[k];
      if (other.body == point.body) continue;
      const real dx = other.x - point.x, dy = other.y - point.y, dz = other.z - point.z;
      const real r2 = dx * dx + dy * dy + dz * dz + softening * softening;
      const real pull = other.mass / (r2 * std::sqrt(r2));
      sum.x += pull * dx;
      sum.y += pull * dy;
      sum.z += pull * dz;
    }
  }

  // The pull of its mass at its centre, and what its second moments S change (t is their trace):
  //   a = 1/r^3 (m d + 1/r^2 (15/2 d.Sd/r^2 d - 3/2 t d - 3 Sd))
  void add_cell(const Cell& cell, real dx, real dy, real dz, real d2, Pull& sum) const {
    const real inverse_r2 = 1 / (d2 + softening * softening);
    const real inverse_r3 = inverse_r2 * std::sqrt(inverse_r2);
    const real sx = cell.xx * dx + cell.xy * dy + cell.xz * dz;
    const real sy = cell.xy * dx + cell.yy * dy + cell.yz * dz;
    const real sz = cell.xz * dx + cell.yz * dy + cell.zz * dz;
    const real dsd = (dx * sx + dy * sy + dz * sz) * inverse_r2;
    const real trace = cell.xx + cell.yy + cell.zz;
    const real along = cell.mass + (real(7.5) * dsd - real(1.5) * trace) * inverse_r2;
    const real across = 3 * inverse_r2;
    sum.x += inverse_r3 * (along * dx - across * sx);
    sum.y += inverse_r3 * (along * dy - across * sy);
    sum.z += inverse_r3 * (along * dz - across * sz);
  }

  template <typename Place>
  static real distance2(const Point& a, const Place& b) {
    const real dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
    return dx * dx + dy * dy + dz * dz;
  }
};

}  // namespace nbody
