"""Plants a fault of faults.py in this process: its module is compiled from an edited syntax tree."""

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from pathlib import Path

from tests.mutation import faults


class Finder(importlib.abc.MetaPathFinder):
    """Finds the module of the fault, whether it is imported by its plain name or from its package."""

    def __init__(self, fault):
        self.fault = fault

    def find_spec(self, fullname, path=None, target=None):
        if fullname.rpartition(".")[2] != Path(self.fault.file).stem:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if (
            not spec
            or not spec.origin
            or Path(spec.origin).resolve() != faults.LAB / self.fault.file
        ):
            return None
        spec.loader = Loader(fullname, spec.origin, self.fault)
        return spec


class Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, fullname, path, fault):
        super().__init__(fullname, path)
        self.fault = fault

    def get_code(self, fullname):  # never that of a .pyc
        file = self.get_filename(fullname)
        return compile(
            faults.planted(self.fault, importlib.util.decode_source(self.get_data(file)), file),
            file,
            "exec",
            dont_inherit=True,
        )


def install(name):
    """What faults.py has imported itself is forgotten: it is imported again, with the fault. So are the tests that it
    has imported: they would catch errors of modules that nobody else has any more, and fail whatever the fault."""
    sys.meta_path.insert(0, Finder(faults.fault_called(name)))
    for module in [one for one in sys.modules if one.split(".")[0] in ("nbody_lab", "tests")]:
        del sys.modules[module]
