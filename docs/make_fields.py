"""Writes docs/fields.md, the fields of the lab's files, from the models that read and write them.

    make_fields.py            rewrites it
    make_fields.py --check    status 1, and the first line that is out of date

The meaning of a field is its description in the model.
"""

import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import groupby
from textwrap import wrap
from typing import Any, NamedTuple

from nbody_lab import ROOT

DOCUMENT = ROOT / "docs/fields.md"
HEAD = """# Fields of the lab's files

<!-- Written by docs/make_fields.py from the models in common/lab/src/nbody_lab: edit their descriptions -->

From the lab's own models of its files. All are UTF-8; those in `build/` may be deleted. [Body files, logs and
frames](../data/README.md) have a page of their own.
"""


class File(NamedTuple):
    """A file of the lab, and the model that reads or writes it."""

    title: str
    name: str
    model: str
    about: str = ""
    by_hand: bool = False  # people write it: which fields may be left out is shown, too
    without: tuple[str, ...] = ()  # models that another file shows


FILES = (
    File(
        "The manifest",
        "build/PRESET/manifest.json",
        "building.manifest.ManifestFile",
        about="CMake writes what exists, and how it is built and started. `manifest_on_cpu.json` beside it lists the programs of part 3 whose kernels run on the CPU, which are never timed.",
    ),
    File(
        "A result of check",
        "FILE of --json",
        "check.result.CheckResult",
        about="The same judgement as on the screen, case by case.",
    ),
    File(
        "A result of bench",
        "FILE of --json",
        "measure.bench_file.BenchResult",
        about="What Google Benchmark writes, so its `compare.py` reads it: `benchmarks` has an entry for each round of each row. The lab adds to `context`, and `summary` with a row for each program under each setup. Decide by a row's `outcome`; its `verdict` says the same in words. Of the stored results, one with the field `typed in` was written by hand from the source that it names.",
    ),
    File(
        "Ceilings",
        "build/ceilings.json",
        "measure.results.Ceilings",
        about="`./lab machine` measures them once, and again if processor, number of cores or compiler differ. Only bytes that a loop itself reads or writes count. Arrays fill half of the cache that is measured; for main memory they are four times as large as all third-level caches together. Rows of a GPU have `where` `gpu 0` and its name as `device`: 15 repeats of at least 0.02 s after 0.3 s of warm-up.",
    ),
    File(
        "A roofline",
        "build/roofline/PART.json",
        "measure.results.Roofline",
        without=("Ceilings", "Ceiling", "OperationCost", "MachineFacts", "Cycles"),
        about="`./lab roofline` writes it, `./lab report` shows it.",
    ),
    File(
        "The bound of a loop",
        "build/bound/PART_NAME.json",
        "measure.bound_file.Bound",
        about="`./lab bound` leaves it (`PART_NAME_double.json` for the program in double).",
    ),
    File(
        "Counts",
        "build/PRESET/bin/PART/NAME_count.json",
        "measure.count_file.CountFile",
        about="The work of one call of each function, the second, since one-time work does not belong to an iteration.",
    ),
    File(
        "The notebook",
        "notebook.csv",
        "notebook.notebook.Row",
        about="A line for each `./lab try`, as CSV (RFC 4180). Columns may be in any order; you may delete or correct lines. The table between two marks in `NOTEBOOK.md` is written from it, everything else there is yours.",
    ),
    File(
        "Reference ratios",
        "references.json",
        "handout.references.References",
        about="A lab handed out without solutions has it in `data/`: the solution's speed relative to naive.",
    ),
    File(
        "A verdict",
        "build/verdicts/PART_NAME.json",
        "check.kept.Verdict",
        about="`./lab check` leaves it for `./lab report` and `./lab submit`; `source_sha256` shows whether the source has changed since.",
    ),
    File(
        "A worksheet",
        "FILE of --json",
        "tasks.sheet.Sheet",
        about="`./lab worksheet`.",
    ),
    File(
        "Simulated ranks",
        "build/simulated/NAME_NETWORK.json",
        "measure.simulated.Simulated",
        about="`./lab bench part4 --simulated NETWORK`.",
    ),
    File(
        "A rubric",
        "data/rubric.json",
        "grade.rubric.Rubric",
        by_hand=True,
        about="Start from `data/rubric.json` (parts 1 and 2), `data/rubric_part3.json` or `data/rubric_part4.json`. A mistake in it is reported in one line, which names the place.",
    ),
    File(
        "A measured submission",
        "OUT/measured/NAME.json",
        "grade.models.Record",
        without=("Line",),
        about="`./lab grade` writes it, and scores from it alone. Texts come from students: escape them for HTML or a spreadsheet; control characters are gone.",
    ),
    File(
        "The marks of a class",
        "OUT/results.json",
        "grade.models.Results",
        without=("Machine",),
        about="What could not be graded is null, never zero; a grade is final when each item that was asked for has points. Tables and pages are made from the same marks.",
    ),
)
TYPES = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "null": "null",
}

Schema = dict[str, Any]


class Field(NamedTuple):
    """A row of a table."""

    name: str
    value: str
    meaning: str
    needed: bool
    kind: str  # of the rows that have it


def _join(words: Iterable[str]) -> str:
    *first, last = dict.fromkeys(words)
    return f"{', '.join(first)} or {last}" if first else last


