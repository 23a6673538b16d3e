"""Chooses the pictures for a result of ./lab bench."""

from nbody_lab.draw import grids, sweeps
from nbody_lab.draw.ladder import ladder


def pictures_of(result):
    """The sheets, with the ladder first."""
    sheets = []
    swept = [
        axis
        for axis in ("n", "threads", "ranks", "block", "unroll")
        if len(result.values(axis)) > 1
    ]
    if not {"block", "unroll"} & set(swept) or len({row.name for row in result.rows}) > 1:
        sheets.append(ladder(result))
    if "n" in swept:
        sheets += of_sizes(result, swept)
    if "threads" in swept:
        sheets.append(sweeps.by_workers(result, "threads"))
        if "n" in swept:
            names = dict.fromkeys(row.name for row in result.rows)
            sheets += [grids.threads_by_bodies(result, name) for name in names]
    if "ranks" in swept:
        sheets.append(sweeps.by_workers(result, "ranks"))
    sheets += [sweeps.by_tuning(result, axis) for axis in ("block", "unroll") if axis in swept]
    if (
        "block" in swept
        and "n" in swept
        and grids.multiprocessors(result.context.get("device", ""))
    ):
        sheets += [
            grids.blocks_of_grid(result, name)
            for name in dict.fromkeys(row.name for row in result.rows)
        ]
    return sheets


def of_sizes(result, swept):
    if {"block", "unroll"} & set(swept):
        return []  # tuning sweeps have their own pictures
    sheets = [sweeps.time_by_bodies(result), sweeps.flops_by_bodies(result)]
    if len({row.name for row in result.rows}) > 1:
        sheets.append(sweeps.ratio_by_bodies(result))
    return sheets
