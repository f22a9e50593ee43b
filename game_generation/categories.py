"""Group games by theme: candidate themes are proposed, assigned to rules texts, and the best few selected.

Source: gg-bench, section 3.2 and appendix D, which uses the framework of Wang, Shang and Zhong (2023). There, language
models propose the themes and assign them. Here, the themes are a fixed list (``data/themes.toml``), and sentence
embeddings assign them, so that a report can be repeated exactly and costs nothing. The selection is the same integer
linear program, which the paper solves with CBC and this module with HiGHS.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from interactive_envs.errors import ConfigError
from interactive_envs.llm.embeddings import embed

COUNT = 8
"""Themes that :func:`group` selects at most."""
MOST = 3
"""Themes that :func:`assign` considers per text."""
ROUNDING = 1e-9
"""A similarity exceeds the mean only by more than this: the mean of equal numbers may differ from them slightly."""


def themes() -> Mapping[str, str]:
    """Return the candidate themes: each name with a sentence about the core theme and the primary strategy."""
    return {name: theme["explanation"] for name, theme in _themes().items()}


def categories() -> Mapping[str, str]:
    """Return the broad category of each theme: number, board, card, chance or combat, as in gg-bench's table 2."""
    return {name: theme["category"] for name, theme in _themes().items()}


def fits(texts: Sequence[str], explanations: Sequence[str]) -> NDArray[np.float64]:
    """Return how well each explanation fits each text: the cosine similarity of their sentence embeddings.

    The embedding model reads only the first 256 tokens of a text.

    Returns:
        An array of shape ``(len(texts), len(explanations))``.

    Raises:
        MissingExtraError: the embedding model is not installed.
    """
    return embed(texts).astype(np.float64) @ embed(explanations).astype(np.float64).T


def assign(fit: NDArray[np.float64], most: int = MOST) -> NDArray[np.bool_]:
    """Decide which themes may explain which texts.

    A theme may explain a text if fewer than ``most`` themes fit the text better, and if its similarity to the text is
    above its own mean over all texts. The second condition keeps out themes that are close to every text. It also
    means that a single text has no theme, and that equal texts have none.

    >>> assign(np.array([[0.9, 0.5], [0.1, 0.6]]), most=1)
    array([[ True, False],
           [False,  True]])

    Args:
        fit: similarities, of shape ``(texts, themes)``.
        most: themes per text; more if some fit equally well.

    Returns:
        An array of the same shape.

    Raises:
        ConfigError: ``most`` is less than 1, or ``fit`` is not a table.
    """
    _at_least_one("most", most)
    _table("fit", fit)
    if not fit.size:
        return np.zeros(fit.shape, np.bool_)
    better = (fit[:, None, :] > fit[:, :, None]).sum(axis=2)
    result: NDArray[np.bool_] = (better < most) & (fit > fit.mean(axis=0) + ROUNDING)
    return result


def select(may: NDArray[np.bool_], fit: NDArray[np.float64], count: int) -> list[int | None]:
    """Select themes so that as few texts as possible remain without one, and give each text at most one of them.

    Among the selections that leave equally few texts without a theme, the one with the highest total similarity is
    taken. Of selected themes that fit a text equally well, the text gets the first.

    >>> select(np.array([[True, True], [False, True]]), np.array([[0.9, 0.5], [0.1, 0.6]]), count=1)
    [1, 1]
    >>> select(np.array([[True, True], [False, True]]), np.array([[0.9, 0.5], [0.1, 0.6]]), count=2)
    [0, 1]

    Args:
        may: which themes may explain which texts, of shape ``(texts, themes)``.
        fit: similarities, of the same shape.
        count: themes at most.

    Returns:
        For each text the index of its theme, or None.

    Raises:
        ConfigError: ``count`` is less than 1, or the shapes differ.
        RuntimeError: the solver found no optimum.
    """
    _at_least_one("count", count)
    _table("may", may)
    if may.shape != fit.shape:
        raise ConfigError(f"may has shape {may.shape} and fit {fit.shape}; they must be equal")
    pairs = np.argwhere(may)
    if not len(pairs):
        return [None] * len(may)
    chosen = np.flatnonzero(_optimum(pairs, fit, count))
    result: list[int | None] = []
    for row, allowed in zip(fit[:, chosen], may[:, chosen], strict=True):
        best = np.where(allowed, row, -np.inf).argmax()
        result.append(int(chosen[best]) if allowed.any() else None)
    return result


