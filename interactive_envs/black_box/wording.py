"""The rules of black boxes in words: turns, retries, and the test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interactive_envs.black_box import code
from interactive_envs.black_box.base import answer_box, is_game
from interactive_envs.dialogue.task import Terms

if TYPE_CHECKING:
    from interactive_envs.black_box.rules import BoxCase, Mode

READY_TEXT = "<ready></ready>"


def about_turns(mode: Mode, case: BoxCase) -> str:
    """How long the exploration is."""
    sentences = []
    if is_game(case.box):
        many = f"{mode.turns} practice games" if mode.turns > 1 else "one practice game"
        sentences.append(f"First you may play {many}. {READY_TEXT} ends the practice early, also during a game.")
    else:
        turns = f"{mode.turns} turn{'s' if mode.turns > 1 else ''}"
        every = " and every ".join(f"<{tag}>" for tag in case.box.tags)
        sentences.append(
            f"First, explore. You have {turns}, and every {every} uses one, even if you have sent it before. "
            f"{READY_TEXT} ends the exploration early."
        )
    if mode.delayed:
        sentences.append("All replies come together, after your last turn.")
    if mode.turn_cost:
        what, lost = ("practice game", "games that you give up") if is_game(case.box) else ("turn", "lost turns")
        score = "score of its part" if len(case.trials) > 1 else "score"
        sentences.append(f"Each {what} that you use lowers the {score} by {mode.turn_cost:g}, {lost} too.")
    return " ".join(sentences)


def about_retries(mode: Mode, case: BoxCase, terms: Terms) -> str:
    """What a message costs that cannot be read."""
    tried = "attempt" if mode.shots > 1 else "question"
    if is_game(case.box):
        per, lost = "move", "ends the game, whose points so far count"
    elif mode.turns:
        per, lost = f"turn and per {tried}", f"uses up the turn, or the {tried}, which then scores 0"
    else:
        per, lost = tried, f"uses up the {tried}, which then scores 0"
    if not terms.retries:
        return f"A message that cannot be read, or that breaks these rules, {lost}."
    count = f"{terms.retries} {'retries' if terms.retries > 1 else 'retry'}"
    return (
        "A message that cannot be read, or that breaks these rules, is refused with the reason. "
        f"You have {count} per {per}. One more refused message {lost}."
    )


def about_test(mode: Mode, case: BoxCase) -> str:
    """What the test asks, and what it is worth."""
    box, trials = case.box, len(case.trials)
    several = not mode.code and mode.items > 1 and trials == 1
    if is_game(box):
        games = f"{mode.shots} games that count" if mode.shots > 1 else "one game that counts"
        seen = " There you see neither the opponent's moves nor your points."
        if mode.test_feedback:
            seen = " After each of its moves you are shown the same as in practice."
        mean = f" The score of the part is the mean of the {mode.shots} games." if mode.shots > 1 else ""
        sentences = [f"Then you play {games}.{seen} {box.examination()}{mean}"]
    elif mode.code:
        sentences = [f"Then comes the test: {code.question(answer_box(box))}"]
    elif trials > 1 or answer_box(box).trial_per_item:
        sentences = [f"Then you are asked one question. {box.examination()}"]
    else:
        count = "one question" if mode.items == 1 else f"up to {mode.items} questions, one per message"
        sentences = [
            f"Then you are tested: {count}, about what you have not asked (unless nothing else is left). "
            f"{box.examination()}"
        ]
    if not mode.code and not is_game(box):
        if not answer_box(box).partial_marks:
            sentences.append("A right answer scores 1, any other 0.")
        elif mode.exact:
            sentences.append("An answer that is only partly right counts as wrong.")
    sentences.append(_about_attempts(mode, is_game(box), several))
    if trials > 1:
        new = "game length, always against the same opponent" if is_game(box) else "hidden answer"
        sentences.append(
            f"There are {trials} such parts, each with another {new}. Each part begins with this text again, and "
            "nothing of the earlier parts is shown. Your score is the mean over the parts."
        )
    elif several:
        sentences.append("Your score is the mean over the questions.")
    return " ".join(filter(None, sentences))


def _about_attempts(mode: Mode, played: bool, several: bool) -> str:
    """What is said of attempts, of feedback, and of what is remembered from one question to the next."""
    sentences: list[str] = []
    each = "each question" if several else "the question"
    if mode.test_feedback and not played:
        sentences.append("After each answer you are told whether it was right.")
        if mode.shots > 1:
            sentences.append(f"You have {mode.shots} attempts at {each}; the best one counts.")
    elif not played:
        if mode.shots > 1:
            sentences.append(
                f"You give {mode.shots} answers to {each}, without being told whether one was right; the best one "
                "counts."
            )
        if several:
            sentences.append(
                "At each question you see your exploration, but no earlier questions, and you are not told whether "
                "your answers were right."
            )
    return " ".join(sentences)
