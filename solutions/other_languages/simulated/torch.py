"""As much of torch as the guests in Triton use, on numpy: for tests by Triton's interpreter, which needs no GPU.

The package itself would be 3 GB. TRITON_INTERPRET=1 and this folder in PYTHONPATH.
"""

import numpy as np


class Storage:
    """The memory behind a tensor. There is only one device, so a move copies nothing."""

    def __init__(self, array):
        self.array = array

    def data_ptr(self):
        return self.array.ctypes.data

    def cpu(self):
        return self

    def copy_(self, other):
        self.array[...] = other.array


class Tensor:
    def __init__(self, array):
        self.array = np.ascontiguousarray(array)

    dtype = property(lambda self: self.array.dtype)

    def data_ptr(self):
        return self.array.ctypes.data

    def untyped_storage(self):
        return Storage(self.array)

    def storage_offset(self):
        return 0

    def size(self):
        return self.array.shape

    def stride(self):
        return tuple(step // self.array.itemsize for step in self.array.strides)

    def new_empty(self, size, device):
        return Tensor(np.empty(size, self.array.dtype))

    def set_(self, storage, offset, size, stride):
        self.array = storage.array

    def to(self, device):
        return self

    def cpu(self):
        return self

    def numpy(self):
        return self.array.copy()

    def __getitem__(self, row):
        return Tensor(self.array[row])


def from_numpy(array):
    return Tensor(array.copy())


def zeros_like(tensor):
    return Tensor(np.zeros_like(tensor.array))
