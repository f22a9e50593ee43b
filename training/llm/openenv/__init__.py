"""Environments as servers of OpenEnv, from which TRL, Unsloth, verifiers, NeMo-Gym and others can train.

:mod:`~interactive_envs.training.llm.openenv.play` plays episodes and lists tasks, and knows nothing of OpenEnv;
:mod:`~interactive_envs.training.llm.openenv.app` is the server, with the extra ``openenv``;
:mod:`~interactive_envs.training.llm.openenv.folder` writes what ``openenv validate``, ``build`` and ``push`` take.
"""
