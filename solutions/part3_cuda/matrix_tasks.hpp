#pragma once

namespace nbody {

// The tiles, from small to large, are cut into groups. A task is a tile and a group of larger
// tiles: the centre of the smaller tile of each pair is used. Group h meets the tiles of all groups
// up to its own, so there are of_group (1 + 2 + ... + h) tasks before it.
struct MatrixTasks {
  int tiles, of_group;

  constexpr int groups() const { return (tiles + of_group - 1) / of_group; }
  constexpr int before_group(int h) const { return of_group * (h * (h + 1) / 2); }
  constexpr int count() const { return before_group(groups()); }
  constexpr int group_of(int task) const {
    int below = 0, above = groups();
    while (above - below > 1) {
      const int middle = (below + above) / 2;
      (before_group(middle) <= task ? below : above) = middle;
    }
    return below;
  }

  // A task: a tile with itself and with the tiles from `first` up to `end`; empty if `tile` is not
  // below `end`.
  struct Task {
    int tile, first, end;
    bool with_itself;
  };
  constexpr Task task(int number) const {
    const int group = group_of(number), tile = number - before_group(group);
    const int begin = group * of_group, end = begin + of_group < tiles ? begin + of_group : tiles;
    return {tile, begin > tile ? begin : tile + 1, end, tile >= begin};
  }
};

}  // namespace nbody
