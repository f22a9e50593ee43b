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


NEUTRAL = {
    "cracked": "The bell had cracked, so they rang the other one.",
    "had bet": "The sailor had bet his pay on the storm. But the harbour master knew, and he would have been paid.",
    "genius": "The clockmaker was a genius and hid a key in the pendulum.",
    "brilliant": "The brilliant light of the snow hid the signal.",
    "perfect": "Her copy of the seal was perfect, so nobody noticed.",
    "watertight": "The barrel was watertight, and the letters stayed dry.",
    "elegant": "An elegant stranger bought the last ticket.",
    "masterpiece": "The painting was a masterpiece hidden under whitewash.",
    "no doubt": "There was no doubt in his mind that the ice would hold.",
    "solved": "The widow solved crosswords to send messages to her son.",
    "correct": "The teller counted the correct change and so recognised the coin.",
    "system": "The warning system was switched off during the feast.",
    "judge": "The judge owed the farmer money and delayed the hearing.",
    "answer": "She waited for an answer to her letter every Monday.",
    "solution": "A solution of salt kept the ice from forming on the step.",
    "true": "He was true to his word and lit the lamp.",
    "false": "The cabinet had a false bottom with the will in it.",
    "wrong": "The porter took the wrong suitcase, and the thief followed it.",
    "opposite": "They lived on opposite banks and signalled with sheets.",
    "legend": "The legend on the map told him where the well was.",
    "suppose": "The guards were supposed to sleep, and the cook made sure of it.",
    "instead of": "He poured water instead of wine, and the guests stayed sober.",
    "without": "She crossed the border without her papers, sewn into the coat of a child.",
}


@pytest.mark.parametrize("word", NEUTRAL)
def test_a_word_that_may_praise_or_deny_just_means_what_it_says_in_a_story(word: str) -> None:
    assert language.praise(NEUTRAL[word]) == []
    assert not language.denies_whole(NEUTRAL[word])
