"""Accuracy corrected for a judge's errors, against simulations with known ones and formulas written anew."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

from interactive_envs.errors import ConfigError
from interactive_envs.reporting.correction import estimates as corrected
from interactive_envs.reporting.correction.estimates import JudgeErrors, Rate

Counts = list[list[list[int]]]
EXACT = JudgeErrors("j", "t", Rate(0.9, 0.0, 1000), Rate(0.8, 0.0, 1000), 1000)


def measured(rng: np.random.Generator, sensitivity: float, specificity: float, n: int) -> JudgeErrors:
    """Error rates as a check of ``n`` right and ``n`` wrong answers finds them, one of each per case."""
    right, wrong = rng.random(n) < sensitivity, rng.random(n) < specificity
    counts = [[[int(a), int(not a)], [int(not b), int(b)]] for a, b in zip(right, wrong, strict=True)]
    return corrected.of_counts("j", "t", np.array(counts, float))


def test_with_one_answer_an_episode_it_is_rogan_and_gladens_estimate() -> None:
    accepted = [1] * 40 + [0] * 60
    found = corrected.corrected(accepted, [1] * 100, range(100), EXACT)
    assert found.value == pytest.approx((0.40 + 0.8 - 1) / (0.9 + 0.8 - 1))
    assert found.low is not None
    assert found.high is not None
    assert found.low < found.value < found.high  # type: ignore[operator]
    assert found.n == 100


def test_several_answers_an_episode_give_a_judge_that_errs_several_chances_to_accept() -> None:
    """Of a thousand players without a right answer, three wrong ones each, many win and none should."""
    rng = np.random.default_rng(1)
    taken = rng.random((20_000, 3)) > 0.8
    won = taken.any(axis=1)
    given = np.where(won, taken.argmax(axis=1) + 1, 3)
    assert won.mean() > 0.45
    assert corrected.corrected(won, given, range(20_000), EXACT).value == pytest.approx(0, abs=0.02)


def test_the_interval_covers_the_truth_where_the_judges_rates_are_themselves_measured() -> None:
    rng, hits, runs = np.random.default_rng(7), 0, 400
    naive = 0
    for _ in range(runs):
        errors = measured(rng, 0.85, 0.9, 80)
        right = rng.random(150) < 0.4
        accepted = np.where(right, rng.random(150) < 0.85, rng.random(150) > 0.9)
        found = corrected.corrected(accepted, np.ones(150), range(150), errors)
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= 0.4 <= found.high
        sure = JudgeErrors(
            "j", "t", Rate(errors.sensitivity.value, 0, 1), Rate(errors.specificity.value, 0, 1), errors.cases
        )
        blind = corrected.corrected(accepted, np.ones(150), range(150), sure)
        naive += (blind.low or 0) <= 0.4 <= (blind.high or 0)
    assert 0.93 <= hits / runs <= 0.995
    assert naive < hits  # without the judge's own uncertainty the interval is too short


def test_the_interval_is_lang_and_reiczigels_up_to_their_shift() -> None:
    """Written anew from their paper: plus two for the judge's rates, plus z squared for the share accepted."""
    n, accepted, hits = 200, 90, (45, 38)
    errors = corrected.of_counts(
        "j",
        "t",
        np.array([[[int(k < hits[0]), int(k >= hits[0])], [int(k >= hits[1]), int(k < hits[1])]] for k in range(50)]),
    )
    z = norm.ppf(0.975)
    sensitivity, specificity = (hits[0] + 1) / 52, (hits[1] + 1) / 52
    share = (accepted + z * z / 2) / (n + z * z)
    spread = sensitivity + specificity - 1
    value = (accepted / n + specificity - 1) / spread
    variance = share * (1 - share) / (n + z * z)
    variance += value**2 * sensitivity * (1 - sensitivity) / 52
    variance += (1 - value) ** 2 * specificity * (1 - specificity) / 52
    half = z * variance**0.5 / spread
    found = corrected.corrected([1] * accepted + [0] * (n - accepted), [1] * n, range(n), errors)
    assert found.value == pytest.approx(value)
    assert found.high is not None
    assert found.high - value == pytest.approx(half, rel=0.05)  # Student's t for 50 labelled cases


def test_a_judge_that_guesses_corrects_nothing() -> None:
    guess = JudgeErrors("j", "t", Rate(0.5, 0.01, 50), Rate(0.55, 0.01, 50), 50)
    assert corrected.corrected([1, 0], [1, 1], [0, 1], guess).value is None
    assert corrected.corrected([], [], [], EXACT).value is None


def test_a_rate_of_few_answers_is_never_certain_and_cases_are_clustered() -> None:
    perfect = corrected.rate([5, 5], [5, 5])
    assert perfect.value == pytest.approx(11 / 12)
    assert perfect.variance == pytest.approx(11 / 12 * 1 / 12 / 12)
    # All of the one case and none of the other: two observations, not twenty.
    assert corrected.rate([10, 0], [10, 10]).variance == pytest.approx(2 * (5**2 + 5**2) / 20**2)


