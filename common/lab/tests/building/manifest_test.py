"""The manifest's rows, and its complaints about bad files."""

import pytest

from nbody_lab.building.manifest import Manifest, ManifestError


@pytest.mark.parametrize("text", ["{", "[]", '{"version": 1}', None])
def test_no_manifest(text, tmp_path):
    file = tmp_path / "manifest.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(ManifestError, match=f"^{file}: .*configure again with cmake"):
        Manifest(file)
