"""What every environment guarantees to whoever looks at it: one function a property, named and documented by it."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import functools
import importlib
import importlib.util
import inspect
import io
import itertools
import json
import math
import pickle
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.utils.env_checker import check_env

from interactive_envs import catalog
from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.dialogue.env import DialogueEnv
from interactive_envs.dialogue.handover import MAX_LISTED_ACTIONS
from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.validate.probing import (
    ODD,
    UNREADABLE,
    Dice,
    Moment,
    Player,
    PropertyError,
    SkippedError,
    Subject,
    again,
    episode,
    is_foreign,
    longest,
    need,
    no_warnings,
    odd_texts,
    same,
)
from interactive_envs.multiplayer.single_seat import SeatGame
from interactive_envs.outcome import Outcome
from interactive_envs.plain import PlainEnv
from interactive_envs.spaces import TextObservation
from interactive_envs.view import View
from interactive_envs.wrappers.numeric import drawn

CONTRACT = ("history", "action_examples", "grammar", "preface", "parts", "remember")
"""Keys that mean the same in every info, so that no class needs to name them."""


def official_checker(subject: Subject) -> None:
    """Gymnasium's own ``check_env`` accepts the bare environment without a word."""
    with subject.open() as env, no_warnings():
        check_env(env.unwrapped)


def official_checker_on_the_numeric_twin(subject: Subject) -> None:
    """Gymnasium's own ``check_env`` accepts the numeric twin."""
    with contextlib.closing(subject.twin()) as env, no_warnings():
        check_env(env)


def stable_baselines3_checker(subject: Subject) -> None:
    """Stable-Baselines3's own ``check_env`` accepts the numeric twin."""
    with contextlib.closing(subject.twin()) as env, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice on networks; what is wrong is raised
        if importlib.util.find_spec("stable_baselines3") is None:
            raise SkippedError("stable-baselines3 is not installed")
        importlib.import_module("stable_baselines3.common.env_checker").check_env(env)


def pettingzoo_checkers(subject: Subject) -> None:
    """PettingZoo's own ``api_test`` and ``seed_test`` accept every PettingZoo view of the id, text and numeric."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where its example games are installed, they warn of their age
        checks = importlib.import_module("pettingzoo.test")
    if not subject.tables:
        raise SkippedError("there is no PettingZoo view")
    for api, _, make in subject.tables:
        with no_warnings(), contextlib.redirect_stdout(io.StringIO()):
            if api == "aec":
                checks.api_test(make(), num_cycles=40)
                checks.seed_test(make, num_cycles=40)
            else:
                checks.parallel_api_test(make(), num_cycles=40)
                checks.parallel_seed_test(make, num_cycles=40)


def every_view_plays_the_same_game(subject: Subject) -> None:
    """What all seats say in a single-seat episode gives the same record in PettingZoo's views."""
    tables = [(api, make) for api, view, make in subject.tables if view == "text"]
    if not tables:
        raise SkippedError("there is no PettingZoo view")
    for api, make in tables:
        for seed in range(subject.seeds):
            with subject.open() as env:
                for _ in episode(env, Dice(seed), seed):
                    pass
                played, deals = env.unwrapped.record(), env.unwrapped.deals
            if deals > 1:
                continue  # the PettingZoo view plays the first deal, in which the seat had nothing to decide
            table, texts_given = make(), [(f"player_{text['seat']}", text["text"]) for text in played["texts"]]
            table.reset(seed=seed)
            (_say_in_turn if api == "aec" else _say_at_once)(table, texts_given)
            # What hangs on who the opponents are, such as regret, a view that is not told so leaves out.
            told = {name: value for name, value in table.record().items() if value is not None}
            same_part = {name: value for name, value in played["game"].items() if name in told}
            need(told == same_part, f"the {api} view has another record with seed {seed}")


def gym_make_by_id(subject: Subject) -> None:
    """``gym.make`` knows the id with and without its module; the default judge plays; copies bring their own."""
    if is_foreign(subject.env_id):
        raise SkippedError("the environment is of another package")
    for env_id in (subject.env_id, f"interactive_envs:{subject.env_id}"):
        with contextlib.closing(gym.make(env_id, **subject.arguments)) as env:
            for _ in itertools.islice(episode(env, Dice(0, odd=0.0), 0), 4):
                pickle.loads(pickle.dumps(env)).close()  # noqa: S301


