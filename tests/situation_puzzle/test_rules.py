"""The pure rules, menu and free text: what is read, what is said back, and what a View gives away."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interactive_envs.dialogue import free_text
from interactive_envs.dialogue.env import DialogueEnv
from interactive_envs.dialogue.free_text import FINALS, LABELS
from interactive_envs.dialogue.task import Menu, Terms
from interactive_envs.dialogue.view import DialogueView, Exchange
from interactive_envs.errors import ConfigError
from interactive_envs.judges.base import Verdict
from interactive_envs.parsing import Illegal, Unreadable
from interactive_envs.situation_puzzle import puzzles
from interactive_envs.situation_puzzle.env import SituationPuzzleEnv
from interactive_envs.situation_puzzle.puzzles import Listed, Puzzle, Question
from interactive_envs.situation_puzzle.rules import FreeTask, MenuCase, MenuTask, closest

NO_LETTER = Illegal("That is no explanation of the list; answer with a letter from A to C.")
NO_QUESTION = Illegal("That question is not in the list; ask one of 1 to 4.")


def view_of(case: MenuCase, *asked: int, stage: Any = "rounds", rounds_left: int = 10) -> DialogueView:
    """The View after some questions."""
    labels = {q: case.shown.matrix[q][case.right] for q in asked}
    exchanges = tuple(
        Exchange("query", f"<ask>{q + 1}</ask>", q, f"{LABELS[label].capitalize()}.", label)
        for q, label in labels.items()
    )
    return DialogueView(case.shown, exchanges, 20, rounds_left, 0, stage, stage == "rounds")


# Menu


def test_the_menu_lists_story_explanations_and_questions(menu: MenuTask, case: MenuCase, terms: Terms) -> None:
    assert menu.rules(case, terms).splitlines() == [
        "This is a situation puzzle. The story is odd, but a hidden explanation makes sense of all of it. Find it.",
        "",
        "Story: Every night the floor of the empty museum gets wet. Why?",
        "",
        "Possible explanations, exactly one is right:",
        "A. The guard waters the ferns.",
        "B. A seal visits the pool.",
        "C. The roof leaks on people.",
        "",
        "Questions you may ask:",
        "1. Was an animal involved?",
        "2. Was a person involved at night?",
        "3. Was the roof broken by the storm?",
        "4. Did it rain?",
        "",
        "Ask one question per message, by its number: <ask>7</ask>. The reply is yes, no, both (yes in one respect, no "
        "in another) or irrelevant (it has nothing to do with the explanation). You have 20 rounds. Each question uses "
        "one, and so does each answer.",
        "",
        "Answer with the letter of an explanation: <answer>C</answer>. You may answer only once: your first "
        "answer ends the game. If it is right you score 1, otherwise 0.",
        "",
        "A message that cannot be parsed (no action, several actions, or a question or letter that is not listed) "
        "costs a round.",
    ]


_UNLISTED = "no action, several actions, or a question or letter that is not listed"


@pytest.mark.parametrize(
    ("changes", "last"),
    [
        (
            {"retries": 2},
            f"If a message cannot be parsed ({_UNLISTED}), you may try again for free, up to twice per round. After "
            "that, it costs a round.",
        ),
        ({"strict": True, "retries": 2}, f"A message that cannot be parsed ({_UNLISTED}) ends the game."),
        (
            {"forced_final": True},
            "After your last round you are asked for one final answer, which uses no round. A message that cannot be "
            f"parsed ({_UNLISTED}) costs a round; sent instead of the final answer, it ends the game.",
        ),
        (
            {"interaction": False, "budget": 1},
            "A message that cannot be parsed (no action, several actions, or a letter that is not listed) ends the "
            "game.",
        ),
    ],
)
def test_the_rules_tell_the_terms(menu: MenuTask, case: MenuCase, terms: Terms, changes: Any, last: str) -> None:
    assert menu.rules(case, dataclasses.replace(terms, **changes)).splitlines()[-1] == last


def test_without_interaction_no_question_is_listed(menu: MenuTask, case: MenuCase, terms: Terms) -> None:
    text = menu.rules(case, dataclasses.replace(terms, interaction=False, budget=1))
    assert "Was an animal involved?" not in text
    assert "<ask>" not in text


@pytest.mark.parametrize(
    ("body", "index"),
    [
        ("1", 0),
        ("#2", 1),
        (" 3. ", 2),
        ("Q3", 2),
        ("question 4", 3),
        ("Question #4?", 3),
        ("**2**", 1),
        ("2. Was a person involved at night?", 1),
        ("2) please", 1),
        ("2 - a person", 1),
        ("2 Was a person involved at night?", 1),
        ("٢", 1),
        ("was an animal INVOLVED", 0),
        ("Was the roof broken by a storm?", 2),
        ("Did it rain?", 3),
        ("0", Illegal("There is no question 0; they are 1 to 4.")),
        ("5", Illegal("There is no question 5; they are 1 to 4.")),
        ("999999", Illegal("There is no question 999999; they are 1 to 4.")),
        ("9999999", NO_QUESTION),
        ("2 people were there?", NO_QUESTION),
        ("2-year-old?", NO_QUESTION),
        ("1,000 visitors came?", NO_QUESTION),
        ("1.5 hours?", NO_QUESTION),
        ("1 and 2", NO_QUESTION),
        ("1. 2.", NO_QUESTION),
        ("1st", NO_QUESTION),
        ("it rain", NO_QUESTION),
        ("Was money involved?", NO_QUESTION),
        ("???", NO_QUESTION),
    ],
)
def test_questions_are_asked_by_number_or_text(
    menu: MenuTask, case: MenuCase, body: str, index: int | Unreadable
) -> None:
    assert menu.read_query(case, body) == index


@pytest.mark.parametrize(
    ("body", "index"),
    [
        ("A", 0),
        ("b", 1),
        ("(c)", 2),
        ("**C**", 2),
        ("C.", 2),
        ("Explanation C", 2),
        ("option: b", 1),
        ("Answer C. I think so.", 2),
        ("C: because the roof leaks", 2),
        ("C (the roof)", 2),
        ("C - the roof, as B is silly", 2),
        ("The guard waters the ferns", 0),
        ("B. A seal visits the pool", 1),
        ("D", Illegal("There is no explanation D; they are A to C.")),
        ("z", Illegal("There is no explanation Z; they are A to C.")),
        ("A or C", NO_LETTER),
        ("A, C", NO_LETTER),
        ("A/B", NO_LETTER),
        ("A and B", NO_LETTER),
        ("A) or B)", NO_LETTER),
        ("A. B. C.", NO_LETTER),
        ("A man did it", NO_LETTER),
        ("I don't know", NO_LETTER),
        ("I'm not sure", NO_LETTER),
        ("a - hm", NO_LETTER),
        ("the roof", NO_LETTER),
        ("1", NO_LETTER),
        ("\u212a", NO_LETTER),
        ("İ", NO_LETTER),
        ("\u017f", NO_LETTER),
    ],
)
def test_explanations_are_answered_by_letter_or_text(
    menu: MenuTask, case: MenuCase, body: str, index: int | Unreadable
) -> None:
    assert menu.read_answer(case, body) == index


def test_a_lone_number_asks_and_a_lone_letter_answers(menu: MenuTask, case: MenuCase) -> None:
    assert menu.read_bare(case, " 2.\n") == ("query", 1)
    assert menu.read_bare(case, "b") == ("final", 1)
    assert menu.read_bare(case, "9") == ("query", Illegal("There is no question 9; they are 1 to 4."))
    assert [menu.read_bare(case, text) for text in ("2 b", "ask 2", "", "İ", "1234567")] == [None] * 5


@settings(max_examples=300)
@given(body=st.one_of(st.text(min_size=1), st.from_regex(r"\W?[A-Za-z0-9]\W?.{0,9}", fullmatch=True)))
def test_any_body_is_an_index_of_the_menu_or_a_reason(body: str) -> None:
    puzzle = puzzles.load()[0]
    task = MenuTask(Listed([puzzle]))
    case = task.case(np.random.default_rng(0))
    for found, count in (
        (task.read_query(case, body), len(puzzle.questions)),
        (task.read_answer(case, body), len(puzzle.explanations)),
        (bare[1] if (bare := task.read_bare(case, body)) else Unreadable("none"), len(puzzle.questions)),
    ):
        assert isinstance(found, Unreadable) or 0 <= found < count


def test_every_listed_text_names_itself() -> None:
    task = MenuTask(Listed(puzzles.load()))
    for number, case_id in enumerate(task.case_ids()):
        case = task.case(np.random.default_rng(number), case_id)
        assert [task.read_query(case, text) for text in case.shown.questions] == [*range(len(case.shown.questions))]
        assert [task.read_answer(case, text) for text in case.shown.candidates] == [*range(len(case.shown.candidates))]


def test_a_text_that_is_near_two_questions_names_neither() -> None:
    texts = ["Was the big door open?", "Was the big dock open?"]
    assert closest("Was the big dook open?", texts) is None
    assert closest("Was the big door opened?", texts[:1]) == 0
    assert closest("was the BIG dock, open", texts) == 1


def test_replies_are_the_right_column(menu: MenuTask, case: MenuCase, rng: np.random.Generator) -> None:
    replies = [menu.render(menu.reply(case, query, rng)[0]) for query in range(4)]
    assert replies == ["Yes.", "No.", "No.", "Irrelevant."]
    after = menu.reply(case, 0, rng)[1]
    assert (after.replies, menu.case_of(after)) == (((0, LABELS.index("yes")),), case)
    assert [menu.check(case, answer) for answer in range(3)] == [False, True, False]
    assert menu.solution(case) == "B. A seal visits the pool."
    assert menu.judge_query(case, 0) is menu.judge_answer(case, 0) is None
    assert menu.start(case) == menu.case_of(case) == case
    assert (menu.case_id(case), menu.secrets(case)) == ("wet-floor", ())


def test_a_wrong_fact_is_another_candidate_s_that_fits_the_replies(
    menu: MenuTask, case: MenuCase, rng: np.random.Generator
) -> None:
    def fitting(state: MenuCase, query: int) -> set[int]:
        matrix = state.shown.matrix
        return {
            matrix[query][c]
            for c in range(3)
            if all(matrix[q][c] == label for q, label in state.replies)
            and matrix[query][c] != matrix[query][case.right]
        }

    for query in range(4):
        for before in range(4):
            state = menu.reply(case, before, rng)[1]
            assert {menu.wrong_fact(state, query, rng) for _ in range(50)} == (fitting(state, query) or {None})
    state = menu.reply(case, 0, rng)[1]
    assert menu.mishear(state, 3).replies == ((0, 3),)
    assert menu.undecided(menu.start(case))


def test_every_order_is_drawn_and_naming_the_case_keeps_it(menu: MenuTask) -> None:
    drawn = [menu.case(np.random.default_rng(seed)) for seed in range(400)]
    assert {case.right for case in drawn} == {0, 1, 2}
    assert len({case.shown.questions for case in drawn}) == 24
    assert drawn[7] == menu.case(np.random.default_rng(7), "wet-floor")
    for case in drawn:
        assert case.shown.candidates[case.right] == "The guard waters the ferns."
        shown = dict(zip(case.shown.questions, case.shown.matrix, strict=True))
        assert shown["Was an animal involved?"][case.right] == LABELS.index("no")


def test_own_puzzles_are_all_drawn() -> None:
    task = MenuTask(Listed(puzzles.load()))
    drawn = {task.case_id(task.case(np.random.default_rng(seed))) for seed in range(600)}
    assert drawn == set(task.case_ids() or ())
    assert task.data_sha256() == FreeTask(Listed(puzzles.load())).data_sha256() == free_text.sha256(puzzles.load())


def test_the_menu_needs_labelled_explanations(small: Puzzle) -> None:
    bare = dataclasses.replace(small, id="bare", explanations=())
    with pytest.raises(ConfigError, match=r"puzzle 'bare' has no labelled explanations for the menu; play it with"):
        MenuTask(Listed([small, bare]))


def test_hypotheses_shrink_with_what_is_heard(menu: MenuTask, case: MenuCase) -> None:
    assert menu.hypotheses(view_of(case)) == [0, 1, 2]
    assert menu.hypotheses(view_of(case, 2)) == [0, 1]
    assert menu.hypotheses(view_of(case, 2, 0)) == [1]
    assert menu.hypotheses(view_of(case, 3)) == [0, 1, 2]


def test_after_a_false_answer_the_candidates_that_agree_most_are_left(menu: MenuTask, case: MenuCase) -> None:
    heard = (*view_of(case, 0, 1).exchanges, Exchange("query", "<ask>4</ask>", 3, "Yes.", LABELS.index("yes")))
    view = dataclasses.replace(view_of(case), exchanges=heard)
    assert menu.consistent(view) == [1]


@given(seed=st.integers(0, 9999), asked=st.lists(st.integers(0, 29), max_size=4))
def test_a_resampled_state_looks_the_same_and_keeps_every_reply(seed: int, asked: list[int]) -> None:
    env = SituationPuzzleEnv()
    env.reset(seed=seed)
    for query in asked:
        env.step(f"<ask>{query + 1}</ask>")
    view, task = env.view(), MenuTask(Listed(puzzles.load()))
    drawn = task.resample(view, np.random.default_rng(seed))
    assert task.show(drawn) == view.shown
    replies = [task.render(task.reply(drawn, query, np.random.default_rng(0))[0]) for query in asked]
    assert replies == [exchange.reply for exchange in view.exchanges]
    assert drawn.right in task.hypotheses(view)
    env.resample(view, np.random.default_rng(seed))
    assert env.view() == view


def test_search_draws_every_hypothesis_and_never_only_the_truth(menu: MenuTask, case: MenuCase) -> None:
    view = view_of(case, 2)
    assert {menu.resample(view, np.random.default_rng(seed)).right for seed in range(30)} == {0, 1}


# The numeric twin's arrays


def test_the_array_holds_the_matrix_the_answers_and_the_budget(menu: MenuTask, case: MenuCase) -> None:
    array = menu.encode(view_of(case, 0))
    assert array.dtype == np.float32
    assert array.shape == menu.numeric_shape == (64 * (12 * 4 + 5) + 6,)
    rows, extra = array[:-6].reshape(64, 53), array[-6:]
    matrix = rows[:4, :12].reshape(4, 3, 4).argmax(axis=2)
    assert matrix.tolist() == [list(row) for row in case.shown.matrix]
    assert not rows[:, 12:48].any()
    assert not rows[4:].any()
    assert rows[:4, 48:].tolist() == [[1, 1, 0, 0, 0], [0] * 5, [0] * 5, [0] * 5]
    assert extra.tolist() == pytest.approx([0.5, 0.1, 0, 1, 0, 0])


def test_stages_show_in_the_array(menu: MenuTask, case: MenuCase) -> None:
    forced = menu.encode(view_of(case, stage="forced_final", rounds_left=0))[-6:]
    over = menu.encode(view_of(case, stage="over", rounds_left=0))[-6:]
    assert (forced.tolist(), over.tolist()) == ([0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 1, 0])


def test_the_array_stays_within_its_box_for_any_budget(menu: MenuTask, case: MenuCase) -> None:
    view = dataclasses.replace(view_of(case), budget=1000, rounds_left=900, retries_left=90)
    assert menu.encode(view)[-6:].tolist() == pytest.approx([0.9, 1, 1, 1, 0, 0])


def test_indices_decode_to_text_actions(menu: MenuTask, case: MenuCase) -> None:
    assert menu.numeric_actions == 76
    for view, legal in (
        (view_of(case), {0: "<ask>1</ask>", 3: "<ask>4</ask>", 64: "<answer>A</answer>", 66: "<answer>C</answer>"}),
        (view_of(case, stage="forced_final"), {64: "<answer>A</answer>", 66: "<answer>C</answer>"}),
        (view_of(case, stage="over"), {}),
    ):
        decoded = {index: menu.decode(view, index) for index in (-1, 0, 3, 4, 63, 64, 66, 67, 75, 76)}
        assert {index: text for index, text in decoded.items() if text} == legal
    assert menu.queries(case) == ["<ask>1</ask>", "<ask>2</ask>", "<ask>3</ask>", "<ask>4</ask>"]
    assert menu.answers(case) == ["<answer>A</answer>", "<answer>B</answer>", "<answer>C</answer>"]


# Two states with equal View


@given(left=st.integers(0, 2), right=st.integers(0, 2), asked=st.lists(st.sampled_from([3]), max_size=3))
def test_states_that_differ_only_in_the_truth_look_the_same(left: int, right: int, asked: list[int]) -> None:
    """Question 4 has the same answer in every world, so nothing tells the worlds apart."""
    texts, matrix = ("a a a", "b b b", "c c c"), ((0, 1, 2), (1, 1, 0), (2, 0, 0), (3, 3, 3))
    questions = tuple(Question(f"Was it {n}?", labels) for n, labels in enumerate(matrix))
    task = MenuTask(Listed([Puzzle("p", "P", "It is.", "It was.", (), questions, texts)]))
    drawn, said = task.case(np.random.default_rng(3)), []
    for hidden in (left, right):
        case = dataclasses.replace(drawn, right=hidden)
        env = DialogueEnv(task, case="p")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(task, "case", lambda rng, case_id, case=case: case)
            env.reset(seed=3)
        same = next(q for q, row in enumerate(case.shown.matrix) if set(row) == {3})
        steps = [(str(o), r, repr(i)) for o, r, *_, i in (env.step(f"<ask>{same + 1}</ask>") for _ in asked)]
        shown = (repr(env.view()), env.view_text(), env.legal_actions(), task.encode(env.view()).tobytes())
        said.append((task.rules(case, env.terms), steps, shown))
    assert said[0] == said[1]


# Free text


def test_free_text_tells_the_story_only(small: Puzzle, terms: Terms) -> None:
    text = FreeTask(Listed([small])).rules(small, terms)
    assert text.splitlines()[2:] == [
        "Story: Every night the floor of the empty museum gets wet. Why?",
        "",
        "Ask one yes/no question per message: <ask>…?</ask>. The reply is yes, no, both (yes in one respect, no in "
        "another) or irrelevant (it has nothing to do with the explanation). You have 20 rounds. Each question uses "
        "one, and so does each answer.",
        "",
        "Give the whole explanation in one message: <answer>…</answer>. If the judge only estimates its verdicts, the "
        "game is not scored. After a wrong answer the game goes on as long as you have rounds left. If your "
        "explanation is right you score 1, otherwise 0.",
        "",
        'If the judge does not understand a question or an answer, the reply is "Not understood." It means neither '
        "yes nor no, and it does not count as an answer. This costs no round, up to 20 times per game; after that it "
        "costs one.",
        "",
        'A message that cannot be parsed (no action, several actions, or an open question such as "Why?") '
        "costs a round.",
    ]


@pytest.mark.parametrize(
    ("changes", "tries"),
    [
        ({"finals": 1}, "You may answer only once: your first answer ends the game."),
        ({"finals": 3}, "You may answer up to 3 times; the game is over after the third wrong answer."),
        ({"finals": 3, "budget": 3}, "After a wrong answer the game goes on as long as you have rounds left."),
        ({"interaction": False, "budget": 1}, "You may answer only once, and you cannot ask anything."),
    ],
)
def test_the_rules_say_how_often_free_text_may_answer(small: Puzzle, terms: Terms, changes: Any, tries: str) -> None:
    text = FreeTask(Listed([small])).rules(small, dataclasses.replace(terms, **changes))
    give = (
        "Give the whole explanation in one message: <answer>…</answer>. If the judge only estimates its verdicts, the "
    )
    give += f"game is not scored. {tries} If your explanation is right you score 1, otherwise 0."
    assert give in text.splitlines()


@pytest.mark.parametrize(
    "body",
    [
        "What was it?",
        "so, why did she leave?",
        '  "Who\'s there?" ',
        "In which year was it?",
        "To whom did he write",
        "When did he leave, and was he alone?"[:17],
        "How about money",
        "Tell me the solution",
        "Was it night? Please explain to me: describe us the room",
        "Explain.",
        "*Describe* the room",
    ],
)
def test_open_questions_are_not_read(small: Puzzle, body: str) -> None:
    expected = Unreadable("Ask a question that can be answered with yes or no.")
    assert FreeTask(Listed([small])).read_query(small, body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "Was it dark?",
        "When he left, was he alone?",
        "Did he know who came?",
        "Whatever he did, was it legal?",
        "In the end, did he pay?",
        "The guard did it",
        "war es dunkel?",
        "<answer>x",
    ],
)
def test_closed_questions_and_claims_are_read(small: Puzzle, body: str) -> None:
    assert FreeTask(Listed([small])).read_query(small, body) == body


def test_what_is_no_language_is_not_read(small: Puzzle) -> None:
    task = FreeTask(Listed([small]))
    assert task.read_query(small, "???") == Unreadable("That is not a question.")
    assert task.read_answer(small, "...") == Unreadable("That is not an explanation.")
    assert task.read_query(small, "x" * 1001) == Unreadable("A question has at most 1000 characters.")
    assert task.read_query(small, "x" * 1000) == "x" * 1000
    assert task.read_answer(small, "x" * 5000) == "x" * 5000


def test_the_judge_is_asked_with_the_whole_truth_and_only_its_word_counts(
    small: Puzzle, rng: np.random.Generator
) -> None:
    task = FreeTask(Listed([small]))
    request = task.judge_query(small, "Was it dark?")
    assert (request.kind, request.text, request.labels) == ("question", "Was it dark?", LABELS)
    assert request.context == small.judge_context()
    assert task.judge_answer(small, "Ferns").labels == FINALS
    assert task.judge_answer(small, "Ferns").kind == "final"
    verdict = Verdict("both", detail="the guard")
    assert task.reply(small, "Was it dark?", rng, verdict) == ("both", small)
    assert task.render("both") == "Both."
    assert task.check(small, "Ferns", Verdict("correct")) is True
    assert task.check(small, "Ferns", Verdict("incorrect")) is False
    for call in (lambda: task.reply(small, "x", rng), lambda: task.check(small, "x")):
        with pytest.raises(ConfigError, match="needs a verdict"):
            call()


def test_free_text_cases_and_secrets(small: Puzzle, rng: np.random.Generator) -> None:
    other = dataclasses.replace(small, id="other")
    task = FreeTask(Listed([small, other]))
    assert task.case_ids() == ["wet-floor", "other"]
    assert {task.case_id(task.case(np.random.default_rng(seed))) for seed in range(20)} == {"wet-floor", "other"}
    assert task.case(rng, "other") is task.start(other) is task.case_of(other) is other
    assert task.solution(small) == small.solution
    assert task.secrets(small) == [
        "The guard waters the ferns.",
        "Nobody asked him to do that.",
        "The guard waters the ferns at night.",
    ]
    assert task.show(small).setup == small.setup
    assert task.wrong_fact(small, "x", rng) in LABELS
    assert not isinstance(task, Menu)


@pytest.mark.parametrize("build", [MenuTask, FreeTask])
def test_examples_can_be_read(build: Callable[[Any], Any]) -> None:
    task = build(Listed(puzzles.load()))
    case = task.case(np.random.default_rng(0))
    for text in task.action_examples:
        tag, body = text.strip("<>").split(">", 1)[0], text.split(">", 1)[1].rpartition("</")[0]
        read = task.read_query if tag == "ask" else task.read_answer
        assert not isinstance(read(case, body), Unreadable)
