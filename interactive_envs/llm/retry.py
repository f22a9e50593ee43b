"""What every remote client shares: the retry loop, the reading of a reply, and what counts as a fault."""

from __future__ import annotations

import os
import random
import re
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from interactive_envs.errors import ConfigError, ProviderError
from interactive_envs.llm.base import CompletionRequest, Constraint, Message, cut_reply
from interactive_envs.llm.calls import ModelCall, Usage
from interactive_envs.llm.pace import Pace
from interactive_envs.llm.pricing import Price
from interactive_envs.llm.process import PerProcess
from interactive_envs.llm.threads import CallThreads, ClosedError, LateError

T = TypeVar("T")

EMPTY_RETRIES = 2
"""How often an empty reply that claims to be finished is asked for again; then it is play."""
LONGEST_PAUSE = 15.0
SHORTEST_SECRET = 8
LONGEST_NAME = 200
"""Characters that are kept of a model's version and of a finish reason."""
LARGEST_COUNT = 10**12
"""Tokens that a call may have used; a larger number is no count."""
RESERVED = frozenset({"model", "messages", "stream", "api_key"})

_RETRIED_STATUS = frozenset({408, 409, 429})
_RENAMES = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}

_OVERFLOW = re.compile(
    r"context[_ ](length|window|size)|exceed_context_size|prompt is too long|reduce the length of the messages", re.I
)
_AUTHENTICATION = re.compile(
    r"\b(missing|incorrect|invalid|no|wrong)\b.{0,40}\bapi[ _-]?key|api[ _-]?key.{0,30}(missing|invalid|not valid)",
    re.I,
)
_FILTER = re.compile(r"moderation|flagged|content[_ ]?(filter|policy|management)|usage guidelines", re.I)
_UNKNOWN_MODEL = re.compile(
    r"model[_ ]not[_ ](found|exist)|model.{0,80}(does not exist|not found)|(invalid|unknown) model|not a valid model",
    re.I,
)
_NO_IMAGES = re.compile(r"image input is not supported|does not support images?|images? (is|are) not supported", re.I)
_NO_QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|insufficient (credits|balance)", re.I)
_REFUSAL = re.compile(
    r"unsupported|not support|unavailable|unknown|unrecognized|unexpected|not permitted|not allowed|extra_forbidden"
    r"|extra inputs|deprecated",
    re.I,
)
SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.I)
SECRET_TEXT = re.compile(r"\b(sk|xai|gsk|pk|rk|fw|key)[-_][\w.*-]{6,}|\bAIza[\w-]{10,}|\bBearer\s+\S+", re.I)


class ContextOverflowError(ProviderError):
    """The dialogue does not fit the model's context; trim the history and ask again.

    Attributes:
        tokens: how long the dialogue is, where the provider says so.
        limit: how long it may be, where the provider says so.
    """

    def __init__(self, message: str, tokens: int | None = None, limit: int | None = None) -> None:
        super().__init__(f"{message}; trim the history or choose a model with a larger context")
        self.tokens = tokens
        self.limit = limit


class TransientError(Exception):
    """A fault worth another try.

    Attributes:
        pause: seconds the provider asks to wait.
    """

    def __init__(self, message: str, pause: float = 0.0) -> None:
        super().__init__(message)
        self.pause = pause


class RefusedParameterError(Exception):
    """The endpoint refuses a parameter; the client drops it, or sends it under another name.

    Attributes:
        name: the parameter.
        replacement: the name the endpoint asks for instead, or None.
    """

    def __init__(self, name: str, replacement: str | None = None) -> None:
        super().__init__(name)
        self.name = name
        self.replacement = replacement


@dataclass(frozen=True)
class Reply:
    """One chat completion as read from the provider."""

    text: str
    finish_reason: str | None
    usage: Usage
    model_version: str | None


