"""Counts the ports that a loop keeps busy: by OSACA or, for a core that it does not know, by llvm-mca."""

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic import AliasPath, BaseModel, Field, ValidationError

from nbody_lab.bound.instruction_kinds import plain
from nbody_lab.core.messages import UserError
from nbody_lab.core.packages import has
from nbody_lab.core.running import capture
from nbody_lab.hardware.cores import Core, core_called

_ITERATIONS = 100  # simulated
_VERSIONS = range(30, 10, -1)


class CannotCount(UserError):
    """Why the ports cannot be counted."""


@dataclass(frozen=True)
class PortCounts:
    """Of one iteration. `lines`: the ports of each instruction, in the order of `ports`."""

    tool: str
    core: str
    ports: Mapping[str, float]  # cycles
    chain_cycles: float | None = None  # of the longest dependency chain between iterations
    chain: Sequence[str] = ()
    lines: Sequence[Sequence[float]] = ()
    borrowed: Mapping[str, str] = field(default_factory=dict)  # instruction: an older core
    unknown: Sequence[str] = ()  # instructions that are not counted
    instead_of: str | None = None


class _Usage(BaseModel):
    instruction: int = Field(alias="InstructionIndex")
    resource: int = Field(alias="ResourceIndex")
    cycles: float = Field(alias="ResourceUsage")


def _in_region(*path: str) -> AliasPath:
    return AliasPath("CodeRegions", 0, *path)


class Answer(BaseModel):
    """The output of llvm-mca --json, as far as it is used."""

    core: str = Field(validation_alias=AliasPath("TargetInfo", "CPUName"))
    resources: list[str] = Field(validation_alias=AliasPath("TargetInfo", "Resources"))
    instructions: list[str] = Field(validation_alias=_in_region("Instructions"))
    usages: list[_Usage] = Field(
        validation_alias=_in_region("ResourcePressureView", "ResourcePressureInfo")
    )

    def ports(self) -> dict[str, float]:
        """{port: cycles per iteration}. The row after the last instruction has the sums."""
        return {
            self.resources[usage.resource]: round(usage.cycles, 2)
            for usage in self.usages
            if usage.instruction == len(self.instructions)
        }


def find_mca() -> str | None:
    """The newest llvm-mca."""
    names = ["llvm-mca", *(f"llvm-mca-{version}" for version in _VERSIONS)]
    return next(filter(shutil.which, names), None)


def _run_mca(tool: str, core: Core | None, lines: Sequence[str]) -> tuple[str | None, str]:
    """(its output, None if it stopped at an instruction or a core; its messages)"""
    name = (core and core.mca) or "native"
    run = capture(
        tool,
        "--json",
        f"-mcpu={name}",
        f"-iterations={_ITERATIONS}",
        "-",
        input="".join(f"{line}\n" for line in [".L0:", *lines]),
    )
    failed = not run.stdout.strip() or "error:" in run.stderr
    return None if failed else run.stdout, run.stderr


def _run_without_unknown(
    tool: str, core: Core | None, lines: Sequence[str]
) -> tuple[str, list[str]]:
    """(its output, unknown lines). It only warns about some of them, but stops at others."""
    output, messages = _run_mca(tool, core, lines)
    if output is not None:
        return output, []
    known = [line for line in lines if _run_mca(tool, core, [line])[0] is not None]
    output = _run_mca(tool, core, known)[0] if known else None
    if output is None:
        message = (messages.strip().splitlines() or ["no message"])[0]
        raise CannotCount(
            f"{tool} does not know this core ({message}): ./lab setup --pictures installs OSACA, "
            "which knows more; or name an older core, for example --core ZEN3"
        )
    return output, [line for line in lines if line not in known]


def _read_version(tool: str) -> str:
    match = re.search(r"LLVM version (\S+)", capture(tool, "--version").stdout)
    return match[1] if match else ""


def count_by_mca(core: Core | None, texts: Sequence[str]) -> PortCounts:
    """It does not report the dependency chain between iterations. Raises CannotCount."""
    tool = find_mca()
    if not tool:
        raise CannotCount("llvm-mca is missing; install the package llvm")
    output, unknown = _run_without_unknown(tool, core, [plain(text) for text in texts])
    try:
        answer = Answer.model_validate_json(output)
    except ValidationError as error:
        raise CannotCount(f"{tool} writes another format than that of LLVM 14 to 20") from error
    return PortCounts(
        tool=f"llvm-mca {_read_version(tool)}",
        core=core.name if core else answer.core,
        ports=answer.ports(),
        unknown=unknown,
    )


def has_osaca() -> bool:
    """Whether ./lab setup --pictures has installed OSACA."""
    return has("osaca")


def _count_by_osaca(name: str, texts: Sequence[str]) -> PortCounts:
    from nbody_lab.bound.osaca_model import count_by_osaca  # slow

    try:
        return count_by_osaca(name, texts)
    except Exception as error:  # OSACA raises anything
        raise CannotCount(f"OSACA stopped: {type(error).__name__}: {error}") from error


def count_ports(core: Core | None, texts: Sequence[str]) -> PortCounts:
    """By OSACA if it knows the core, else by llvm-mca. Raises CannotCount: what is missing."""
    if core and core.like:
        return replace(count_ports(core_called(core.like), texts), instead_of=core.name)
    if core and core.osaca and has_osaca():
        return _count_by_osaca(core.osaca, texts)
    if find_mca():
        return count_by_mca(core, texts)
    if core and core.osaca:
        raise CannotCount(
            "no tool here counts ports: ./lab setup --pictures installs OSACA (250 MB)"
        )
    name = core.name if core else "this processor"
    raise CannotCount(f"OSACA does not know {name}, llvm-mca may: install the package llvm")
