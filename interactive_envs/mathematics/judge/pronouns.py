"""``it``, ``this number``, ``x`` and the like, where they stand for the answer."""

from __future__ import annotations

from collections.abc import Sequence

from interactive_envs.mathematics.generators.base import ANSWER
from interactive_envs.mathematics.judge import lexicon, notation
from interactive_envs.mathematics.judge.naming import Names
from interactive_envs.mathematics.judge.notation import Token, UnreadableError
from interactive_envs.mathematics.judge.words import DECISIVE_STEMS, SMALL_STEMS, SOFT_STEMS, stem

_QUOTES = ('"', "'", "$")
_KNOWN_STEMS = SMALL_STEMS | SOFT_STEMS | DECISIVE_STEMS


def tokens_with_answer(names: Names, text: str) -> list[Token]:
    """Return a text's tokens without quotes, with ``answer`` for what stands for the answer.

    Raises:
        UnreadableError: the text has no tokens, or a letter that the problem's text uses for nothing and its derivation
            for a quantity.
    """
    tokens = [token for token in notation.tokens(text) if token.text not in _QUOTES]
    tokens = [Token("word", ANSWER, token.glued) if token.text == "ans" else token for token in tokens]
    if tokens and tokens[0].text in ("it's", "that's"):
        tokens[:1] = [Token("word", "it"), Token("word", "is")]
    return _replace_letter(names, _replace_pronoun(tokens))


def refers_to_answer(names: Names, text: str) -> bool:
    """Return whether a text says ``answer``, ``it``, ``x`` or the like for the answer."""
    return any(token.text == ANSWER for token in tokens_with_answer(names, text))


def stands_for_answer(text: str) -> bool:
    """Return whether ``it``, ``this number`` or the like in a text stands for the answer.

    Raises:
        UnreadableError: the text has no tokens.
    """
    tokens = [token for token in notation.tokens(text) if token.text not in _QUOTES]
    return any(token.text == ANSWER for token in _replace_pronoun(tokens))


def _replace_letter(names: Names, tokens: list[Token]) -> list[Token]:
    """Return the tokens with ``answer`` for the one letter that the problem uses for nothing."""
    letters = {token.text for at, token in enumerate(tokens) if _is_unknown(names, tokens, at)}
    if len(letters) != 1 or names.values[ANSWER].startswith(("{", "(")):
        return tokens
    letter = letters.pop()
    named = names.symbol(letter)
    if named and named != ANSWER and letter in lexicon.WANTED:
        raise UnreadableError(f"{letter} stands for nothing in the problem's text")
    if named or letter in names.vocabulary:
        return tokens
    return [Token("word", ANSWER, token.glued) if token.text == letter else token for token in tokens]


def _is_unknown(names: Names, tokens: Sequence[Token], at: int) -> bool:
    """Return whether a token is a letter that is in no word of the text, no axis and no function's argument."""
    token = tokens[at]
    if token.kind != "word" or token.text not in lexicon.UNKNOWNS or token.text in names.context:
        return False
    if at + 1 < len(tokens) and tokens[at + 1].text in ("component", "coordinate", "axis"):
        return False
    return not (at > 1 and tokens[at - 1].text == "(" and tokens[at - 1].glued and tokens[at - 2].kind == "word")


def _replace_pronoun(tokens: list[Token]) -> list[Token]:
    """Return the first ``it``, ``this`` or ``the number`` as ``answer``, if it could mean nothing before it."""
    begin, texts = 0, [token.text for token in tokens]
    while opening := next((one for one in lexicon.OPENINGS if tuple(texts[begin : begin + len(one)]) == one), None):
        begin += len(opening)
    for at, token in enumerate(tokens[begin:], start=begin):
        after = at + 1
        if token.text in ("this", "that", "the") and texts[after : after + 1] in (["number"], ["value"], ["quantity"]):
            after += 1
        elif token.text not in ("it", "this"):
            if token.kind == "word" and token.text not in lexicon.BEFORE_IT:
                return tokens
            continue
        if _means_answer(tokens, at, after):
            return [*tokens[:at], Token("word", ANSWER), *tokens[after:]]
        return tokens
    return tokens


def _means_answer(tokens: Sequence[Token], at: int, after: int) -> bool:
    """Return whether the pronoun from ``at`` to ``after`` can stand for a number: by the words around it."""
    verb = tokens[at - 1].text if at else ""
    acts = tokens[after : after + 1] and tokens[after].kind == "word" and tokens[after].text not in lexicon.SAID_OF_IT
    if acts and verb not in ("is", "isn't", "was", "divide", "divides", "of", "than"):
        return False
    alone = tokens[at].text == "it" or _stands_alone(tokens[after : after + 1])
    return alone and not _stands_for_clause(tokens[after:])


def _stands_alone(after: Sequence[Token]) -> bool:
    """Return whether what follows ``this`` is no noun that it points to."""
    if not after or after[0].kind != "word":
        return True
    if after[0].text in ("of", "at", "that", "which"):
        return False
    return stem(after[0].text) in _KNOWN_STEMS or after[0].text in lexicon.VERBS


def _stands_for_clause(after: Sequence[Token]) -> bool:
    """Return whether a clause follows that ``it`` stands for: ``true that``, ``possible to``."""
    texts = [token.text for token in after]
    begin = next((at for at, text in enumerate(texts) if text not in ("is", "was", "not", "the", "also", "be")), 0)
    if texts[begin : begin + 1] and texts[begin] in lexicon.EXTRAPOSED:
        return True
    opens = any(text == "to" and (not at or texts[at - 1] not in lexicon.BEFORE_TO) for at, text in enumerate(texts))
    return "that" in texts or opens
