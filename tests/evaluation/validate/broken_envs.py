"""Situation puzzles, each broken in one way; importable, so that other processes can make them too."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import os
import random
import socket
import sys
import threading
import time
import types
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np

from interactive_envs.catalog.unit import Unit
from interactive_envs.dialogue.protocol import Rounds
from interactive_envs.dialogue.view import DialogueView
from interactive_envs.multiplayer.pettingzoo import AECGame, ParallelGame
from interactive_envs.situation_puzzle.env import SituationPuzzleEnv
from interactive_envs.spaces import TextObservation, TextSpace
from interactive_envs.view import View
from interactive_envs.wrappers.numeric import NumericView

Result = tuple[Any, Any, Any, Any, dict[str, Any]]


class ForgetsTheInfos(ParallelGame):
    def step(self, actions: dict[str, Any]) -> Any:
        observations, rewards, over, truncated, _ = super().step(actions)
        return observations, rewards, over, truncated, {}


class DealsAnewEachTime(AECGame):
    seeds = itertools.count()  # not the clock, which now and then deals two games that look alike

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(next(self.seeds), options)


class StopsEarly(ParallelGame):
    def step(self, actions: dict[str, Any]) -> Any:
        result = super().step(actions)
        self.agents = []
        return result


class Touched(SituationPuzzleEnv):
    # Passes every result of reset and step through touch.
    __doc__ = SituationPuzzleEnv.__doc__

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        observation, info = super().reset(seed=seed, options=options)
        observation, *_, info = self.touch(observation, 0.0, False, False, info)
        return observation, info

    def step(self, action: str) -> Any:
        return self.touch(*super().step(action))

    def touch(self, observation: Any, reward: Any, over: Any, truncated: Any, info: dict[str, Any]) -> Result:
        return observation, reward, over, truncated, info

    @staticmethod
    def said(observation: str, more: object) -> TextObservation:
        return TextObservation(f"{observation} {more}")


class IgnoresSeed(SituationPuzzleEnv):
    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        return super().reset(seed=None if seed is None else 1 + seed % 2**31 + time.perf_counter_ns(), options=options)


class Warns(SituationPuzzleEnv):
    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        gym.logger.warn("this environment is deprecated")
        return super().reset(seed=seed, options=options)


class Undocumented(SituationPuzzleEnv):
    """Find the hidden explanation."""


class OtherUnit(SituationPuzzleEnv):
    unit: ClassVar[Unit] = Unit("ibench/SituationPuzzle-v1", "situation-puzzle", reward_range=(0.0, 2.0))


class PlainText(Touched):
    def touch(self, observation: Any, *rest: Any) -> Result:
        return (str(observation), *rest)  # type: ignore[return-value]


class TooLong(SituationPuzzleEnv):
    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.observation_space = TextSpace(50)


class BuiltInText(SituationPuzzleEnv):
    """Its space is the one that loses text in shared memory."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.observation_space = gym.spaces.Text(200_000)  # type: ignore[assignment]


class KeepsItsInfo(SituationPuzzleEnv):
    """Plays from the very list that it hands out."""

    def legal_actions(self) -> list[str] | None:
        if self.__dict__.get("_kept_for") is not self.state.case:
            self._kept_for, self._kept = self.state.case, super().legal_actions()
        return self._kept


class SlipsIn(Touched):
    def touch(self, observation: Any, reward: Any, over: Any, truncated: Any, info: dict[str, Any]) -> Result:
        return observation, reward, over, truncated, info | {"index": self.state.task_state.right}


class GivesNoReason(Touched):
    def touch(self, observation: Any, reward: Any, over: Any, truncated: Any, info: dict[str, Any]) -> Result:
        return observation, reward, over, truncated, info | {"reason": None}


class ViewCanChange(Touched):
    def touch(self, observation: Any, reward: Any, over: Any, truncated: Any, info: dict[str, Any]) -> Result:
        return observation, reward, over, truncated, info | {"view": types.SimpleNamespace(**vars(info["view"]))}


