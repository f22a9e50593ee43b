"""The self-test that every registered id must pass: which properties, in which of two tiers.

The properties themselves are functions in ``properties.py`` and ``determinism.py``.

Default tier: the cheap properties on every variant, the costly ones once a class, on its default variant. Thorough
tier: every property on every variant, with more seeds and all cases. The first id of a class answers for the class: its
other ids are checked by the cheap properties, on the default variant, or thoroughly on all.
"""

from __future__ import annotations

import functools
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import gymnasium as gym
import pettingzoo

from interactive_envs import catalog, making
from interactive_envs.agent import resolve_agent
from interactive_envs.evaluation.validate import determinism, properties
from interactive_envs.evaluation.validate.probing import FixedJudge, PropertyError, SkippedError, Subject, is_foreign
from interactive_envs.registration import APIS
from interactive_envs.seeds import canonical_json
from interactive_envs.system.workers import Processes

Property: TypeAlias = Callable[[Subject], None]
"""Raises PropertyError where it does not hold, SkippedError where it has no meaning."""


CHEAP: tuple[Property, ...] = (
    properties.official_checker,
    properties.official_checker_on_the_numeric_twin,
    properties.stable_baselines3_checker,
    properties.pettingzoo_checkers,
    properties.every_view_plays_the_same_game,
    properties.gym_make_by_id,
    properties.catalog_entry_is_right,
    properties.class_is_documented,
    properties.observations_are_text,
    properties.infos_are_fresh,
    properties.infos_are_documented,
    properties.validity_is_reported,
    properties.views_are_records,
    properties.observing_is_pure,
    properties.messages_are_numbered,
    properties.rewards_are_in_range,
    properties.ends_have_outcomes,
    properties.budget_is_spent_exactly,
    properties.hostile_players_end,
    properties.nothing_hidden_is_shown,
    properties.equal_views_equal_messages,
    properties.equal_views_equal_arrays,
    properties.numeric_twin_equals_text,
    properties.legal_actions_are_accepted,
    properties.cases_can_be_named,
    properties.reference_player_succeeds,
    determinism.same_seed_same_story,
    determinism.interleaved,
    determinism.global_randomness_is_left_alone,
    determinism.copies_continue_identically,
    determinism.record_replays,
)
"""Checked on every variant."""


COSTLY: tuple[Property, ...] = (
    determinism.reset_after_100_episodes,
    determinism.threaded,
    determinism.forked,
    determinism.fresh_process,
    determinism.no_network,
    determinism.no_heavy_imports,
    determinism.vector_environments,
    determinism.numeric_vector_environments,
)
"""Checked once a class, since most start processes."""


@dataclass(frozen=True)
class Finding:
    """Whether one property holds for one variant; ``problem`` says what was seen, or why it was skipped.

    What is skipped is ``ok``, but it was not seen to hold.
    """

    variant: str
    check: str
    ok: bool
    problem: str = ""
    skipped: bool = False


def validate(env_id: str, *, thorough: bool = False) -> Iterator[Finding]:
    """Check an id.

    Args:
        env_id: a registered id, or one of another package.
        thorough: the thorough tier.

    Raises:
        UnknownNameError: there is no such id.
    """
    entry = catalog.entry(env_id)
    leads = is_foreign(env_id) or env_id == next(
        i for i in catalog.ids() if catalog.entry(i)["entry_point"] == entry["entry_point"]
    )
    for variant in range(len(entry["variants"]) if leads or thorough else 1):
        full = leads and (thorough or variant == 0)
        subject = subject_of(env_id, variant, thorough=thorough and leads)
        yield from checks_of(subject, CHEAP + COSTLY if full else CHEAP)


def validate_all(
    env_ids: Sequence[str], *, thorough: bool = False, workers: int = 1
) -> Iterator[tuple[str, Iterable[Finding]]]:
    """Check ids, in their order, several at once where there are workers.

    Raises:
        ConfigError: a worker process died.
    """
    if workers == 1 or len(env_ids) == 1:
        yield from ((env_id, validate(env_id, thorough=thorough)) for env_id in env_ids)
        return
    check = functools.partial(_validated, thorough=thorough)
    with Processes(workers) as pool:
        yield from zip(env_ids, pool.map(check, env_ids), strict=True)


def _validated(env_id: str, thorough: bool) -> list[Finding]:
    return list(validate(env_id, thorough=thorough))


def subject_of(env_id: str, variant: int = 0, *, thorough: bool = False) -> Subject:
    """An id with the arguments of one of its variants."""
    entry = catalog.entry(env_id)
    arguments = dict(entry["variants"][variant])
    judged = arguments | ({"judge": FixedJudge()} if "judge" in entry["defaults"] else {})
    make: Callable[..., Any] = functools.partial(gym.make, f"interactive_envs:{env_id}")
    if is_foreign(env_id):
        make = functools.partial(making.make, env_id)
    reference = entry["references"][variant]
    seated = {name: value for name, value in arguments.items() if name not in ("opponents", "seat")}
    views = ("text", "numeric") if variant in entry["numeric_variants"] else ("text",)
    return Subject(
        make=functools.partial(make, **judged),
        plain=functools.partial(make, **arguments),
        env_id=env_id,
        arguments=arguments,
        numeric=functools.partial(make, view="numeric", **judged) if variant in entry["numeric_variants"] else None,
        tables=tuple(
            (api, view, functools.partial(pettingzoo.make, api, env_id, view=view, **seated))
            for api in APIS
            if api in entry["views"]
            for view in views
        ),
        reference=resolve_agent(reference, env_id) if reference else None,
        reward_range=tuple(entry["reward_range"]),
        seeds=20 if thorough else 3,
        cases=None if thorough else 12,
    )


def checks_of(subject: Subject, properties: Sequence[Property] = CHEAP + COSTLY) -> Iterator[Finding]:
    """Check any way to make an environment: one finding a property."""
    for holds in properties:
        problem, ok, skipped = "", True, False
        try:
            holds(subject)
        except SkippedError as why:
            problem, skipped = str(why), True
        except PropertyError as seen:
            problem, ok = str(seen), False
        except Exception as error:  # whatever an environment raises is a finding about it
            place = traceback.extract_tb(error.__traceback__)[-1]
            problem, ok = f"raised {error!r} in {Path(place.filename).name}, line {place.lineno}", False
        yield Finding(canonical_json(subject.arguments), holds.__name__.replace("_", " "), ok, problem, skipped)
