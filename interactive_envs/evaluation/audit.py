"""Why messages of a run were no actions, by pattern, and what a stricter and a looser reader would have read.

Every message of every episode is looked at, with the actions that were legal when it came: episodes are stepped again,
no player and no judge is asked. ``interactive_envs.evaluation.run.replay`` does that.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interactive_envs.errors import ConfigError, IbenchError
from interactive_envs.evaluation.run import replay
from interactive_envs.parsing import TIMEOUT_ACTION, Unreadable, read_action, strip_thinking
from interactive_envs.reporting.records import Step
from interactive_envs.reporting.store import RunStore

MOST_EXAMPLES = 100
"""Examples of a pattern that are kept at most."""
LONGEST_EXAMPLE = 300
"""Characters of an example: what is longer is cut in its middle."""

_TAG = re.compile(r"<([a-z_][\w-]*)>", re.IGNORECASE | re.ASCII)
_REFUSAL = re.compile(
    r"\b(?:i(?:'m| am) (?:sorry|unable|not able)|i (?:cannot|can't|won't|will not) (?:help|assist|comply|continue|play"
    r"|participate|answer)|as an ai\b)",
    re.IGNORECASE,
)
_JSON = re.compile(r"[{\[]\s*\"")


@dataclass(frozen=True)
class Message:
    """A message of a run, with what the environment allowed when it came.

    Attributes:
        player: who wrote it, as reports call the player.
        env_id: the environment.
        case: the episode's case.
        epoch: how often the cases were walked before.
        number: of the message in its episode, from 1.
        text: all of it.
        valid: whether it was an action.
        illegal: whether it could be read, and was not legal; records before this was noted have it False.
        reason: why it was none, as its player was told; None for an action.
        finish_reason: of the model's call, None where no model was asked or it says nothing.
        tags: those that were allowed.
        legal: the actions that were, () where they have no short list.
    """

    player: str
    env_id: str
    case: str
    epoch: int
    number: int
    text: str
    valid: bool
    illegal: bool
    reason: str | None
    finish_reason: str | None
    tags: tuple[str, ...]
    legal: tuple[str, ...] = field(repr=False)

    @property
    def said(self) -> str:
        """The message without its thinking."""
        return strip_thinking(self.text)

    @property
    def opened(self) -> list[str]:
        """Names of all tags that it opens, in order."""
        return [name.lower() for name in _TAG.findall(self.said)]

    @property
    def actions(self) -> list[str]:
        """The allowed tags among them."""
        return [name for name in self.opened if name in self.tags]


@dataclass(frozen=True)
class Pattern:
    """What an invalid message looks like.

    Attributes:
        name: of the pattern.
        about: what it is, for tables.
        fits: whether a message is one; the first pattern that fits has it.
    """

    name: str
    about: str
    fits: Callable[[Message], bool]


def _several(message: Message) -> bool:
    return len({_key(found) for found in _tagged(message)}) > 1


def _unclosed(message: Message) -> bool:
    said = message.said.lower()
    return any(said.count(f"<{tag}>") > said.count(f"</{tag}>") for tag in message.actions)


PATTERNS = (
    Pattern("too late", "no message within the time limit", lambda m: m.text.strip() == TIMEOUT_ACTION),
    Pattern("empty", "nothing at all", lambda m: not m.text.strip()),
    Pattern("thinking only", "nothing after or beside the thinking", lambda m: not m.said),
    Pattern("cut off", "stopped by the limit of tokens", lambda m: m.finish_reason == "length"),
    Pattern("illegal action", "it could be read, and was not legal", lambda m: m.illegal),
    Pattern("refusal", "no tag, and it says that it will not or cannot", lambda m: not m.actions and _refuses(m)),
    Pattern("several actions", "tags with different contents", _several),
    Pattern("unclosed tag", "a tag that is opened and not closed", _unclosed),
    Pattern("extra text in the tag", "one tag, and a legal action beside other words in it", lambda m: _has_extra(m)),
    Pattern("unread content", "one tag, with what the environment cannot read", lambda m: bool(m.actions)),
    Pattern("another tag", "tags, but none that is allowed now", lambda m: bool(m.opened)),
    Pattern("code fence", "no tag, and a block of code", lambda m: "```" in m.said),
    Pattern("JSON", "no tag, and an object or a list", lambda m: bool(_JSON.search(m.said))),
    Pattern(
        "prose that names an action", "no tag, and a legal action among other words", lambda m: loose(m) is not None
    ),
    Pattern("prose", "words without a tag", lambda m: True),
)
"""What invalid messages look like, in the order in which they are tried."""


def pattern_of(message: Message) -> Pattern:
    """The first pattern that fits an invalid message."""
    return next(pattern for pattern in PATTERNS if pattern.fits(message))


def strict(message: Message) -> str | None:
    """What a reader takes that wants exactly one tag and nothing else, thinking apart; None for nothing."""
    found = re.fullmatch(r"<([\w-]+)>([^<>]*)</\1>", message.said, re.ASCII)
    if not message.valid or found is None or found[1] not in message.tags:
        return None
    return message.said


def loose(message: Message) -> str | None:
    """What a reader takes that plays the last action named anywhere; None for nothing.

    Where actions have a list, a legal one in words is enough, in thinking, quotes and denials, too; a name of one
    character must be written as it is. Elsewhere it takes the last tag that is allowed, closed or not.
    """
    if message.text.strip() == TIMEOUT_ACTION:
        return None
    if not message.legal:
        names = "|".join(map(re.escape, message.tags))
        found = list(re.finditer(rf"<({names})>(.*?)(?:</\1>|\Z)", message.text, re.DOTALL | re.I)) if names else []
        return f"<{found[-1][1].lower()}>{' '.join(found[-1][2].split())}</{found[-1][1].lower()}>" if found else None
    text, best = message.text, (-1, 0)
    folded, taken = text.casefold(), None
    for action in message.legal:
        body = _body(action)
        place = _last(text, body) if len(body) == 1 else _last(folded, body.casefold())
        if body and place >= 0 and (place + len(body), len(body)) > best:
            best, taken = (place + len(body), len(body)), action
    return taken


def taken(message: Message) -> str | None:
    """What was read: the tag with its content, else the whole message; None where it was no action."""
    if not message.valid:
        return None
    found = read_action(message.text, message.tags) if message.tags else Unreadable("")
    return message.said if isinstance(found, Unreadable) else f"<{found.tag}>{found.body}</{found.tag}>"


@dataclass(frozen=True)
class Reader:
    """What another reader would have done with all messages of a run.

    Attributes:
        name: ``strict`` or ``loose``.
        about: what it takes for an action.
        refused: actions that it would not have taken.
        added: messages that were no action, and that it would have taken for one.
        changed: actions for which it would have taken another one.
        examples: of each of the three.
    """

    name: str
    about: str
    refused: int
    added: int
    changed: int
    examples: Mapping[str, Sequence[Mapping[str, Any]]]


@dataclass(frozen=True)
class Group:
    """Invalid messages of one pattern.

    Attributes:
        name: of the pattern.
        about: what it is.
        count: how many there are.
        players: how many by player.
        environments: how many by environment.
        examples: some of them, with their place, text and reason, and what the loose reader takes.
    """

    name: str
    about: str
    count: int
    players: Mapping[str, int]
    environments: Mapping[str, int]
    examples: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Audit:
    """What became of all messages of a run.

    Attributes:
        folder: of the run.
        episodes: how many were looked at.
        messages: how many they have.
        unreadable: messages that could not be read, those that came too late among them.
        illegal: messages that could be read, and were not legal.
        groups: of invalid messages, the largest first.
        readers: the strict one and the loose one.
        notes: episodes that could not be stepped again, in sentences; they are not counted.
    """

    folder: str
    episodes: int
    messages: int
    unreadable: int
    illegal: int
    groups: tuple[Group, ...]
    readers: tuple[Reader, ...]
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return json.loads(json.dumps(dataclasses.asdict(self)))  # type: ignore[no-any-return]

    def lines(self) -> Iterator[str]:
        """Yield it as text for a terminal, a line at a time."""
        invalid = self.unreadable + self.illegal
        yield (
            f"{self.messages:,} messages of {self.episodes:,} episodes: {invalid:,} were no actions "
            f"({_share(invalid, self.messages)}), {self.unreadable:,} unreadable and {self.illegal:,} illegal."
        )
        yield from self.notes
        if self.groups:
            yield ""
            width = max(len("PATTERN"), *(len(group.name) for group in self.groups))
            yield f"{'PATTERN':<{width}}  MESSAGES  SHARE    WHAT IT IS"
            for group in self.groups:
                share = _share(group.count, invalid)
                yield f"{group.name:<{width}}  {group.count:>8,}  {share:>7}  {group.about}"
        for group in self.groups:
            yield f"\n{group.name}: {_counted(group.players)}; in {_counted(group.environments)}"
            for example in group.examples:
                yield from _shown(example, loose=example["loose"])
        for reader in self.readers:
            yield (
                f"\nA {reader.name} reader ({reader.about}) would have refused {reader.refused:,} of the actions, "
                f"taken another one for {reader.changed:,}, and taken {reader.added:,} of the other messages for one."
            )
            for what, examples in reader.examples.items():
                for example in examples:
                    yield f"  {what}:"
                    yield from _shown(example, read=example["read"], **{reader.name: example[reader.name]})


def audit(folder: str | Path, *, examples: int = 3, progress: Callable[[], object] = lambda: None) -> Audit:
    """Group the invalid messages of a run by pattern, and compare readers.

    Args:
        folder: of the run.
        examples: kept of every pattern, 0 to 100.
        progress: called after each episode.

    Raises:
        ConfigError: there is no run in the folder, or ``examples`` is no such number.
    """
    if not isinstance(examples, int) or isinstance(examples, bool) or not 0 <= examples <= MOST_EXAMPLES:
        raise ConfigError(f"examples must be a whole number from 0 to {MOST_EXAMPLES}, got {examples!r}")
    store = RunStore.read_only(Path(folder))
    rows, notes, found = store.rows(), Counter[str](), _Found(examples)
    for row in rows:
        record, player = store.episode(row), store.config.cells[row.cell].player
        try:
            messages = list(_messages(player, record))
        except IbenchError as error:
            notes[str(error)] += 1
        else:
            found.episodes += 1
            for message in messages:
                found.add(message)
        progress()
    told = tuple(f"{count} episode{'s' * (count > 1)} left out: {why}" for why, count in notes.most_common())
    return found.result(str(folder), told)


def _messages(player: str, record: Any) -> Iterator[Message]:
    """The messages of an episode."""
    for number, (step, again) in enumerate(zip(record.steps, replay.steps(record), strict=False), 1):
        yield Message(
            player,
            record.env.id,
            record.case,
            record.epoch,
            number,
            step.action,
            step.valid,
            step.illegal,
            step.reason,
            _finish_reason(step),
            tuple(again.before.get("action_tags", ())),
            tuple(again.before.get("legal_actions", ())),
        )


def _finish_reason(step: Step) -> str | None:
    return step.calls[-1].finish_reason if step.calls else None


class _Found:
    """Counts while messages are looked at."""

    def __init__(self, examples: int) -> None:
        self.episodes = self.messages = self.illegal = self.invalid = 0
        self._most = examples
        self._groups: dict[str, list[Message]] = {pattern.name: [] for pattern in PATTERNS}
        self._counts: dict[str, tuple[Counter[str], Counter[str]]] = {
            pattern.name: (Counter(), Counter()) for pattern in PATTERNS
        }
        self._read: dict[str, Counter[str]] = {"strict": Counter(), "loose": Counter()}
        self._shown: dict[str, dict[str, list[Mapping[str, Any]]]] = {name: {} for name in self._read}

    def add(self, message: Message) -> None:
        self.messages += 1
        if not message.valid:
            name = pattern_of(message).name
            self.invalid += 1
            self.illegal += message.illegal
            players, environments = self._counts[name]
            players[message.player] += 1
            environments[message.env_id] += 1
            if len(self._groups[name]) < self._most:
                self._groups[name].append(message)
        read = taken(message)
        for name, other in (("strict", strict(message)), ("loose", loose(message))):
            what = _difference(message, read, other)
            if what:
                self._read[name][what] += 1
                shown = self._shown[name].setdefault(what, [])
                if len(shown) < self._most:
                    shown.append(_example(message) | {"read": read and cut(read), name: other and cut(other)})

    def result(self, folder: str, notes: tuple[str, ...]) -> Audit:
        abouts = {"strict": "exactly one tag and nothing else", "loose": "the last legal action named anywhere"}
        groups = [
            Group(
                pattern.name,
                pattern.about,
                self._counts[pattern.name][0].total(),
                dict(self._counts[pattern.name][0].most_common()),
                dict(self._counts[pattern.name][1].most_common()),
                [_example(one) | {"loose": loose(one)} for one in self._groups[pattern.name]],
            )
            for pattern in PATTERNS
        ]
        readers = tuple(
            Reader(name, abouts[name], count["refused"], count["added"], count["changed"], self._shown[name])
            for name, count in self._read.items()
        )
        kept = tuple(sorted((group for group in groups if group.count), key=lambda group: -group.count))
        unreadable = self.invalid - self.illegal
        return Audit(folder, self.episodes, self.messages, unreadable, self.illegal, kept, readers, notes)


def _difference(message: Message, read: str | None, other: str | None) -> str:
    """What another reader does differently: ``refused``, ``added``, ``changed``, or ''."""
    if read is None or other is None:
        return "" if read == other else "added" if read is None else "refused"
    # A short form has no tag to compare: it is the same where it holds what the other reader found.
    same = _key(read) == _key(other) or ("<" not in read and _body(other).casefold() in read.casefold())
    return "" if same else "changed"


def _example(message: Message) -> dict[str, Any]:
    """A message with its place, for people: cut, and nothing in it can move the cursor."""
    place = {"player": message.player, "env": message.env_id, "case": message.case, "epoch": message.epoch}
    return place | {"message": message.number, "text": cut(message.text), "reason": message.reason}


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "none"


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())


def _shown(example: Mapping[str, Any], **read: str | None) -> Iterator[str]:
    """An example for a terminal."""
    yield f"  {example['env']}, {example['case']}, message {example['message']} of {example['player']}:"
    yield f"    {example['text'] or '(empty)'}"
    if example["reason"]:
        yield f"    Told: {example['reason']}"
    for name, action in read.items():
        yield f"    {name.capitalize()}: {'nothing' if action is None else action}"


def cut(text: str) -> str:
    """A text as one line, cut in its middle where it is long: how it ends often says what went wrong."""
    line = " ".join(text.split())
    half = LONGEST_EXAMPLE // 2
    return line if len(line) <= LONGEST_EXAMPLE else f"{line[:half]} […] {line[-half:]}"


def _tagged(message: Message) -> list[str]:
    """Every closed tag that is allowed."""
    names = "|".join(map(re.escape, message.tags))
    return [match[0] for match in re.finditer(rf"<({names})>[^<]*</\1>", message.said, re.I)] if names else []


def _has_extra(message: Message) -> bool:
    """Whether the one tag holds a legal action as words of its own, and more."""
    bodies = {_body(action).casefold() for action in message.legal} - {""}
    inside = " ".join(_body(found) for found in _tagged(message)).casefold()
    return any(body != inside and len(body) > 1 and _last(inside, body) >= 0 for body in bodies)


def _refuses(message: Message) -> bool:
    return bool(_REFUSAL.search(message.said))


def _body(action: str) -> str:
    """What stands in an action's tag."""
    found = re.fullmatch(r"<([\w-]+)>(.*)</\1>", action.strip(), re.DOTALL | re.I)
    return " ".join((found[2] if found else action).split())


def _key(action: str) -> tuple[str, str]:
    """What makes two actions the same: tag and content, whatever the capitals and spaces."""
    tag = _TAG.match(action.strip())
    return (tag[1].lower() if tag else "", _body(action).casefold())


def _last(text: str, words: str) -> int:
    """Where words stand last in a text, as words of their own; -1 for nowhere."""
    place = text.rfind(words) if words else -1
    while place >= 0:
        before, after = text[place - 1 : place], text[place + len(words) : place + len(words) + 1]
        if not (before.isalnum() and words[0].isalnum()) and not (after.isalnum() and words[-1].isalnum()):
            return place
        place = text.rfind(words, 0, place + len(words) - 1)
    return -1
