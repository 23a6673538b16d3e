"""Does a stored record still match its source? Unknown for records of an older lab without a seal."""

from kept_results import seal_of


def is_gone(root, record):
    source = record.get("source")
    return bool(source) and not (root / source).is_file()


def with_age(root, record):
    """The record with `stale`: whether its source has changed since."""
    source = record.get("source")
    return {**record, "stale": bool(source) and seal_of(root / source) != record.get("source_sha256")}


def still_there(root, records):
    """The records whose source still exists, with `stale`."""
    return [with_age(root, one) for one in records if not is_gone(root, one)]