class RetryingClient(ABC):
    """A model client with retries; subclasses say how to ask once.

    Args:
        model: the model's full name, for records and messages.
        price: what it costs, None where unknown.
        timeout: seconds one try may take.
        max_wait: seconds all tries and pauses of one call may take together; it also ends a try.
        backoff: seconds of the first pause; each further one is twice as long, up to 15 s, with jitter.
    """

    base: str = ""
    """Where the model runs, for the cache key."""
    secret: str | None = None
    paced: ClassVar[bool] = True
    """Whether a limit of requests a minute holds for it."""

    def __init__(
        self,
        model: str,
        *,
        price: Price | None = None,
        timeout: float = 60.0,
        max_wait: float = 120.0,
        backoff: float = 0.5,
    ) -> None:
        for name, value in (("timeout", timeout), ("max_wait", max_wait), ("backoff", backoff)):
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
                raise ConfigError(f"{name} must be a positive number of seconds, got {value!r}")
        self.model = model
        self.price = price
        self._timeout = timeout
        self._max_wait = max_wait
        self._backoff = backoff
        self._random = random.Random()  # noqa: S311 - jitter only, and never the global generator
        self._refused: dict[str, str | None] = {}
        self._closed = threading.Event()
        self._pace = Pace()
        self._threads = PerProcess(CallThreads)
        self._worked = False

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model!r})"

    @property
    def priced(self) -> bool:
        """Whether the cost of a call is known."""
        return self.price is not None

    def complete(self, request: CompletionRequest) -> ModelCall:
        """Complete one dialogue; see :class:`interactive_envs.llm.base.ModelClient`."""
        wanted = self.parameters(request)
        started = time.monotonic()
        deadline = started + self._max_wait
        usage, attempts, empties, pause = Usage(), 0, 0, self._backoff

        def call(reply: Reply, refused: tuple[str, ...] = ()) -> ModelCall:
            return ModelCall(
                model=self.model,
                messages=tuple(request.messages),
                text=reply.text,
                finish_reason=reply.finish_reason,
                usage=usage,
                cost=self.price.cost(usage) if self.price else None,
                latency=time.monotonic() - started,
                model_version=reply.model_version,
                refused_parameters=refused,
                attempts=attempts,
            )

        try:
            while True:
                attempts += 1
                parameters, refused = self._accepted(wanted)
                if self.paced:  # whoever waits for a turn has not waited for the model
                    waited = self._pace.wait(self._closed)
                    started, deadline = started + waited, deadline + waited
                left = deadline - time.monotonic()
                try:
                    reply = self._ask(request.messages, parameters, max(min(self._timeout, left), 0.001))
                except RefusedParameterError as refusal:
                    replacement = refusal.replacement
                    self._refused[refusal.name] = None if replacement in self._refused else replacement
                    continue
                except TransientError as error:
                    fault = error
                else:
                    self._worked = True
                    reply = self._kept(reply)
                    usage += reply.usage  # an empty reply was paid for too
                    if reply.text or reply.finish_reason == "length" or empties == EMPTY_RETRIES:
                        return call(reply, refused)
                    empties += 1
                    fault, pause = TransientError("an empty reply"), 0.0
                self._pause(fault, pause, attempts, started, deadline)
                pause = min(max(2 * pause, self._backoff), LONGEST_PAUSE)
        except ProviderError as error:
            if usage != Usage():
                error.calls = (call(Reply("", None, usage, None)),)
            raise

    def close(self) -> None:
        """Close connections; calls under way end with ProviderError at once, and so do later ones."""
        self._closed.set()
        self._threads.get().close()

    def parameters(self, request: CompletionRequest) -> dict[str, Any]:
        """The parameters to send: the request's, with ``extra_body`` unpacked and the constraint added."""
        parameters = dict(request.parameters)
        parameters.update(parameters.pop("extra_body", None) or {})
        reserved = sorted(RESERVED & parameters.keys())
        if reserved:
            hint = "keys come from the environment (api_key_env)" if "api_key" in reserved else "the client sets it"
            raise ConfigError(f"parameter {reserved[0]!r} cannot be set for {self.model}: {hint}")
        for name, value in self.constrain(request.constraint).items():
            parameters.setdefault(name, value)
        return parameters

    def constrain(self, constraint: Constraint | None) -> dict[str, Any]:
        """A constraint as parameters; what the provider cannot enforce is left to the reader of the reply."""
        if constraint is None or constraint.json_schema is None:
            return {}
        schema: dict[str, Any] = {"name": "reply", "schema": dict(constraint.json_schema)}
        if constraint.json_schema.get("additionalProperties") is False:
            schema["strict"] = True
        return {"response_format": {"type": "json_schema", "json_schema": schema}}

    @abstractmethod
    def _ask(self, messages: Sequence[Message], parameters: Mapping[str, Any], timeout: float) -> Reply:
        """Ask once.

        Raises:
            TransientError: worth another try.
            RefusedParameterError: worth another try without the parameter.
            ProviderError: a fault that another try cannot mend.
            ConfigError: the request can never work.
        """

    def _within(self, seconds: float, work: Callable[[], T], cut: Callable[[], None] = lambda: None) -> T:
        """Do what the other side may hold up; see :meth:`interactive_envs.llm.threads.CallThreads.run`.

        Raises:
            TransientError: it is not done in time.
            ProviderError: the client was closed.
        """
        try:
            return self._threads.get().run(work, seconds, cut)
        except LateError as error:
            raise TransientError(str(error)) from None
        except ClosedError:
            raise ProviderError(f"{self.model}: the client was closed during a call") from None

    def secrets(self) -> Iterable[str]:
        """The keys that are sent, which a reply may repeat."""
        return (self.secret,) if self.secret else ()

    def _kept(self, reply: Reply) -> Reply:
        """A reply as it may be recorded and sent again: without keys, and no longer than any play needs."""

        def clean(text: str) -> str:
            for secret in secrets:
                text = text.replace(secret, "***")
            return text

        # What is shorter is no key but a word such as "none", for an endpoint that asks for any.
        secrets = sorted((secret for secret in self.secrets() if len(secret) >= SHORTEST_SECRET), key=len, reverse=True)
        reason, version = reply.finish_reason, reply.model_version
        return Reply(
            cut_reply(clean(reply.text)),
            None if reason is None else clean(reason)[:LONGEST_NAME],
            reply.usage,
            None if version is None else clean(version)[:LONGEST_NAME],
        )

    def _accepted(self, wanted: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
        """The wanted parameters less those refused before, and the names of the latter."""
        parameters, refused = dict(wanted), []
        for name, replacement in list(self._refused.items()):
            if name in parameters:
                value = parameters.pop(name)
                if replacement:
                    parameters.setdefault(replacement, value)
                refused.append(f"{name} (sent as {replacement})" if replacement else name)
        return parameters, tuple(refused)

    def _pause(self, fault: TransientError, pause: float, attempts: int, started: float, deadline: float) -> None:
        pause = max(fault.pause, pause * (0.5 + self._random.random() / 2))
        now = time.monotonic()
        if now + pause >= deadline:
            asks = f", which asks to wait {fault.pause:.0f} s" if fault.pause > max(0.0, deadline - now) else ""
            raise ProviderError(
                f"{self.model}: {fault}{asks}; gave up after {attempts} {'try' if attempts == 1 else 'tries'} in "
                f"{now - started:.0f} s (max_wait is {self._max_wait:g} s)"
            )
        if self._closed.wait(pause):
            raise ProviderError(f"{self.model}: the client was closed while waiting for another try after {fault}")

    def _failure(
        self,
        status: int,
        message: str,
        names: Collection[str],
        *,
        parameter: str = "",
        code: str = "",
        pause: float = 0.0,
    ) -> Exception:
        """Turn an error of the provider into what :meth:`_ask` may raise.

        Args:
            status: the HTTP status.
            message: the provider's words: untrusted, and may hold a key.
            names: the parameters that were sent.
            parameter: the parameter the provider names as the cause.
            code: the provider's own code or type of the error.
            pause: seconds the provider asks to wait.
        """
        if 300 <= status < 400:
            return ProviderError(
                f"{self.model}: HTTP {status}: the endpoint redirects, and a key is not carried to another place; "
                "set base_url to where it leads, if you trust that"
            )
        words = f"{code} {message}"
        # What worked before was set up right: keys expire and endpoints fail, which is no reason to end the run.
        refused = ProviderError if self._worked else ConfigError
        shown = f"HTTP {status}: {safe_text(message, self.secret)}" if message else f"HTTP {status}"
        asked_badly = status in (400, 404, 413, 422)
        if asked_badly and _OVERFLOW.search(words):
            return ContextOverflowError(f"{self.model}: {shown}")
        if _FILTER.search(words) and status in (400, 403, 422):
            return ProviderError(f"{self.model}: the provider's filter refused the dialogue ({shown})")
        if status in (401, 403) or _AUTHENTICATION.search(words):
            return refused(f"{self.model}: the provider refused the credentials (HTTP {status}); {self.key_remedy()}")
        if _NO_IMAGES.search(words):
            return ConfigError(f"{self.model} takes no images; choose a model that does ({shown})")
        if _NO_QUOTA.search(words) or status == 402:
            return ProviderError(f"{self.model}: the account has no credit left ({shown}); top it up, then resume")
        if status in _RETRIED_STATUS or status >= 500:
            return TransientError(shown, pause)
        if status in (400, 422):
            name = _named(names, parameter, message)
            # A schema only helps the reply into shape, so that any complaint about it drops it.
            if name and (name == "response_format" or _REFUSAL.search(words)):
                replacement = _RENAMES.get(name)
                return RefusedParameterError(name, replacement if replacement and replacement in message else None)
            if name and not _UNKNOWN_MODEL.search(words):
                return ConfigError(f"{self.model} does not accept this {name!r}: {shown}")
        if status == 404 or (asked_badly and _UNKNOWN_MODEL.search(words)):
            return refused(f"{self.model} is not known to the provider; check its name and base_url ({shown})")
        return ProviderError(f"{self.model}: {shown}")

    def key_remedy(self) -> str:
        """What to do about missing or wrong credentials."""
        return "check the key in the environment"


def read_reply(data: Any) -> Reply:
    """Read an OpenAI-style chat completion.

    Raises:
        TransientError: it is none, or the provider filtered it.
    """
    choices = data.get("choices") if isinstance(data, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise TransientError("the body is no chat completion: it has no choices")
    text = _content(message)
    if text is None:
        raise TransientError("the body is no chat completion: its content is no text")
    reason = choice.get("finish_reason")
    if reason in ("error", "content_filter"):
        raise TransientError(f"the provider ended the reply with {reason!r}")
    version = data.get("model")
    return Reply(
        text=plain(text),
        finish_reason=plain(reason) if isinstance(reason, str) else None,
        usage=_usage(data.get("usage")),
        model_version=plain(version) if isinstance(version, str) else None,
    )


def plain_values(value: Any) -> Any:
    """A JSON value with every text in it :func:`plain`."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, Mapping):
        return {plain_values(name): plain_values(entry) for name, entry in value.items()}
    return [plain_values(entry) for entry in value] if isinstance(value, list | tuple) else value


def safe_text(text: str, *secrets: str | None) -> str:
    """A provider's words for a message: one short printable line without keys."""
    values = {value for name, value in os.environ.items() if SECRET_NAME.search(name)} | set(secrets)
    for value in sorted((value for value in values if value and len(value) >= 6), key=len, reverse=True):
        text = text.replace(value, "***")
    line = " ".join(SECRET_TEXT.sub("***", text).split())
    line = "".join(character if character.isprintable() else "?" for character in line)
    return line if len(line) <= 300 else line[:299] + "…"


def _named(names: Collection[str], parameter: str, message: str) -> str:
    """Which of the sent parameters an error is about, '' for none."""
    root = re.split(r"[.\[]", parameter)[0]
    if root in names:
        return root
    for name in sorted(names, key=len, reverse=True):
        camel = re.sub(r"_(\w)", lambda match: match[1].upper(), name)
        # Short everyday words such as "stop" count only where they are quoted.
        bare = r"\b" if "_" in name or name in ("temperature", "grammar") else r"['\"`]"
        if re.search(rf"{bare}({re.escape(name)}|{re.escape(camel)}){bare}", message):
            return name
    return ""


def _content(message: Mapping[str, Any]) -> str | None:
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(
            part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str)
        )
    if content is None:
        content = message.get("refusal") or ""  # a refusal in words is what the model says
    return content if isinstance(content, str) else None


def plain(text: str) -> str:
    """Text that every file can hold: JSON lets lone surrogates through, UTF-8 does not."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _usage(data: Any) -> Usage:
    if not isinstance(data, dict):
        return Usage()
    prompt, completion = _count(data, "prompt_tokens"), _count(data, "completion_tokens")
    reasoning = _count(data.get("completion_tokens_details"), "reasoning_tokens")
    cached = _count(data.get("prompt_tokens_details"), "cached_tokens") or _count(data, "prompt_cache_hit_tokens")
    if reasoning and prompt + completion + reasoning <= _count(data, "total_tokens"):
        completion += reasoning  # some providers count reasoning beside the completion
    return Usage(prompt, completion, min(reasoning, completion), min(cached, prompt))


def _count(data: Any, name: str) -> int:
    value = data.get(name) if isinstance(data, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LARGEST_COUNT else 0