def test_errors_are_written_and_read_back(tmp_path: Path) -> None:
    counts: dict[str, list[list[int]]] = {"a": [[4, 1], [0, 5]], "b": [[3, 0], [1, 2]]}
    path = tmp_path / "judge.json"
    path.write_text(json.dumps(corrected.as_json("llm:x", "situation-puzzle", counts, {"model": "x"})))
    found = corrected.read(path)
    assert (found.judge, found.task, found.cases) == ("llm:x", "situation-puzzle", 2)
    assert found.described == {"model": "x"}
    assert found.sensitivity.value == pytest.approx((7 + 1) / (8 + 2))
    assert found.specificity.value == pytest.approx((7 + 1) / (8 + 2))


HEAD = {"schema": 1, "judge": "j", "task": "t", "described": {}}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ({}, "holds no errors of a judge"),
        ([1], "holds no errors of a judge"),
        (HEAD | {"schema": 9, "finals": []}, "has schema 9"),
        (HEAD | {"finals": "x"}, "holds no errors of a judge"),
        (
            HEAD | {"finals": []},
            "need verdicts on right and on wrong",
        ),
        (
            HEAD | {"finals": [[[1, 0], [0, 0]]]},
            "need verdicts on right and on wrong",
        ),
    ],
)
def test_a_file_that_holds_no_errors_says_so(tmp_path: Path, content: object, problem: str) -> None:
    path = tmp_path / "judge.json"
    path.write_text(json.dumps(content))
    with pytest.raises(ConfigError, match=problem):
        corrected.read(path)


RATES = [(0.95, 0.9), (0.8, 0.85), (0.7, 0.95)]


def panel(rng: np.random.Generator, n: int, share: float) -> tuple[np.ndarray, np.ndarray]:
    """Right answers, and the votes of three judges with :data:`RATES`."""
    right = rng.random(n) < share
    votes = [np.where(right, rng.random(n) < se, rng.random(n) > sp) for se, sp in RATES]
    return right, np.stack(votes, axis=1).astype(float)


def test_dawid_skene_finds_the_rates_of_three_voters_without_labels() -> None:
    right, votes = panel(np.random.default_rng(3), 20_000, 0.3)
    found = corrected.dawid_skene(votes)
    assert found.sensitivity == pytest.approx([se for se, _ in RATES], abs=0.02)
    assert found.specificity == pytest.approx([sp for _, sp in RATES], abs=0.02)
    assert found.right.mean() == pytest.approx(right.mean(), abs=0.01)


def test_dawid_skene_climbs_to_the_maximum_of_the_likelihood() -> None:
    """Against a general optimiser on the likelihood of the vote patterns, written down anew."""
    from scipy.optimize import minimize
    from scipy.special import expit

    _, votes = panel(np.random.default_rng(5), 3000, 0.4)

    def loss(x: np.ndarray) -> float:
        prior, se, sp = expit(x[0]), expit(x[1:4]), expit(x[4:])
        ours = prior * np.prod(np.where(votes == 1, se, 1 - se), axis=1)
        theirs = (1 - prior) * np.prod(np.where(votes == 1, 1 - sp, sp), axis=1)
        return -float(np.log(ours + theirs).sum())

    best = minimize(loss, np.array([0.0, 2, 2, 2, 2, 2, 2]), method="L-BFGS-B").x
    found = corrected.dawid_skene(votes)
    assert found.sensitivity == pytest.approx(expit(best[1:4]), abs=0.01)
    assert found.right.mean() == pytest.approx(expit(best[0]), abs=0.01)


def test_missing_votes_are_no_votes_and_two_voters_are_too_few() -> None:
    _, votes = panel(np.random.default_rng(4), 5000, 0.5)
    votes[np.random.default_rng(0).random(votes.shape) < 0.2] = np.nan
    assert corrected.dawid_skene(votes).specificity == pytest.approx([sp for _, sp in RATES], abs=0.05)
    with pytest.raises(ConfigError, match="at least 3 voters, got 2"):
        corrected.dawid_skene(votes[:, :2])


def test_accuracy_by_a_panels_votes_is_nearer_to_the_truth_than_its_majority() -> None:
    right, votes = panel(np.random.default_rng(6), 600, 0.2)
    found = corrected.by_votes([row[None, :] for row in votes] + [np.empty((0, 3))] * 100, range(700))
    truth, majority = right.sum() / 700, (votes.sum(axis=1) > 1.5).sum() / 700
    assert found.value is not None
    assert abs(found.value - truth) < abs(majority - truth)
    assert found.low is not None
    assert found.high is not None
    assert found.low <= truth <= found.high
    assert found.n == 700
    assert corrected.by_votes([], []).value is None