def hostile_players_end(subject: Subject) -> None:
    """What is surely no action is marked so, with a reason, costs the budget, and never raises."""
    with subject.open() as env:
        for text in UNREADABLE:
            for moment in episode(env, _constant(text), 0):
                verdict = moment.info["valid"], moment.info["reason"]
                need(
                    moment.action is None or (verdict[0] is False and verdict[1]), f"{text[:40]!r} was taken: {verdict}"
                )
            ended = moment.info["outcome"]
            need(ended in _ends_of_silence(env.unwrapped), f"{text[:40]!r} until the end gave {ended!r}")
        for form, tag in itertools.product(range(len(ODD)), range(2)):
            for _ in episode(env, functools.partial(_odd, form, tag), 0):
                pass


def validity_is_reported(subject: Subject) -> None:
    """Every info says whether the action was read, and why not where it was not."""
    for _, moment in subject.moments():
        valid, reason = moment.info["valid"], moment.info["reason"]
        right = reason is None if valid else bool(reason and isinstance(reason, str))
        need(type(valid) is bool and right, f"{valid=} with {reason=}")


def observations_are_text(subject: Subject) -> None:
    """Every observation is a ``TextObservation`` inside the space."""
    for env, moment in subject.moments():
        seen = moment.observation
        need(type(seen) is TextObservation, f"an observation is a {type(seen).__name__} after {moment.action!r:.60}")
        need(seen in env.observation_space, f"an observation of {len(seen)} characters is outside the space")


def infos_are_fresh(subject: Subject) -> None:
    """A player that empties every info it is given changes nothing."""
    for seed in range(subject.seeds):
        lines, player = [], Dice(seed)
        with subject.open() as env:
            for number in range(2):
                for moment in episode(env, player, None if number else seed):
                    lines.append(moment.line)
                    for value in (*moment.info.values(), moment.info):
                        if isinstance(value, list | dict):
                            value.clear()
        same("infos left alone and infos emptied", subject.alone(seed), lines)


def infos_are_documented(subject: Subject) -> None:
    """Every key of an info is named in the docstring of the class or of one it extends: nothing else is slipped in."""
    for env, moment in subject.moments():
        named = " ".join(inspect.getdoc(cls) or "" for cls in type(env).__mro__)
        unnamed = [key for key in moment.info if key not in CONTRACT and f"``{key}``" not in named]
        need(not unnamed, f"info has {', '.join(unnamed)}, which the docstring does not name")


def views_are_records(subject: Subject) -> None:
    """The View is a frozen, hashable record of JSON values, and computing it changes nothing."""
    for env, moment in subject.moments():
        view = moment.info["view"]
        frozen = isinstance(view, View) and view.__dataclass_params__.frozen  # type: ignore[attr-defined]
        need(frozen, f"{type(view).__name__} is not a frozen View")
        need(env.view() == view and hash(env.view()) == hash(view), "view() differs from info['view']")
        need(json.loads(json.dumps(view.as_json())) == view.as_json(), "as_json() does not survive JSON")


def observing_is_pure(subject: Subject) -> None:
    """``observe``, ``view_text`` and ``legal_actions`` may be called at any time without a trace."""
    for env, moment in subject.moments():
        before = copy.deepcopy(env.np_random.bit_generator.state), env.view()
        seen = [(env.observe(), env.view_text(), env.legal_actions()) for _ in range(2)]
        need(seen[0] == seen[1] and seen[0][0] == moment.observation, "observe() is not the last message, or changes")
        need(before == (env.np_random.bit_generator.state, env.view()), "looking changed the state")


def messages_are_numbered(subject: Subject) -> None:
    """``message_range`` begins at 0 with each episode and leaves no gap."""
    end = 0
    for _, moment in subject.moments():
        start, stop = moment.info["message_range"]
        expected = 0 if moment.action is None else end
        need(start == expected and stop >= start, f"message_range {(start, stop)} where {expected} is next")
        end = stop


def rewards_are_in_range(subject: Subject) -> None:
    """Rewards are finite numbers, and each return lies in the declared range; the random player's too."""
    low, high = subject.reward_range
    with subject.open() as env:
        for seed, player in itertools.product(range(4 * subject.seeds), (Dice, _random_agent)):
            rewards = [moment.reward for moment in episode(env, player(seed), seed)]
            finite = all(isinstance(reward, float | int) and math.isfinite(reward) for reward in rewards)
            need(finite and low <= sum(rewards) <= high, f"return of {rewards} is not in {low:g} to {high:g}")


