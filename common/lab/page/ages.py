"""Is what is kept of a source still of the source that lies there? Unknown for what an older lab kept without its seal."""

from kept_results import seal_of


def is_gone(root, record):
    source = record.get("source")
    return bool(source) and not (root / source).is_file()


def with_age(root, record):
    """Whether its source is another by now."""
    source = record.get("source")
    return {**record, "stale": bool(source) and seal_of(root / source) != record.get("source_sha256")}


def still_there(root, records):
    """Those whose source there is, with their age."""
    return [with_age(root, one) for one in records if not is_gone(root, one)]