def group(texts: Sequence[str], count: int = COUNT) -> list[str | None]:
    """Name the theme of each text, with at most ``count`` different themes in all.

    A text has no theme if no selected theme may explain it (see :func:`assign`); a single text has none.

    Args:
        texts: rules of games.
        count: themes at most.

    Raises:
        ConfigError: ``count`` is less than 1.
        MissingExtraError: the embedding model is not installed.
    """
    _at_least_one("count", count)  # before the texts are embedded, which takes long
    candidates = themes()
    names = list(candidates)
    fit = fits(texts, list(candidates.values()))
    return [None if theme is None else names[theme] for theme in select(assign(fit), fit, count)]


def _optimum(pairs: NDArray[np.intp], fit: NDArray[np.float64], count: int) -> NDArray[np.bool_]:
    """Solve the integer linear program.

    The variables are s_k, whether theme k is selected, followed by x_ij for each allowed pair of a text and a theme,
    whether the theme covers the text. Only s_k is declared an integer. Once the themes are fixed, some best x_ij are
    whole numbers anyway, and the solver is several times as fast.

    Args:
        pairs: the allowed pairs of text and theme, at least one.
        fit: similarities, of shape ``(texts, themes)``.
        count: themes at most.

    Returns:
        Whether each theme is selected.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_array

    texts, themes = fit.shape
    total = themes + len(pairs)
    text, theme = pairs.T
    places, numbers = np.arange(themes, total), np.arange(len(pairs))
    # One row for the number of selected themes, one per text, and one per pair, which needs its theme selected.
    rows = np.concatenate([np.zeros(themes), 1 + text, 1 + texts + numbers, 1 + texts + numbers]).astype(np.int32)
    columns = np.concatenate([np.arange(themes), places, places, theme]).astype(np.int32)
    values = np.concatenate([np.ones(total), np.ones(len(pairs)), -np.ones(len(pairs))])
    matrix = coo_array((values, (rows, columns)), shape=(1 + texts + len(pairs), total)).tocsr()
    limits = np.concatenate([[count], np.ones(texts), np.zeros(len(pairs))])

    result = milp(
        np.concatenate([np.zeros(themes), -_worth(fit[text, theme], texts)]),
        integrality=np.arange(total) < themes,
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix, -np.inf, limits),
        options={"mip_rel_gap": 0.0},  # by default, a solution within 0.01 % counts as optimal, which ignores ties
    )
    if result.status != 0:
        raise RuntimeError(f"the selection of themes was not solved: {result.message}")
    selected: NDArray[np.bool_] = result.x[:themes] > 0.5
    return selected


def _worth(fit: NDArray[np.float64], texts: int) -> NDArray[np.float64]:
    """Return what it is worth to cover a text by each pair: the same for all, plus a small part for similarity.

    The parts for similarity lie between 0 and 1, so their sum over all texts is less than ``texts + 1``, which one
    more covered text is worth. Shifting and scaling them changes no order among selections that cover equally many.
    The covered text, not the similarity, is scaled up because the solver's absolute tolerance is fixed (1e-6).
    """
    least, spread = fit.min(), np.ptp(fit)
    result: NDArray[np.float64] = texts + 1 + (fit - least) / (spread if spread > 0 else 1.0)
    return result


def _themes() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(resources.files(__package__).joinpath("data", "themes.toml").read_text("utf-8"))


def _at_least_one(name: str, value: int) -> None:
    if value < 1:
        raise ConfigError(f"{name} must be at least 1, not {value}")


def _table(name: str, array: NDArray[np.bool_] | NDArray[np.float64]) -> None:
    if array.ndim != 2:
        raise ConfigError(f"{name} must have the shape (texts, themes), not {array.shape}")