def ends_have_outcomes(subject: Subject) -> None:
    """An outcome comes with the end and only then, nothing truncates, and a step after the end raises."""
    for env, moment in subject.moments():
        need(type(moment.terminated) is bool and moment.truncated is False, f"truncated is {moment.truncated!r}")
        outcome = moment.info.get("outcome")
        need((outcome in list(Outcome)) is moment.over, f"outcome {outcome!r} where terminated={moment.terminated}")
        if moment.over:
            with contextlib.suppress(gym.error.ResetNeeded):
                env.step("")
                raise PropertyError("a step after the end is taken")


def budget_is_spent_exactly(subject: Subject) -> None:
    """A player of a dialogue that only asks has as many questions as the budget says, then is timed out."""

    def ask(env: Any, info: Mapping[str, Any]) -> str:
        task = env.unwrapped.task
        if not info["view"].queries_allowed:
            return ""
        texts = [*info.get("legal_actions", ()), *task.action_examples]
        return str(next(text for text in texts if text.startswith(tuple(f"<{tag}>" for tag in task.query_tags))))

    with subject.open() as env:
        if not isinstance(env.unwrapped, DialogueEnv):
            raise SkippedError("it is no dialogue")
        moments, protocol = list(episode(env, ask, 0)), env.unwrapped.protocol
        spent, allowed = protocol.spent_on_queries(env.unwrapped.state)
        need(spent == allowed, f"{spent} questions in {allowed} rounds")
        outcome = moments[-1].info["outcome"]
        need(outcome in protocol.ends_of_asking, f"the spent budget ended with {outcome!r}")


def nothing_hidden_is_shown(subject: Subject) -> None:
    """Before the end no secret of the task occurs anywhere; the case's id and title occur in no message at all."""
    for env, moment in subject.moments():
        if not isinstance(env, DialogueEnv | SeatGame):
            raise SkippedError("it has no list of secrets; its Views are checked instead")
        messages = [moment.observation, env.view_text()]
        for name in (env.case_id, env.case_title) if isinstance(env, DialogueEnv) else ():
            named_in_text = len(name) > 3 and any(
                re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for text in messages
            )
            need(not named_in_text, f"the case's name {name!r} is in a message")
        if not moment.over:
            need("solution" not in moment.info and "case" not in moment.info, "info tells the case before the end")
            shown = [f" {_words(text)} " for text in (*messages, repr(moment.info), *_texts(moment.info))]
            for secret in env.secrets():
                need(not any(f" {_words(secret)} " in text for text in shown), f"told before the end: {secret!r}")


def equal_views_equal_messages(subject: Subject) -> None:
    """Two states with equal Views give byte-identical messages and infos: nothing else reaches the player."""
    _views_decide(subject, subject.make)


def equal_views_equal_arrays(subject: Subject) -> None:
    """Two states with equal Views give byte-identical arrays."""
    _views_decide(subject, subject.twin)


def cases_can_be_named(subject: Subject) -> None:
    """Cases have distinct ids, and ``reset(options={"case": id})`` plays the one named."""
    with subject.open() as env:
        cases = env.unwrapped.cases
        if cases is None:
            raise SkippedError("cases are generated without end")
        need(len(set(cases)) == len(cases) > 0, "case ids repeat, or there are none")
        for case in cases[: subject.cases]:
            env.reset(seed=0, options={"case": case})
            need(env.unwrapped.case_id == case, f"case {case!r} was asked for, {env.unwrapped.case_id!r} is played")


