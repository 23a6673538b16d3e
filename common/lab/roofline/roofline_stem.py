"""The file names of a part's roofline, for ./lab roofline and for the page."""


def stem_of(part, setting, all_threads):
    """The stem of the file name, different for each setting. `setting`: with its precision."""
    return "_".join([part, *(["double"] if setting["precision"] == "double" else []), *(["all_threads"] if all_threads else [])])
