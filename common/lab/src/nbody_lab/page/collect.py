"""Collects everything that a page shows into one dict, from files; measures nothing."""

import datetime
import re

from nbody_lab.core.clean_text import clean
from nbody_lab.core.manifest import Manifest, ManifestError
from nbody_lab.notebook import notebook
from nbody_lab.notebook.file import InputError
from nbody_lab.page.benches import bench_of, newest_results, results_of_part
from nbody_lab.page.implementations import headline_of, implementations_of, settings_elsewhere
from nbody_lab.page.missing import missing_of_lab, missing_of_part
from nbody_lab.page.rooflines import rooflines_of, without_ceilings
from nbody_lab.page.sources import Sources, is_gone, still_there, with_age


def collect(root, parts, now=None):
    """(the page's data, {part: (bench results, rooflines)} to draw the pictures from). `parts`: names, in order."""
    sources = Sources(root)
    results = newest_results(sources)
    drawn = {name: (results_of_part(results, name), rooflines_of(sources, name)) for name in parts}
    page = {
        "what": "report",
        "version": 1,
        "date": f"{now or datetime.datetime.now().astimezone():%Y-%m-%dT%H:%M:%S%z}",
        "ceilings": sources.record(sources.root / "build/ceilings.json", "ceilings"),
        "parts": [part_of(sources, name, *drawn[name]) for name in parts],
    }
    page["machine"] = machine_of(page["ceilings"], results)
    page["missing"] = missing_of_lab(page)
    page["problems"] = clean(sources.problems)
    return page, drawn


def machine_of(ceilings, results):
    """Facts as in ceilings.json; without it, those in the newest result."""
    if ceilings:
        return {**ceilings.get("machine", {}), "clock_hz": ceilings.get("clock_hz")}
    context = results[0][1].context if results else {}
    return clean({"cpu": context.get("cpu", ""), "compiler": context.get("compiler", "")})


def part_of(sources, name, results, rooflines):
    root = sources.root
    folder = next(iter(sorted(root.glob(f"{name}_*/"))), root / name)
    bench = clean(bench_of(*results["ladder"])) if "ladder" in results else None
    device, rows = known_of(root, name)
    if "ladder" in results and results["ladder"][1].context.get("device"):
        device = "gpu"
    verdicts = sources.records("build/verdicts", f"{name}_*.json", "verdict")
    gone = {row["name"] for row in [*verdicts, *rows] if is_gone(root, row)}
    part = {
        "name": name,
        "folder": folder.name,
        "title": title_of(folder, name),
        "device": device,
        "bench": bench,
        "swept": [kind for kind in ("sizes", "threads") if kind in results],
        "verdicts": still_there(root, verdicts),
        "rooflines": [without_ceilings(one) for one in rooflines],
        "bounds": [
            one
            for one in still_there(root, sources.records("build/bound", f"{name}_*.json", "bound"))
            if one["name"] not in gone
        ],
        "profiles": still_there(
            root, sources.records("build/profile_lines", f"{name}_*.json", "profile")
        ),
        "notebook": notebook_of(sources, folder),
        "worksheet": worksheet_of(sources, name),
    }
    part["implementations"] = implementations_of(part, rows, gone)
    part["elsewhere"] = settings_elsewhere(part["implementations"])
    part["headline"] = headline_of(part)
    part["missing"] = missing_of_part(part, (folder / "worksheet.hpp").exists())
    return part


def title_of(folder, name):
    """The first heading of the part's handout."""
    file = folder / "README.md"
    heading = (
        re.search(r"^# (.+)$", file.read_text(encoding="utf-8", errors="replace"), re.M)
        if file.exists()
        else None
    )
    return clean(heading[1]) if heading else name


def notebook_of(sources, folder):
    try:
        return clean(notebook.rows(folder)) if folder.is_dir() else []
    except InputError as fault:
        sources.problems.append(str(fault))
        return []


ANSWERED = ("right", "noted", "answered")


def worksheet_of(sources, name):
    record = sources.record(sources.root / f"build/worksheets/{name}.json", "worksheet")
    if not record:
        return None
    lines = record.get("lines", [])
    return with_age(
        sources.root,
        {
            **record,
            "answered": sum(line["state"] in ANSWERED for line in lines),
            "wrong": sum(line["state"] == "wrong" for line in lines),
            "of": len(lines),
        },
    )


def known_of(root, part):
    """(the part's device, its rows) from the manifest; empty if there is no manifest yet."""
    try:
        manifest = Manifest(root / "build/release/manifest.json")
    except ManifestError:
        return "", []
    return (manifest.part(part) or {}).get("device", ""), clean(
        [row.model_dump(by_alias=True) for row in manifest.of_part(part)]
    )