class ViewIsAChange(SituationPuzzleEnv):
    """Every View says how often it was asked for."""

    def view(self, seat: int = 0) -> DialogueView:
        self._looks = self.__dict__.get("_looks", 0) + 1
        view = super().view()
        object.__setattr__(view, "budget", self._looks)
        return view


class DrawsToObserve(SituationPuzzleEnv):
    def view_text(self, seat: int = 0) -> str:
        self.np_random.random()
        return super().view_text()


class CountsLooks(SituationPuzzleEnv):
    def observe(self, seat: int = 0) -> TextObservation:
        self._looks = self.__dict__.get("_looks", 0) + 1
        return TextObservation(f"{super().observe()} {self._looks}")


class SkipsMessages(SituationPuzzleEnv):
    def _say(self, words: str) -> TextObservation:
        self._messages += 1
        return super()._say(words)


class NotANumber(Touched):
    def touch(self, observation: Any, reward: Any, *rest: Any) -> Result:
        return observation, float("nan"), *rest  # type: ignore[return-value]


class PaysForQuestions(Touched):
    def touch(self, observation: Any, reward: Any, *rest: Any) -> Result:
        return observation, reward + 0.5, *rest  # type: ignore[return-value]


class Truncates(Touched):
    def touch(self, observation: Any, reward: Any, over: Any, truncated: Any, info: dict[str, Any]) -> Result:
        return observation, reward, over, over, info


class NoOutcome(Touched):
    def touch(self, observation: Any, reward: Any, over: Any, truncated: Any, info: dict[str, Any]) -> Result:
        info.pop("outcome", None)
        return observation, reward, over, truncated, info


class GoesOn(Touched):
    """Takes a step after the end."""

    def step(self, action: str) -> Any:
        if self.state.outcome is not None:
            return self.observe(), 0.0, True, False, {}
        return super().step(action)


class FreeFirstRound(Rounds[Any, Any]):
    def spend_round(self, state: Any) -> Any:
        return self.next_round(state) if len(state.exchanges) == 1 else super().spend_round(state)


class FreeRounds(Rounds[Any, Any]):
    def spend_round(self, state: Any) -> Any:
        return self.next_round(state)


class FreeFirstQuestion(SituationPuzzleEnv):
    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.protocol = FreeFirstRound(self.task, self.terms)


class Endless(SituationPuzzleEnv):
    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.protocol = FreeRounds(self.task, self.terms)


class RaisesOnSurrogates(SituationPuzzleEnv):
    def submit(self, action: str) -> Any:
        action.encode()
        return super().submit(action)


class TakesSilence(SituationPuzzleEnv):
    def submit(self, action: str) -> Any:
        return super().submit(action if action.strip() else "<ask>1</ask>")


class TellsTheSolution(Touched):
    def touch(self, observation: Any, *rest: Any) -> Result:
        sentence = self.task.secrets(self.state.task_state)[0]
        return self.said(observation, sentence.upper().replace(" ", "\n")), *rest  # type: ignore[return-value]


class TellsTheVerdict(SituationPuzzleEnv):
    """Puts all that the judge said into the info."""

    def resolve(self, verdict: Any = None) -> Any:
        *rest, info = super().resolve(verdict)
        return *rest, info | {"reason": verdict.detail if verdict else None}


class TellsTheId(Touched):
    def touch(self, observation: Any, *rest: Any) -> Result:
        return self.said(observation, self.case_id), *rest  # type: ignore[return-value]


class TellsTheTitle(SituationPuzzleEnv):
    def view_text(self, seat: int = 0) -> str:
        return f"{self.state.case.title}\n{super().view_text()}"


class HintsInTheInfo(Touched):
    def touch(self, observation: Any, reward: Any, over: Any, truncated: Any, info: dict[str, Any]) -> Result:
        left = info["rounds_left"] + 100 * self.state.task_state.right
        return observation, reward, over, truncated, info | {"rounds_left": left}


class ResamplesAnotherView(SituationPuzzleEnv):
    def resample(self, view: DialogueView, rng: np.random.Generator) -> None:
        super().resample(view, rng)
        self._state = self.state.__class__(self.state.case, self.state.task_state, 3, 0)


