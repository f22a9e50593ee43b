"""inspect_ai: runs as its logs, our environments as its task, our players as its models.

- :mod:`~interactive_envs.integrations.inspect.log` writes the logs (``ibench export inspect``); what a log says of an
  episode is :mod:`~interactive_envs.integrations.inspect.samples`', which needs no inspect_ai;
- :mod:`~interactive_envs.integrations.inspect.task` is the task ``interactive_envs/ibench``;
- :mod:`~interactive_envs.integrations.inspect.provider` is the provider of ``--model ibench/rule``;
- :mod:`~interactive_envs.integrations.inspect.bridge` is what both play through, which needs no inspect_ai.

inspect_ai finds the last three by the entry point ``registry``.
"""

TESTED = "0.3.285"
"""The version of inspect_ai that all of it was tested with."""
