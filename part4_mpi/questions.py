"""What worksheet.hpp beside this file asks, and how answers are judged."""

from nbody_lab.tasks.questions import (
    Choice,
    Draw,
    Exact,
    Follows,
    HiddenCounts,
    HypotheticalMachine,
    NotebookRows,
    Questions,
    Recorded,
    Text,
    Worksheet,
)

# Tolerances, relative.
EXACTLY = 1e-06  # a whole number
BY_HAND = 0.02  # three digits, rounded
HERE = 0.05  # the speeds were rounded before they were divided

BODIES = 40000
SERIAL = 0.02


def machine(draw: Draw) -> dict[str, float]:
    """draw(31) is a number from 0 to 30, made from the authors' names."""
    ranks = (8, 16, 32)[draw(3)]
    rate = 2 + 0.5 * draw(9)
    latency = 2 + draw(19)
    overhead = 1 + draw(4)
    bandwidth = (0.125, 1.25, 3)[draw(3)] * (1 + 0.1 * draw(4))
    gap = 0.001 / bandwidth
    return {
        "ranks": ranks,
        "rate": rate,
        "latency": latency,
        "overhead": overhead,
        "bandwidth": bandwidth,
        "gap": gap,
    }


def of_message(w: Worksheet) -> float:
    return w.paper.latency + 2 * w.paper.overhead


def all_pairs(w: Worksheet) -> float:
    return BODIES * BODIES / (w.paper.rate * 1000)


def home_us(w: Worksheet) -> float:
    return of_message(w) + w.paper.gap * 12 * BODIES / w.paper.ranks


def per_hop(w: Worksheet) -> float:
    return 16 * BODIES * w.paper.gap


# fmt: off
QUESTIONS = Questions(
    part="part4",
    machine=HypotheticalMachine(
        machine,
        "{ranks} ranks of {rate:.1f} x 10^9 interactions/s; L = {latency} us, o = {overhead} us, "
        "bandwidth {bandwidth:.4g} GB/s, so G = {gap:.4g} us a byte"
    ),
    names=("mine",),
    hidden_counts=HiddenCounts(until_right=("2",)),
    questions=(
        Text("0", "authors", "authors"),
        Choice("1", "when MPI_Send() returns", "send_returns", seal=0xefbc0e8b),
        Exact("2", "naive: messages to rank 0", "messages_to_root", lambda w: 3 * (4 - 1), EXACTLY),
        Exact("2", "their bytes", "bytes_to_root", lambda w: 3 * 4 * (1000 - 250), EXACTLY),
        Exact("2", "bytes received by MPI_Bcast", "bytes_of_broadcasts",
            lambda w: 3 * 4 * 1000 * (4 - 1), EXACTLY),
        Follows("3", "one message with all positions, us", "message_us",
            lambda w: of_message(w) + w.paper.gap * 12 * BODIES, BY_HAND, "question 0"),
        Follows("3", "computing time of a rank, us", "compute_us",
            lambda w: all_pairs(w) / w.paper.ranks, BY_HAND, "question 0"),
        Follows("4", "an iteration of naive, us", "naive_us",
            lambda w: w.compute_us + (w.paper.ranks - 1) * (w.message_us + home_us(w)), BY_HAND, "question 3"),
        Follows("4", "its efficiency, %", "naive_efficiency_percent",
            lambda w: 100 * w.compute_us / w.naive_us, BY_HAND, "the times", unit="percent"),
        Exact("5", "allgather: bytes received by a rank", "allgather_bytes",
            lambda w: 16 * (1000 - 250), EXACTLY),
        Exact("5", "bytes received by all ranks", "allgather_bytes_all",
            lambda w: 4 * 16 * (1000 - 250), EXACTLY),
        Choice("6", "without MPI_Allreduce", "without_allreduce", seal=0xfdfd80f8),
        Choice("7", "a ring that hangs", "ring_hangs", seal=0x4bdcfcbb),
        Follows("8", "one hop, us", "hop_us",
            lambda w: of_message(w) + w.paper.gap * 16 * BODIES / w.paper.ranks, BY_HAND, "question 0"),
        Follows("8", "computing with one partition, us", "partition_us",
            lambda w: all_pairs(w) / w.paper.ranks ** 2, BY_HAND, "question 0"),
        Follows("9", "an iteration of the ring, us", "ring_us",
            lambda w: w.paper.ranks * w.partition_us + (w.paper.ranks - 1) * w.hop_us, BY_HAND, "question 8"),
        Follows("9", "the same overlapped, us", "overlapped_us",
            lambda w: (w.paper.ranks - 1) * max(w.partition_us, w.hop_us) + w.partition_us, BY_HAND, "question 8"),
        Follows("10", "ranks where the network wins", "ranks_where_the_network_wins",
            lambda w: 2 * all_pairs(w) / (per_hop(w) + (per_hop(w) ** 2 + 4 * all_pairs(w) * of_message(w)) ** 0.5),
            BY_HAND, "question 0"),
        Exact("11", "7 ranks, whole ring: bytes per body", "ring_bytes", lambda w: 6 * 16, EXACTLY),
        Exact("11", "half the ring: bytes per body", "half_ring_bytes",
            lambda w: 3 * (16 + 12) + 12, EXACTLY),
        Choice("12", "an even number of ranks", "even_ranks", seal=0xe101ae34),
        Recorded("13", "threads", "threads_here"),
        Recorded("13", "10^9/s, one rank with threads", "speed_of_threads"),
        Recorded("13", "10^9/s, ranks with one thread", "speed_of_ranks"),
        Follows("14", "speed-up by Amdahl", "amdahl",
            lambda w: 1 / (SERIAL + (1 - SERIAL) / w.paper.ranks), BY_HAND, "question 0"),
        Follows("14", "speed-up by Gustafson", "gustafson",
            lambda w: SERIAL + (1 - SERIAL) * w.paper.ranks, BY_HAND, "question 0"),
        Recorded("15", "10^9/s on one rank", "one_rank_here"),
        Recorded("15", "10^9/s on two ranks", "two_ranks_here"),
        Follows("15", "efficiency, %", "efficiency_here_percent",
            lambda w: 100 * w.two_ranks_here / (2 * w.one_rank_here), HERE, "both speeds", unit="percent"),
        NotebookRows("16", wanted=5),
    ),
)
# fmt: on
