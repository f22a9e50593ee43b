"""What the offline judge knows of English."""

from __future__ import annotations

import pytest

from interactive_envs.situation_puzzle.judge import language
from interactive_envs.situation_puzzle.judge.language import clauses, denies, hedges, joined, negated, opposed, words


def test_an_odd_number_of_negations_negates() -> None:
    assert negated("The van did not come.")
    assert negated("He couldn\u2019t see.")
    assert negated("It is false that the van came.")
    assert not negated("Nobody did not come.")
    assert not negated("He wanted the gap, not the book.")
    assert not negated("He wanted not the book but the gap.")
    assert not negated("Isn't he here?", question=True)
    assert negated("Isn't he here?")


def test_words_are_stems_without_the_common_ones() -> None:
    assert words("Were the baker's boats stopped?") == words("The baker stops a boat")


def test_clauses_of_a_sentence_stand_beside_it() -> None:
    text = "The lamp was a signal, and the boat was far away. He wept."
    assert clauses(text) == (
        "The lamp was a signal, and the boat was far away.",
        "The lamp was a signal",
        "the boat was far away.",
        "He wept.",
    )
    assert clauses(text, whole=False) == ("The lamp was a signal", "the boat was far away.", "He wept.")


@pytest.mark.parametrize(
    ("question", "word", "parts"),
    [
        ("Was it dark and did he see it?", "and", ["Was it dark?", "did he see it?"]),
        ("Was it dark, but was the lamp lit?", "and", ["Was it dark?", "was the lamp lit?"]),
        ("Was it dark or was it foggy?", "or", ["Was it dark?", "was it foggy?"]),
        ("Was it dark and cold?", "", ["Was it dark and cold?"]),
        ("And did he see it?", "", ["And did he see it?"]),
        ("Did it matter where he was and who did it?", "", ["Did it matter where he was and who did it?"]),
    ],
)
def test_two_questions_in_one_are_taken_apart(question: str, word: str, parts: list[str]) -> None:
    assert joined(question) == (word, parts)


def test_a_clause_denies_a_fact_only_in_nearly_its_words() -> None:
    assert denies("The patrol boat was not away that night", "The patrol boat was away.")
    assert not denies("The patrol boat was away that night", "The patrol boat was away.")
    assert not denies("He did not like the sea", "The patrol boat was away.")


def test_opposites_in_un_and_hedges() -> None:
    assert opposed(words("Was he justly arrested?"), words("Was he unjustly arrested?"))
    assert not opposed({"unrest"}, {"boat"})
    assert hedges("Maybe she was ill, or perhaps she moved.") == 3


@pytest.mark.parametrize(
    "answer",
    [
        "Explanation A: she was ill. Explanation B: she was away.",
        "It was rain. It was snow. It was a receipt and was not a receipt.",
        "She had a bet with the regulars. Failing that, she signalled to the smugglers.",
        "He was a spy. She was a nurse. They met. It rained. A dog barked. It was late. Nobody came. He left.",
    ],
)
def test_what_goes_through_several_explanations_is_heard(answer: str) -> None:
    assert language.enumerates(answer)
    assert not language.enumerates("The lantern told the smugglers that the patrol boat was away, so they landed.")


def test_praise_of_the_answer_itself_is_heard() -> None:
    assert language.praise("Without a single doubt she was ill. A flawless, complete solution.") == [
        "without a single doubt",
        "flawless",
        "complete solution",
    ]
    assert language.praise("He could hear perfectly well that the boat was away.") == []


@pytest.mark.parametrize(
    "answer",
    [
        "At no time did the boat earn its money in the morning.",
        "Far from being famous, the guide was unknown.",
        "Whoever believes in robbers believes a fairy tale.",
        "Only a fool would suppose that they had bet.",
        "None of the following holds: the park lent kangaroos.",
    ],
)
def test_ways_to_deny_a_whole_are_heard(answer: str) -> None:
    assert language.denies_whole(answer)