class Tables:
    """The tables of a file: its own fields, then those of the models inside."""

    def __init__(self, file: File) -> None:
        self._file = file
        module, _, name = file.model.rpartition(".")
        model = getattr(import_module(f"nbody_lab.{module}"), name)
        self._schema: Schema = model.model_json_schema(
            mode="validation" if file.by_hand else "serialization"
        )
        self._models: Schema = self._schema.get("$defs", {})

    def lines(self) -> Iterator[str]:
        yield from self._one_kind(self._schema)
        shown, waiting = set(self._file.without), list(self._inside(self._schema))
        while waiting:
            names = waiting.pop(0)
            if shown.isdisjoint(names):
                shown.update(names)
                models = [self._models[name] for name in names]
                if len(models) > 1:
                    yield from self._several_kinds(models)
                else:
                    about = models[0].get("description", "").partition("\n")[0]
                    yield from ("", f"**{names[0]}**. {about}".removesuffix(". "), "")
                    yield from self._one_kind(models[0])
                waiting += [more for model in models for more in self._inside(model)]

    def _inside(self, schema: Schema) -> Iterator[tuple[str, ...]]:
        """The models in its fields; those among which `kind` chooses together."""
        if "discriminator" in schema:
            yield tuple(self._name(one) for one in schema["oneOf"])
        elif "$ref" in schema:
            if "properties" in self._models[self._name(schema)]:
                yield (self._name(schema),)
        else:
            inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
            inner += [schema.get(key) for key in ("items", "additionalProperties")]
            for one in inner:
                if isinstance(one, dict):
                    yield from self._inside(one)

    @staticmethod
    def _name(reference: Schema) -> str:
        return str(reference["$ref"]).rpartition("/")[2]

    def _fields(self, schema: Schema) -> Iterator[Field]:
        kind = schema["properties"].get("kind", {}).get("const", "")
        for name, field in schema["properties"].items():
            needed = not self._file.by_hand or name in schema.get("required", ())
            yield Field(name, self._value(field), field.get("description", ""), needed, kind)

    def _one_kind(self, schema: Schema) -> Iterator[str]:
        """Fields in a row that need no words share a line."""
        yield from ("| field | value | what it holds |", "|---|---|---|")
        fields = self._fields(schema)
        for (value, meaning, needed), same in groupby(fields, lambda field: field[1:4]):
            names = [f"`{field.name}`" for field in same]
            lines = names if meaning else [", ".join(names)]
            for line in lines:
                yield f"| {line} | {value}{'' if needed else ', may be left out'} | {meaning} |"

    def _several_kinds(self, models: list[Schema]) -> Iterator[str]:
        """One table, which says which kinds need a field, and in brackets which may have it."""
        yield from ("", "Rows by `kind`:", "")
        for model in models:
            yield f"- `{model['properties']['kind']['const']}`: {model['description']}"
        yield ""
        yield "| field | value | what it holds | kinds that need it (may have it) |"
        yield "|---|---|---|---|"
        fields = [field for model in models for field in self._fields(model)]
        for name in dict.fromkeys(field.name for field in fields):
            rows = [field for field in fields if field.name == name]
            meaning = next((row.meaning for row in rows if row.meaning), "")
            value = "one of these" if name == "kind" else rows[0].value
            kinds = []
            for needed, words in ((True, "{}"), (False, "({})")):
                group = [row.kind for row in rows if row.needed is needed]
                if group:
                    kinds.append(
                        words.format("all" if len(group) == len(models) else ", ".join(group))
                    )
            yield f"| `{name}` | {value} | {meaning} | {' '.join(kinds)} |"

    def _value(self, schema: Schema) -> str:
        """What may stand there, in words."""
        if "discriminator" in schema:
            return "rows by `kind`"
        if "anyOf" in schema:
            some = [one for one in schema["anyOf"] if not self._is_left_out(one)]
            return _join(self._value(one) for one in some)
        if "const" in schema or "enum" in schema:
            values = schema.get("enum", [schema.get("const")])
            return _join(f"`{one}`" if one else "empty" for one in values)
        if "$ref" in schema:
            model = self._models[self._name(schema)]
            return self._name(schema) if "properties" in model else self._value(model)
        inner = schema.get("items") or schema.get("additionalProperties")
        words = self._value(inner) if isinstance(inner, dict) else "expression"
        if schema.get("type") == "array":
            return f"list of {words}"
        if schema.get("type") == "object":
            return f"{{name: {words}}}"
        return (
            "date" if schema.get("format") == "date" else TYPES.get(schema.get("type", ""), words)
        )

    def _is_left_out(self, schema: Schema) -> bool:
        return self._file.by_hand and schema.get("type") == "null"


def text() -> str:
    """The document."""
    lines = [HEAD]
    for file in FILES:
        about = [*wrap(file.about, 110), ""] if file.about else []
        lines += [f"## {file.title}", "", f"`{file.name}`", "", *about, *Tables(file).lines(), ""]
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    new = text()
    old = DOCUMENT.read_text(encoding="utf-8") if DOCUMENT.exists() else ""
    if new == old:
        return 0
    if not arguments:
        DOCUMENT.write_text(new, encoding="utf-8")
        print("docs/fields.md: written")
        return 0
    before, after = old.splitlines(), [*new.splitlines(), "its end"]
    line = next(k for k, line in enumerate(after) if before[k : k + 1] != [line])
    print(f"docs/fields.md:{line + 1}: should be: {after[line]}\n  run docs/make_fields.py")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