class PeeksInArrays(NumericView):
    """Marks the right candidate in the array."""

    def _encoded(self, text: str, info: dict[str, Any]) -> Any:
        array, info = super()._encoded(text, info)
        array[-1] = self.env.get_wrapper_attr("state").task_state.right / 12
        return array, info


class DecodesAnother(NumericView):
    def decode(self, index: int) -> str:
        return super().decode(index - 1 if index == 1 else index)


class WideMask(NumericView):
    def action_masks(self) -> Any:
        return super().action_masks().astype(np.int64)


class SharedMask(NumericView):
    def action_masks(self) -> Any:
        self._mask: Any = self.__dict__.get("_mask", super().action_masks())
        return self._mask


class OutsideTheBox(NumericView):
    def _encoded(self, text: str, info: dict[str, Any]) -> Any:
        array, info = super()._encoded(text, info)
        return array + 2, info


class OtherArraysElsewhere(NumericView):
    def _encoded(self, text: str, info: dict[str, Any]) -> Any:
        array, info = super()._encoded(text, info)
        array[-1] = os.getpid() % 999 / 999
        return array, info


class IgnoresTheCase(SituationPuzzleEnv):
    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        return super().reset(seed=seed)


class ListsTooMuch(SituationPuzzleEnv):
    def legal_actions(self) -> list[str] | None:
        legal = super().legal_actions()
        return None if legal is None else [*legal, "<ask>400</ask>"]


class ListsNothingInInfo(Touched):
    def touch(self, observation: Any, reward: Any, over: Any, truncated: Any, info: dict[str, Any]) -> Result:
        info.pop("legal_actions", None)
        return observation, reward, over, truncated, info


class OwnDice(Touched):
    def touch(self, observation: Any, *rest: Any) -> Result:
        return self.said(observation, np.random.default_rng().random()), *rest  # type: ignore[return-value]


class SharedCounter(Touched):
    """Counts steps since the last reset for all environments together."""

    steps = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        SharedCounter.steps = 0
        return super().reset(seed=seed, options=options)

    def touch(self, observation: Any, *rest: Any) -> Result:
        SharedCounter.steps += 1
        return self.said(observation, self.steps), *rest  # type: ignore[return-value]


class SharedScratch(SituationPuzzleEnv):
    """Leaves the action on a shared table for a moment."""

    table = ""

    def submit(self, action: str) -> Any:
        SharedScratch.table = action
        time.sleep(0.002)
        return super().submit(SharedScratch.table)


class ThreadBound(SituationPuzzleEnv):
    """Works in the thread that made it only."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._home = threading.get_ident()

    def submit(self, action: str) -> Any:
        if threading.get_ident() != self._home:
            raise RuntimeError("this object belongs to another thread")
        return super().submit(action)


class KnowsItsProcess(Touched):
    def touch(self, observation: Any, *rest: Any) -> Result:
        return self.said(observation, os.getpid()), *rest  # type: ignore[return-value]


class HashOrder(Touched):
    def touch(self, observation: Any, *rest: Any) -> Result:
        return self.said(observation, " ".join({f"word{n}" for n in range(30)})), *rest  # type: ignore[return-value]


class PhonesHome(SituationPuzzleEnv):
    """Hides the refusal, as a client that retries later would."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as phone, contextlib.suppress(OSError):
            phone.connect(("192.0.2.1", 9))
        return super().reset(seed=seed, options=options)


class LooksUpAName(SituationPuzzleEnv):
    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        with contextlib.suppress(OSError):
            socket.getaddrinfo("scores.example", 443)
        return super().reset(seed=seed, options=options)