def legal_actions_are_accepted(subject: Subject) -> None:
    """Every listed action is read as valid, and infos list them where there are at most 256."""
    with subject.open() as env, subject.open() as other:
        for seed in range(subject.seeds):
            taken: list[Any] = []
            for moment in episode(env, Dice(seed, odd=0.0), seed):
                taken += [] if moment.action is None else [moment.action]
                legal, listed = env.unwrapped.legal_actions(), moment.info.get("legal_actions")
                short = legal is not None and len(legal) <= MAX_LISTED_ACTIONS
                need(listed == (legal if short else None), "info['legal_actions'] is not legal_actions()")
                if legal is None:
                    raise SkippedError("actions cannot be listed")
                need(len(set(legal)) == len(legal), "a legal action is listed twice")
                for action in legal[:: 1 + len(legal) // 64] if len(taken) < 3 else []:
                    info = again(other, seed, [*taken, action])[-1]
                    need(info["valid"] is True, f"listed action {action!r} is refused: {info['reason']}")


def reference_player_succeeds(subject: Subject) -> None:
    """The player that the unit names succeeds in at least 95 % of the cases."""
    if subject.reference is None:
        raise SkippedError("the unit names no reference player here")
    with subject.open() as env:
        cases, lost = (env.unwrapped.cases or (None,) * 12)[: subject.cases], []
        for seed, case in enumerate(cases):
            with contextlib.closing(subject.reference()) as agent:
                observation, info = env.reset(seed=seed, options={"case": case} if case else None)
                agent.reset(seed=seed, info=info)
                for _ in range(longest(env)):
                    if "outcome" in info:
                        break
                    observation, _, _, _, info = env.step(agent.act(observation, info))
            lost += [] if info.get("outcome") == Outcome.SUCCESS else [case or f"seed {seed}"]
    need(len(lost) <= 0.05 * len(cases), f"it loses {len(lost)} of {len(cases)}: {', '.join(lost[:5])}")


def numeric_twin_equals_text(subject: Subject) -> None:
    """An action and the text it decodes to do the same; what the mask allows is legal, in a fresh array."""
    with contextlib.closing(subject.twin()) as twin, subject.open() as text:
        masks, space = twin.get_wrapper_attr("action_masks"), twin.action_space
        size = int(space.n) if isinstance(space, Discrete) else int(space.nvec.sum())
        for seed in range(subject.seeds):
            draw = np.random.default_rng(seed)
            (array, info), (words, other_info) = twin.reset(seed=seed), text.reset(seed=seed)
            one, other = [0.0, False, False], [0.0, False, False]
            for _ in range(longest(text) + 1):
                need(
                    one == other and info["view"] == other_info["view"] and info["text"] == words,
                    "twin and text differ",
                )
                need(array in twin.observation_space, "an array is outside its Box")
                mask, spoilt = masks().copy(), masks()
                spoilt[:] = info["action_mask"][:] = 7
                right = mask.dtype == np.int8 and mask.shape == (size,)
                need(right and (masks() == mask).all(), f"the mask is no fresh int8 array of {size}")
                if isinstance(space, Discrete):
                    _check_menu(twin, mask, text.unwrapped.legal_actions())
                if one[1]:
                    break
                allowed = draw.random() < 0.9
                action = drawn(space, mask, draw) if allowed else drawn(space, np.ones(size, np.int8), draw)
                meant = twin.get_wrapper_attr("decode")(action)
                array, *one, info = twin.step(action)
                words, *other, other_info = text.step(meant)
                need(meant and info["valid"] if allowed else bool(meant) or not info["valid"], "the mask is wrong")


def _check_menu(twin: Any, mask: Any, legal: Sequence[str] | None) -> None:
    meant = [twin.get_wrapper_attr("decode")(index) for index in range(len(mask))]
    playable = [action for action, allowed in zip(meant, mask, strict=True) if allowed]
    need("" not in playable and len(set(playable)) == len(playable), "two indices mean the same or nothing")
    need(legal is None or set(playable) == set(legal), "the mask does not match legal_actions()")


def class_is_documented(subject: Subject) -> None:
    """The class docstring has its five lines, and a version history."""
    with subject.open() as env:
        text = inspect.getdoc(type(env.unwrapped)) or ""
    wanted = ("Observation", "Action", "Reward", "Ends", "Info", "Version history")
    lacking = [name for name in wanted if not re.search(rf"^{name}: \S", text, re.MULTILINE)]
    need(not lacking, f"the class docstring lacks {', '.join(lacking)}")


def catalog_entry_is_right(subject: Subject) -> None:
    """The committed catalog says what the class declares; ranges, variants and players in it can be used."""
    with subject.open() as env:
        if isinstance(env.unwrapped, PlainEnv):
            raise SkippedError("a plain environment declares nothing")
        unit, entry = env.unwrapped.unit, catalog.entry(subject.env_id)
        documented = (inspect.getdoc(env.unwrapped) or "").partition("\n")[0]
    declared = json.loads(json.dumps(dataclasses.asdict(unit))) | {"summary": unit.summary or documented}
    wrong = [name for name in declared if name != "id" and declared[name] != entry.get(name)]
    if not is_foreign(subject.env_id):
        need(unit.id == subject.env_id and not wrong, f"catalog.json differs in {wrong or unit.id}; make catalog")
    low, high = unit.reward_range
    need(math.isfinite(low) and math.isfinite(high) and low < high, f"reward_range is {unit.reward_range}")
    count = len(unit.variants)
    need(len(unit.references) == count > 0, f"{count} variants, {len(unit.references)} references")
    need(all(0 <= number < count for number in unit.numeric_variants), "numeric_variants names no variant")
    need(("numeric" in unit.views) == (0 in unit.numeric_variants), "views and numeric_variants disagree")
    for name in filter(None, unit.references):
        resolve_agent(name, subject.env_id)


def _views_decide(subject: Subject, make: Callable[[], Any]) -> None:
    draw = np.random.default_rng(0)
    with contextlib.closing(make()) as env, contextlib.closing(make()) as twin:
        if not hasattr(env.unwrapped, "resample"):
            raise SkippedError("its Views cannot be resampled")
        for seed in range(2 * subject.seeds):
            walk = [(moment, _looks(env)) for moment in episode(env, Dice(seed), seed)]
            actions = [moment.action for moment, _ in walk[1:]]
            for now, ((_, look), (then, _)) in enumerate(itertools.pairwise(walk)):
                again(twin, seed, actions[:now])
                try:
                    twin.unwrapped.resample(look[0], draw)
                except ConfigError:
                    raise SkippedError("its Views cannot be resampled") from None
                need(_looks(twin)[0] == look[0], f"view(resample(view)) is another View after {actions[:now]!r:.80}")
                need(_looks(twin) == look, f"equal Views look different after {actions[:now]!r:.80}")
                other = Moment(then.action, *twin.step(then.action))
                # What a step that is to be forgotten has paid is no part of the View after it.
                comparable = not (then.over or other.over or "remember" in then.info)
                if comparable and other.info["view"] == then.info["view"]:
                    same(f"two states with one View, after {actions[:now]!r:.80},", [then.line], [other.line])


def _say_in_turn(table: Any, texts_given: Sequence[tuple[str, str]]) -> None:
    for agent, text in texts_given:
        need(table.agent_selection == agent and not table.terminations[agent], f"it is not {agent}'s turn")
        table.step(text)
    need(all(table.terminations.values()), "the aec view goes on after the single-seat view has ended")


def _say_at_once(table: Any, texts_given: Sequence[tuple[str, str]]) -> None:
    queue, infos = list(texts_given), {agent: {"waiting": False} for agent in table.agents}
    while table.agents:
        # What is not played waits, so each agent says the first of its own that is still to come.
        texts = {agent: next((text for name, text in queue if name == agent), "") for agent in table.agents}
        *_, infos = table.step(texts)
        for agent in [agent for agent in texts if not infos[agent]["waiting"]]:
            queue.remove((agent, texts[agent]))
    need(not queue, "the parallel view is over before the single-seat view")


def _looks(env: Any) -> tuple[Any, ...]:
    return env.unwrapped.view(), env.unwrapped.view_text(), env.unwrapped.legal_actions()


def _constant(text: str) -> Player:
    return lambda *_: text


def _odd(form: int, tag: int, _: Any, info: Mapping[str, Any]) -> str:
    return odd_texts(info, tag)[form]


def _random_agent(seed: int) -> Player:
    agents: list[Agent] = []

    def play(_: Any, info: Mapping[str, Any]) -> str:
        if not agents:  # the first info is that of reset
            agents.append(resolve_agent("random")())
            agents[0].reset(seed=seed, info=info)
        return agents[0].act("", info)

    return play


def _ends_of_silence(env: Any) -> tuple[Outcome, ...]:
    if isinstance(env, SeatGame):
        return (Outcome.FORFEIT if env.on_invalid == "forfeit" else Outcome.SCORED,)
    if isinstance(env, DialogueEnv):
        return env.protocol.ends_of_silence
    return (Outcome.TIMEOUT, Outcome.FORMAT_ERROR, Outcome.FORFEIT)


def _texts(value: Any) -> Iterator[str]:
    """Every string inside a nested value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | View):
        yield from _texts(list(value.values() if isinstance(value, Mapping) else value.as_json().values()))
    elif isinstance(value, list | tuple | set | frozenset):
        yield from itertools.chain.from_iterable(map(_texts, value))


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
