"""The navigation of the site in one table: which documents are pages, where, and what each is for."""

from collections import namedtuple

Page = namedtuple("Page", "path title what")
Group = namedtuple("Group", "title pages")
Section = namedtuple("Section", "name title what groups")

HOME = "README.md"
INSTRUCTORS = "instructors"

SECTIONS = (
    Section(
        "students",
        "Students",
        "The four exercises, and what to read while you work on them.",
        (
            Group(
                "Exercises",
                (
                    Page(
                        "part1_standard_opti/README.md",
                        "Part 1: standard optimisation",
                        "find out where the time goes, and make it fast",
                    ),
                    Page(
                        "part2_vectorization/README.md",
                        "Part 2: vectorisation",
                        "4, 8 or 16 numbers with one instruction",
                    ),
                    Page("part3_cuda/README.md", "Part 3: CUDA", "the same loop on a GPU"),
                    Page(
                        "part4_mpi/README.md",
                        "Part 4: beyond one machine",
                        "several processes that send messages: MPI",
                    ),
                ),
            ),
            Group(
                "While you work",
                (
                    Page(
                        "docs/where_to_work.md",
                        "Where to work",
                        "getting the lab to run on your machine",
                    ),
                    Page(
                        "docs/cheat_sheet.md",
                        "Cheat sheet",
                        "commands, formulas, conventions, prices, flags, messages",
                    ),
                    Page(
                        "docs/reading_gprof.md",
                        "Reading gprof",
                        "what a profile says, and what it does not",
                    ),
                    Page(
                        "docs/work_and_roofline.md",
                        "Work and roofline",
                        "what to count, and the speed limit that follows",
                    ),
                    Page(
                        "docs/reading_bound.md",
                        "Reading the bound of a loop",
                        "how fast your loop could be on your processor",
                    ),
                    Page(
                        "docs/another_layout.md",
                        "Another layout of the data",
                        "what to write if your version needs other data than naive",
                    ),
                    Page("docs/xsimd.md", "xsimd on one page", "registers as a type"),
                    Page(
                        "docs/my_energy_is_wrong.md",
                        "My energy is wrong",
                        "from the symptom to the cause",
                    ),
                    Page(
                        "docs/cases.md",
                        "Ten cases",
                        "broken programs to practise on: find the mistake",
                    ),
                    Page("docs/sums.md", "What N does to a sum", "rounding in a sum of many terms"),
                    Page(
                        "docs/reading_scaling.md",
                        "Reading a scaling curve",
                        "what more processors bring, and why not more",
                    ),
                    Page("docs/view.md", "See it move", "the live view, and films"),
                ),
            ),
            Group(
                "Behind it",
                (
                    Page(
                        "docs/physics.md",
                        "The physics",
                        "the equations, and what to expect of the result",
                    ),
                    Page("docs/integrators.md", "Integrators", "better orbits for the same price"),
                    Page("docs/checking.md", "Checking", "how the verdict comes about"),
                    Page(
                        "data/README.md",
                        "Body files",
                        "the systems to simulate, with their sources",
                    ),
                ),
            ),
        ),
    ),
    Section(
        INSTRUCTORS,
        "Instructors",
        "Grading a class, what was measured, and the solutions.",
        (
            Group(
                "Teaching",
                (
                    Page(
                        "docs/instructor/README.md",
                        "Grading a class",
                        "the first year takes an afternoon: this page, in order",
                    ),
                    Page("docs/instructor/plan.md", "Plans", "for two, four and eight afternoons"),
                    Page(
                        "docs/instructor/first_lecture.md",
                        "The first lecture",
                        "slides with speaker notes; docs/make_slides.py shows them",
                    ),
                    Page(
                        "docs/instructor/difficulties.md",
                        "Expected difficulties",
                        "for each task: what goes wrong, and which hint to give",
                    ),
                    Page(
                        "docs/instructor/exchange.md",
                        "The exchange",
                        "students read each other's passing versions",
                    ),
                    Page(
                        "docs/instructor/language_models.md",
                        "Language models",
                        "a policy to adopt, in two strengths",
                    ),
                    Page(
                        "docs/instructor/survey.md",
                        "A survey",
                        "five questions for the end of the course",
                    ),
                    Page(
                        "docs/instructor/add_an_exercise.md",
                        "Adding an exercise",
                        "a complete example",
                    ),
                    Page(
                        "docs/grading_formats.md",
                        "Files of grading",
                        "what grading reads and writes",
                    ),
                    Page(
                        "solutions/other_languages/README.md",
                        "Other languages",
                        "the same kernel without CUDA C++",
                    ),
                ),
            ),
            Group(
                "Results",
                (
                    Page("docs/results.md", "Results", "what the lab measured of itself"),
                    Page(
                        "solutions/part3_cuda/beyond_the_peak.md",
                        "Beyond the peak",
                        "two versions that are faster than the peak, and why that is honest",
                    ),
                    Page(
                        "solutions/part3_cuda/log.md",
                        "The log of part 3",
                        "how its kernels were found, failures included",
                    ),
                ),
            ),
            Group(
                "Solutions",
                (
                    Page(
                        "solutions/part1_standard_opti/README.md",
                        "The ladder of part 1",
                        "standard optimisation, step by step",
                    ),
                    Page(
                        "solutions/part2_vectorization/README.md",
                        "The ladder of part 2",
                        "vectorisation, step by step",
                    ),
                    Page(
                        "solutions/part3_cuda/README.md",
                        "The ladder of part 3",
                        "CUDA, step by step",
                    ),
                    Page(
                        "solutions/part4_mpi/README.md", "The ladder of part 4", "MPI, step by step"
                    ),
                ),
            ),
        ),
    ),
    Section(
        "contributors",
        "Contributors",
        "How the lab is built, and how to change it.",
        (
            Group(
                "Working on the lab",
                (
                    Page(
                        "CONTRIBUTING.md", "Contributing", "tests, style, and how to extend the lab"
                    ),
                    Page("docs/design.md", "Design", "why the lab is built as it is"),
                    Page(
                        "docs/protocol.md",
                        "The simulator protocol",
                        "what checker, bench and grader say to a program",
                    ),
                    Page("docs/file_formats.md", "File formats", "what the lab reads and writes"),
                    Page("CHANGELOG.md", "Changelog", "what a user would notice"),
                ),
            ),
            Group(
                "The grader's own class",
                (
                    Page(
                        "common/lab/tests/grade/made_class/README.md",
                        "Its submissions",
                        "honest and hostile ones, and what became of them",
                    ),
                ),
            ),
        ),
    ),
)


def pages_of(sections):
    return [page for section in sections for group in section.groups for page in group.pages]


def sections_of(is_page):
    """The sections with only the pages for which is_page(path) holds, without empty sections."""
    found = []
    for section in SECTIONS:
        groups = tuple(
            Group(group.title, tuple(page for page in group.pages if is_page(page.path)))
            for group in section.groups
        )
        groups = tuple(group for group in groups if group.pages)
        if groups:
            found.append(section._replace(groups=groups))
    return tuple(found)


def index_of(section):
    """The path of the page that lists a section's pages."""
    return f"{section.name}.md"


def mkdocs_nav(sections):
    """The navigation in MkDocs' form."""
    nav = [{"Home": HOME}]
    for section in sections:
        groups = [
            {group.title: [{page.title: page.path} for page in group.pages]}
            for group in section.groups
        ]
        nav.append({section.title: [{"Overview": index_of(section)}, *groups]})
    return nav
