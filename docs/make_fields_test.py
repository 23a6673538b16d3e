"""docs/fields.md is what the models say."""

import pytest

import make_fields


def test_it_is_up_to_date(capsys):
    """Otherwise the message names the first line, and the command that writes the document anew."""
    assert make_fields.main(["--check"]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("old, new", [("| number |", "| text |"), ("| `spread` |", "| `sprea` |")])
def test_a_changed_line_is_found(old, new, tmp_path, monkeypatch, capsys):
    """With what it should be and the command, which writes the document anew."""
    text = make_fields.DOCUMENT.read_text(encoding="utf-8")
    copy = tmp_path / "fields.md"
    copy.write_text(text.replace(old, new, 1), encoding="utf-8")
    monkeypatch.setattr(make_fields, "DOCUMENT", copy)
    assert make_fields.main(["--check"]) == 1
    line = text[: text.index(old)].count("\n") + 1
    right = text.splitlines()[line - 1]
    message = f"docs/fields.md:{line}: should be: {right}\n  run docs/make_fields.py\n"
    assert capsys.readouterr().out == message
    assert make_fields.main([]) == 0
    assert copy.read_text(encoding="utf-8") == text


def test_a_wrong_call_gets_the_help(capsys):
    assert make_fields.main(["--chek"]) == 2
    assert "make_fields.py --check" in capsys.readouterr().err
