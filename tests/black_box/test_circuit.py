"""Circuits: truths twice, ORACLE's numbers of gates, what is asked, what is generated, what the player knows."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from interactive_envs.black_box.base import LEVELS, Trial
from interactive_envs.black_box.circuit.boxes import BOXES, FAMILY, RAREST, SIZES, Circuit, Gate, generate
from interactive_envs.black_box.circuit.solver import Gates, Solver
from interactive_envs.black_box.rules import BoxShown
from interactive_envs.parsing import Unreadable
from tests.black_box import second_circuit
from tests.black_box.showing import shown_of

TRIAL = Trial()
GATES = {
    "consecutive": (8, 13),
    "palindrome": (8, 42),
    "random-small": (4, 8),
    "swap": (9, 9),
    "xor-seq": (8, 35),
    "add": (10, 54),
    "and-tree": (8, 7),
    "arbitrary": (7, 82),
    "compare": (10, 38),
    "consecutive-k": (10, 30),
    "count": (7, 98),
    "greater": (6, 59),
    "matrix-product": (9, 117),
    "path": (9, 18),
    "random-big": (7, 16),
}
"""Inputs and gates, as ORACLE's were measured; path tells its inner gates too."""


def rng(*seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def fixed(name: str, *, partial: bool = False) -> Circuit:
    box = BOXES[name].make()
    assert isinstance(box, Circuit)
    return dataclasses.replace(box, partial=partial)


def every_input(n: int) -> list[tuple[int, ...]]:
    return list(itertools.product((0, 1), repeat=n))


@functools.cache
def outputs_of(name: str) -> dict[tuple[int, ...], tuple[int, ...]]:
    return {x: tuple(map(int, second_circuit.OUTPUTS[name](x))) for x in every_input(fixed(name).n)}


def play(box: Circuit, turns: int, shots: int = 1, seed: int = 0, *, count: int = 10, code: bool = False) -> float:
    """The reference player's score."""
    player, observations = Solver(), ()
    player.start(rng(seed, 1))

    def shown(**fields: object) -> BoxShown:
        plain = {"observations": observations, "items": count, "shots_left": shots, "exploring": False, "code": code}
        return shown_of("circuit", box, **(plain | fields))

    for turn in range(turns):
        text = player.ask(shown(exploring=True), turns - turn)
        if text is None:
            break
        query = box.read_query("query", text.removeprefix("<query>").removesuffix("</query>"), None)
        observations += ((query, box.reply(TRIAL, None, query, rng(0))[0]),)
    assert len({query for query, _ in observations}) == len(observations)
    items = box.arguments(TRIAL, [query for query, _ in observations], rng(seed, 2), count)
    if code:
        scope: dict = {}
        exec(player.answer(shown()), scope)
        return np.mean([box.mark_value(box.value(TRIAL, item), scope["solution"](list(item))) for item in items])
    marks = []
    for item in items:
        given: tuple[str, ...] = ()
        while len(given) < shots:
            text = player.answer(shown(item=item, given=given))
            if box.mark(box.value(TRIAL, item), box.read_answer(item, text)) == 1:
                break
            assert text not in given
            given += (text,)
        marks.append(len(given) < shots)
    return float(np.mean(marks))


# Truths.


@pytest.mark.parametrize("name", BOXES)
def test_truths_agree_with_plain_computation_on_every_input(name: str) -> None:
    box, partial = fixed(name), fixed(name, partial=True)
    for x in every_input(box.n):
        assert box.value(TRIAL, x) == second_circuit.evaluate(box.gates, box.n, x)
        assert partial.value(TRIAL, x) == outputs_of(name)[x]


def test_numbers_of_gates_are_oracles() -> None:
    assert {name: fixed(name).public[:2] for name in GATES} == GATES


# What is wrong in ORACLE and right here.


def test_inner_gates_of_paths_are_told() -> None:
    box = fixed("path")
    assert len(box.reply(TRIAL, None, (1,) * 9, rng(0))[0]) == len(box.gates) == 18 > len(box.outputs)


def test_the_parities_say_how_many_inputs_there_are() -> None:
    box = fixed("xor-seq")
    assert box.public == (8, 35, 7)
    assert "8 inputs, x1 to x8" in box.introduction()
    assert isinstance(box.read_query("query", "1 0 1 0 1 0", None), Unreadable)


def test_a_circuit_stays_the_same() -> None:
    for box in (fixed("random-small"), generate(rng(3), 3)):
        assert len({box.reply(TRIAL, None, (1,) * box.n, rng(seed))[0] for seed in range(20)}) == 1


# Texts.


@pytest.mark.parametrize("text", ["1 0 1 1", "1011", "(1,0,1,1)", "[1, 0, 1, 1]", " 1;0 ; 1 1 ", "1\n0\n1\n1"])
def test_bits_are_read_in_many_forms(text: str) -> None:
    box = fixed("random-small")
    assert box.read_query("query", text, None) == (1, 0, 1, 1)
    assert box.read_answer((1, 0, 1, 1), f"{text} {text}") == (1, 0, 1, 1, 1, 0, 1, 1)


ODD = (
    "",
    " ",
    "1 0 1",
    "1 0 1 1 0",
    "1 0 1 2",
    "-1 0 1 1",
    "1.0 0 1 1",
    "nan",
    "inf",
    "\u0661\u0660\u0661\u0661",
    "True",
    "\u00b9011",
    "9" * 5000,
    "1" * 20_000,
    "(" * 20_000,
    "\x00",
    "1 0 1 1!",
    "0b1011",
    "1e3",
    "x1",
)


@pytest.mark.parametrize("text", ODD)
def test_odd_texts_are_unreadable(text: str) -> None:
    box = fixed("random-small")
    for read in (box.read_query("query", text, None), box.read_answer((0,) * 4, text)):
        assert isinstance(read, Unreadable)
        assert repr(text[:40]) in read.reason
        assert len(read.reason) < 300


@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("name", BOXES)
def test_texts_are_short_and_keep_the_secret(name: str, partial: bool) -> None:
    box = fixed(name, partial=partial)
    texts = [box.introduction(), box.examination(), box.question(TRIAL, (0,) * box.n), *box.examples]
    texts.append(box.tell((0,) * box.n, box.value(TRIAL, (0,) * box.n)))
    texts.append(box.read_query("query", "?", None).reason)
    assert len(texts[0]) + len(texts[1]) <= 1500
    for word in name.split("-"):
        if len(word) > 2 and word != "and":
            assert not any(word in text.lower() for text in texts), word
    for text in box.examples:
        tag, body = text[1:-1].split(">", 1)[0], text.split(">", 1)[1].split("<")[0]
        read = box.read_answer((), body) if tag == "answer" else box.read_query(tag, body, None)
        assert not isinstance(read, Unreadable)


def test_a_short_transcript() -> None:
    box = fixed("random-small")
    assert box.introduction() == (
        "A circuit of AND, OR and NOT gates is hidden. It has 4 inputs, x1 to x4, each 0 or 1, and 8 gates, g1 to g8. "
        "AND and OR gates take two signals, NOT gates take one; a signal is an input or an earlier gate. The circuit "
        "never changes.\n"
        "A query sets the inputs: 4 bits, x1 first, such as <query>1 0 1 0</query>. The reply gives the output of "
        "every gate, in the order of their numbers. For example, if a circuit had two inputs and the gates g1 = x1 AND "
        'x2, g2 = NOT x1, the reply to <query>0 1</query> would be "0 1 gives 0 1".'
    )
    query = box.read_query("query", "1 1 0 1", None)
    assert box.tell(query, box.reply(TRIAL, None, query, rng(0))[0]) == "1 1 0 1 gives 1 1 0 1 1 0 0 1"
    assert box.question(TRIAL, (0, 0, 1, 0)) == "The inputs are 0 0 1 0. What are the outputs of all gates?"
    assert box.show_answer(box.value(TRIAL, (0, 0, 1, 0))) == "0 1 1 0 1 1 1 1"
    partial = fixed("random-small", partial=True)
    assert partial.tell(query, partial.value(TRIAL, query)) == "1 1 0 1 gives 1"
    assert partial.question(TRIAL, query) == (
        "The inputs are 1 1 0 1. What are the outputs of the gates that are shown?"
    )


@pytest.mark.parametrize("name", [*BOXES, "random"])
def test_an_answer_that_ignores_the_inputs_gets_as_much_as_it_loses(name: str) -> None:
    """Over all inputs; counted a second time, gate by gate, with fractions. A constant gate weighs nothing."""
    box = generate(rng(5), 3) if name == "random" else fixed(name)
    table = [box.run(x) for x in every_input(box.n)]
    ones = [Fraction(sum(row[gate] for row in table), len(table)) for gate in range(len(box.gates))]
    guess = tuple(int(number) for number in rng(1).integers(2, size=len(box.gates)))
    net = Fraction(0)
    for row in table[:: max(1, len(table) // 64)] if name != "random-small" else table:
        weights = [1 - p if value else p for p, value in zip(ones, row, strict=True)]
        won = sum(w if a == b else -w for w, a, b in zip(weights, guess, row, strict=True))
        assert box.mark(row, guess) == pytest.approx(max(0.0, float(won / sum(weights))))
        net += won
    assert name != "random-small" or net == 0
    assert box.mark(table[0], table[0]) == 1.0
    assert box.mark(table[0], tuple(1 - bit for bit in table[0])) == 0.0


def test_a_constant_gate_is_not_scored() -> None:
    box = Circuit(n=2, gates=(Gate("not", 0, 0), Gate("or", 0, 2), Gate("and", 0, 1)), outputs=(1, 2))
    assert box.value(TRIAL, (1, 1)) == (0, 1, 1)
    assert box.mark((0, 1, 1), (0, 0, 1)) == 1.0  # x1 OR NOT x1 is always 1


def test_values_of_functions_are_marked_as_answers_are() -> None:
    box = fixed("and-tree", partial=True)
    assert [box.mark_value((1,), value) for value in ([1], [True], 1, 1.0, True)] == [1.0] * 5
    assert [box.mark_value((1,), value) for value in ([0], [1, 1], [], None, "1", ["1"], {}, [[1]], 10**400)] == [
        0.0
    ] * 9
    whole = fixed("random-small")
    truth = whole.value(TRIAL, (0, 0, 1, 0))
    assert whole.mark_value(truth, [0, *truth[1:]]) == whole.mark(truth, (0, *truth[1:])) == 1.0
    assert 0 < whole.mark_value(truth, [1, *truth[1:]]) == whole.mark(truth, (1, *truth[1:])) < 1


# Items.


@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("name", BOXES)
def test_items_are_new_and_different(name: str, partial: bool) -> None:
    box = fixed(name, partial=partial)
    for seed in range(2):
        asked = [every_input(box.n)[int(row)] for row in rng(seed).permutation(2**box.n)[:10]]
        items = box.arguments(TRIAL, asked, rng(seed), 10)
        assert items == box.arguments(TRIAL, asked, rng(seed), 10)
        assert len(items) == len(set(items)) == (6 if box.n == 4 else 10)
        assert not set(items) & set(asked)
        if box.n == 4:
            continue
        outputs = Counter(outputs_of(name)[x] for x in items)
        left = Counter(output for x, output in outputs_of(name).items() if x not in asked)
        if left.total() - max(left.values()) >= 5:
            assert max(outputs.values()) <= 5
        if name == "and-tree" and (1,) * 8 not in asked:
            assert (1,) * 8 in items


def test_items_of_code_are_disjoint_from_queries_too() -> None:
    box = fixed("add")
    asked = every_input(10)[:10]
    items = box.arguments(TRIAL, asked, rng(1), 1000)
    assert len(set(items)) == 1000
    assert not set(items) & set(asked)
    assert len(fixed("xor-seq").arguments(TRIAL, asked[:0], rng(1), 1000)) == 256


def test_where_everything_was_asked_it_is_asked_again() -> None:
    box = fixed("random-small")
    assert len(set(box.arguments(TRIAL, every_input(4), rng(1), 6))) == 6
    assert box.arguments(TRIAL, every_input(4)[:15], rng(1), 6) == ((1, 1, 1, 1),)


def test_constants_and_echoes_fail() -> None:
    for name in BOXES:
        box = fixed(name)
        items = box.arguments(TRIAL, every_input(box.n)[:: 2**box.n // 10][:10], rng(5), 10)
        truths = [box.value(TRIAL, x) for x in items]
        assert max(map(truths.count, truths)) <= len(items) / 2, name
        assert np.mean([truth == x for truth, x in zip(truths, items, strict=True)]) <= 0.2


# Numbers.


def test_menus_and_numbers_fit() -> None:
    menus = {name: FAMILY.listed.get(name, {}) for name in BOXES} | {"random": {"observability": "partial"}}
    for name, arguments in menus.items():
        partial = "observability" in arguments
        level = 5 if partial else 1
        drawn = dataclasses.replace(FAMILY.generate(np.random.default_rng(0), level), partial=partial)
        box = drawn if name == "random" else fixed(name, partial=partial)
        assert len(box.queries) == box.n_queries == 2**box.n
        assert len(box.answers) == 2 ** len(box.reported)
        assert len(box.queries) + len(box.answers) <= 4000
        x = box.read_query("query", box.queries[5].removeprefix("<query>").removesuffix("</query>"), None)
        assert x == every_input(box.n)[5]
        assert len(box.encode_turn(x, box.value(TRIAL, x))) == box.turn_size
        assert box.encode_state(None, None, x) == (1.0, *x)
        assert box.encode_state(None, None, None) == (0.0,) * box.state_size
    assert fixed("add").answers is None


@pytest.mark.parametrize("name", ["random-small", "swap", "consecutive"])
def test_left_is_the_number_of_wirings_that_agree(name: str) -> None:
    box, told = fixed(name), ()
    last = None
    for x in every_input(box.n)[3 :: 2**box.n // 5]:
        told += ((x, box.value(TRIAL, x)),)
        left = box.left(TRIAL, told)
        assert left == second_circuit.wirings(box.n, told)
        assert left >= 1
        assert last is None or left <= last
        last = left
    assert fixed(name, partial=True).left(TRIAL, ()) is None


def test_left_counts_all_lists_at_first_and_more_than_64_replies() -> None:
    box = Circuit(n=2, gates=(Gate("and", 0, 1), Gate("not", 2, 2)), outputs=(1,))
    assert box.left(TRIAL, ()) == (3 + 3 + 2) * (6 + 6 + 3)
    box = fixed("consecutive")
    assert box.left(TRIAL, tuple((x, box.value(TRIAL, x)) for x in every_input(8)[:150])) >= 1
    box = fixed("matrix-product")
    box.left(TRIAL, tuple((x, box.value(TRIAL, x)) for x in every_input(9)[:20]))


# The generator.


@pytest.mark.parametrize("count", [30, pytest.param(200, marks=pytest.mark.long)])
@pytest.mark.parametrize("level", LEVELS)
def test_generated_circuits_are_sound(level: int, count: int) -> None:
    size = SIZES[level - 1]
    for seed in range(0, count, 1 if level < 3 else 5):
        box = generate(rng(seed), level)
        assert box == generate(rng(seed), level)
        assert box.public == (size.n, size.gates, size.outputs)
        inputs = every_input(size.n)
        table = np.array([[*x, *box.run(x)] for x in inputs])
        assert len(np.unique(table, axis=1).T) == size.n + size.gates, "two signals are the same function"
        ones = table[:, size.n :].mean(axis=0)
        assert (np.minimum(ones, 1 - ones) >= RAREST).all()
        reached: set[int] = set()
        todo = [size.n + gate for gate in box.outputs]
        while todo:
            signal = todo.pop()
            if signal not in reached:
                reached.add(signal)
                todo += box.gates[signal - size.n][1:] if signal >= size.n else []
        assert reached == set(range(size.n + size.gates)), "a signal reaches no output"
        for x in inputs[:: len(inputs) // 4]:
            assert box.run(x) == second_circuit.evaluate(box.gates, box.n, x)


def test_generated_circuits_differ_and_grow() -> None:
    assert len({generate(rng(seed), 1) for seed in range(50)}) == 50
    asked = [(0, 1) * 4, (1, 1) * 4, (0, 0, 1) * 3]
    sizes = []
    for level in LEVELS:
        box = generate(rng(1), level)
        sizes.append(box.left(TRIAL, tuple((x[: box.n], box.run(x[: box.n])) for x in asked)))
    assert sizes == sorted(sizes)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"n": 0}, "n must be from 1"),
        ({"gates": (Gate("and", 0, 5),)}, "no earlier signal"),
        ({"gates": (Gate("xor", 0, 1),)}, "no known kind"),
        ({"outputs": (1, 0)}, "in order"),
        ({"outputs": ()}, "outputs must be"),
    ],
)
def test_wrong_wirings_raise(change: dict, problem: str) -> None:
    right = {"n": 2, "gates": (Gate("and", 0, 1), Gate("not", 2, 2)), "outputs": (1,)}
    Circuit(**right)
    with pytest.raises(ValueError, match=problem):
        Circuit(**(right | change))


# The player.


def test_the_player_never_drops_the_truth() -> None:
    box = fixed("compare")
    gates = Gates(box.n, len(box.gates))
    for x in every_input(10)[::60]:
        gates.hear(x, box.run(x))
    left = set(zip(gates.g.tolist(), gates.k.tolist(), gates.i.tolist(), gates.j.tolist(), strict=True))
    for place, gate in enumerate(box.gates):
        assert (place, ("and", "or", "not").index(gate.kind), *sorted(gate[1:])) in left


@pytest.mark.every(3)
@pytest.mark.parametrize("name", ["consecutive", "random-small", "swap", "xor-seq", "and-tree", "random-big"])
def test_the_player_learns_small_circuits(name: str) -> None:
    assert play(fixed(name), 10) >= 0.8


def test_the_player_learns_more_with_more_turns_and_tries() -> None:
    box = generate(rng(7), 3)
    assert play(box, 24, 2) >= max(0.7, play(box, 4))


def test_the_player_plays_with_hidden_gates_and_writes_functions() -> None:
    assert play(fixed("swap", partial=True), 10) >= 0.8
    assert play(fixed("xor-seq", partial=True), 12) >= 0.8
    assert play(fixed("swap"), 10, code=True, count=100) >= 0.9


@pytest.mark.long
def test_the_player_writes_functions_with_hidden_gates_and_plays_what_it_cannot_learn() -> None:
    assert play(fixed("swap", partial=True), 12, code=True, count=100) >= 0.8
    assert 0 <= play(fixed("arbitrary", partial=True), 5, 2) <= 1


def test_the_player_asks_without_replies() -> None:
    box, player, said = fixed("random-small"), Solver(), []
    player.start(rng(1))
    shown = shown_of("circuit", box)
    for turn in range(17):
        said.append(player.ask(shown, 20 - turn))
    assert len(set(said[:16])) == 16
    assert said[16] is None
