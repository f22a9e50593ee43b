"""Training of language models: what every trainer needs of an environment, without any trainer's library.

:mod:`~interactive_envs.training.llm.dialogue` plays an episode message by message,
:mod:`~interactive_envs.training.llm.table` plays all seats of a game so,
:mod:`~interactive_envs.training.llm.chat` writes messages as tokens,
:mod:`~interactive_envs.training.llm.rollout` plays an episode on tokens, with the mask of what the model wrote,
:mod:`~interactive_envs.training.llm.tools` makes a class with a tool per action, and
:mod:`~interactive_envs.training.llm.rows` lists the episodes of a split. Adapters for trainers stand beside them, such
as :mod:`~interactive_envs.training.llm.trl`.
"""
