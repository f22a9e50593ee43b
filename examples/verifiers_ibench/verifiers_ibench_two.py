"""Every ibench game for two, an agent on each seat: ``vf-eval verifiers-ibench-two --no-push …``."""

from interactive_envs.training.llm.verifiers import Episodes, Messages, TableEnv

__all__ = ["Episodes", "Messages", "TableEnv"]