class TalksToItself(SituationPuzzleEnv):
    """Loopback is allowed."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as phone:
            phone.connect(("127.0.0.1", 9))
        return super().reset(seed=seed, options=options)


class ScoresSomeEpisodes(Touched):
    """A vector of environments keeps the None of one beside the names of the other, under its number."""

    def touch(self, observation: Any, reward: Any, over: Any, truncated: Any, info: dict[str, Any]) -> Result:
        return observation, reward, over, truncated, info | {"scores": None if self.np_random_seed else {"layout": 7}}


class ImportsTorch(SituationPuzzleEnv):
    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        sys.modules["torch"] = types.ModuleType("torch")
        return super().reset(seed=seed, options=options)


class DiesElsewhere(SituationPuzzleEnv):
    home = os.getpid()

    def step(self, action: str) -> Any:
        if os.getpid() != self.home:
            os._exit(3)
        return super().step(action)


class RefusesThisHashSeed(SituationPuzzleEnv):
    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        if os.environ.get("PYTHONHASHSEED") == "4321":
            raise RuntimeError("not under this hash seed")


class Ages(Touched):
    """Another text from the fiftieth episode on."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        self._episodes = self.__dict__.get("_episodes", 0) + 1
        return super().reset(seed=seed, options=options)

    def touch(self, observation: Any, *rest: Any) -> Result:
        return self.said(observation, "again" if self._episodes > 50 else "now"), *rest  # type: ignore[return-value]


class ReadsGlobalRandom(Touched):
    def touch(self, observation: Any, *rest: Any) -> Result:
        return self.said(observation, random.getstate()[1][1]), *rest  # type: ignore[return-value]


class DrawsFromGlobalRandom(Touched):
    def touch(self, *result: Any) -> Result:
        np.random.random()
        return result  # type: ignore[return-value]


class ForgetsWhenPickled(SituationPuzzleEnv):
    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_np_random": np.random.default_rng(1)}


class SharesWhenCopied(SituationPuzzleEnv):
    def __deepcopy__(self, memo: dict[int, Any]) -> SharesWhenCopied:
        return self


@dataclasses.dataclass(frozen=True)
class StepsView(View):
    left: int
    wrong: tuple[int, ...]


class Steps(gym.Env[str, str]):
    """No dialogue: step on the hidden stone of four, at most three times.

    Observation: what the last step found.
    Action: ``<move>N</move>``, N from 0 to 3.
    Reward: 1.0 on the stone, else 0.0.
    Ends: terminated on the stone (``success``) or after three steps (``timeout``).
    Info: ``valid``, ``reason``, ``view``, ``message_range``, ``action_tags``, ``legal_actions``, ``outcome``.

    Version history: v0, for tests.
    """

    cases = None

    def __init__(self) -> None:
        self.observation_space = TextSpace(100)
        self.action_space = TextSpace(100_000, examples=("<move>0</move>", "<move>3</move>"))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        super().reset(seed=seed)
        self._stone = int(self.np_random.integers(4))
        self._left, self._wrong, self._said, self._count = 3, (), "Step.", -1
        return self._result(True)[::4]

    def step(self, action: str) -> Any:
        if self._left == 0:
            raise gym.error.ResetNeeded("the episode is over")
        valid = action in self.legal_actions()
        found = valid and action == f"<move>{self._stone}</move>"
        self._left = 0 if found else self._left - 1
        self._wrong += () if found or not valid else (int(action[6]),)
        self._said = "Stone." if found else "Water."
        return self._result(valid, found)

    def _result(self, valid: bool, found: bool = False) -> Any:
        self._count += 1
        info = {"valid": valid, "reason": None if valid else "No step.", "view": self.view(), "action_tags": ("move",)}
        info |= {"message_range": (self._count, self._count + 1), "legal_actions": self.legal_actions()}
        info |= {} if self._left else {"outcome": "success" if found else "timeout"}
        return self.observe(), float(found), self._left == 0, False, info

    def observe(self, seat: int = 0) -> TextObservation:
        return TextObservation(self._said)

    def view(self, seat: int = 0) -> StepsView:
        return StepsView(self._left, self._wrong)

    def view_text(self, seat: int = 0) -> str:
        return f"{self._left} steps left; water at {self._wrong}"

    def legal_actions(self) -> list[str]:
        return [f"<move>{n}</move>" for n in range(4)] if self._left else []

    def resample(self, view: StepsView, rng: np.random.Generator) -> None:
        self._stone = int(rng.choice([n for n in range(4) if n not in view.wrong]))


class SaysMore(Touched):
    """Not the environment that is registered, which is the one that replays."""

    def touch(self, observation: Any, *rest: Any) -> Result:
        return self.said(observation, "Well played."), *rest  # type: ignore[return-value]
