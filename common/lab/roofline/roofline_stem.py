"""What ./lab roofline calls its files of a part, for it and for the page."""


def stem_of(part, setting, all_threads):
    """Each setting has files of its own. `setting`: with its precision."""
    return "_".join([part, *(["double"] if setting["precision"] == "double" else []), *(["all_threads"] if all_threads else [])])
