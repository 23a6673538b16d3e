"""The keys of a rubric, their allowed values, and their defaults."""

from grade.schema import COUNT, COUNT_OR_ALL, NUMBER, TEXT, TRUTH, MapOf

MEASURES = ("share_of_solution", "times_naive", "interactions_per_s")

SPEED = {"threads": COUNT_OR_ALL, "n": COUNT, "scene?": TEXT, "points": NUMBER, "measure": MEASURES, "bands": [[NUMBER]],
         "rows?": [TEXT]}
PART = {"rows?": [TEXT], "correctness?": {"points": NUMBER, "gates?": TRUTH}, "worksheet?": {"points": NUMBER, "leave_out?": [TEXT]},
        "notebook?": {"points": NUMBER, "rows_for_all": COUNT, "needs_prediction?": TRUTH}, "speed?": [SPEED],
        "manual?": [{"question": TEXT, "points": NUMBER}]}
RUBRIC = {"version": (1,), "title": TEXT, "maximum": NUMBER, "parts": MapOf(PART), "deadline?": TEXT,
          "late?": {"per_day_percent": NUMBER, "free_days?": NUMBER}, "calibrated_on?": TEXT}

OF_RUBRIC = {"deadline": "", "late": {"per_day_percent": 0}, "calibrated_on": ""}
OF_PART = {"rows": ["mine", "mine_*"], "speed": [], "manual": []}
OF_ITEM = {"correctness": {"gates": True}, "worksheet": {"leave_out": []}, "notebook": {"needs_prediction": True}}
OF_SPEED = {"scene": "plummer"}


def points_of_part(part):
    """[(path below the part, points)] of all its items."""
    single = [((name, "points"), part[name]["points"]) for name in OF_ITEM if name in part]
    return single + [((name, k, "points"), one["points"])
                     for name in ("speed", "manual") for k, one in enumerate(part.get(name, []))]


def with_defaults(rubric):
    """The rubric with all defaults filled in, so that scoring needs no checks."""
    parts = {}
    for name, told in rubric["parts"].items():
        part = {**OF_PART, **told}
        part.update({item: {**of_item, **part[item]} for item, of_item in OF_ITEM.items() if item in part})
        part["speed"] = [{**OF_SPEED, "rows": part["rows"], **one} for one in part["speed"]]
        parts[name] = part
    return {**OF_RUBRIC, **rubric, "late": {"free_days": 0, **rubric.get("late", OF_RUBRIC["late"])}, "parts": parts}
