"""Python imports this at its start if the folder is in PYTHONPATH: it plants the fault that LAB_FAULT names, in this
process and all that it starts (faults.py)."""

import importlib.abc
import importlib.machinery
import os
import sys
from pathlib import Path

if os.environ.get("LAB_FAULT"):
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    import faults
    sys.path.pop(0)
    FAULT = faults.fault_called(os.environ["LAB_FAULT"])

    class Loader(importlib.machinery.SourceFileLoader):
        def source_to_code(self, data, path, *, _optimize=-1):
            return compile(faults.planted(FAULT, importlib.util.decode_source(data), path), path, "exec", dont_inherit=True, optimize=_optimize)

        def get_code(self, fullname):  # not that of a .pyc
            return self.source_to_code(self.get_data(self.get_filename(fullname)), self.get_filename(fullname))

    class Finder(importlib.abc.MetaPathFinder):
        """Finds the module of the fault, whether it is imported by its plain name or from its package."""

        def find_spec(self, fullname, path=None, target=None):
            if fullname.rpartition(".")[2] != Path(FAULT.file).stem:
                return None
            spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
            if spec and spec.origin and Path(spec.origin).as_posix().endswith("/common/lab/" + FAULT.file):
                spec.loader = Loader(fullname, spec.origin)
                return spec
            return None

    sys.meta_path.insert(0, Finder())
