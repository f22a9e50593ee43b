"""Every ibench environment for verifiers: ``vf-eval verifiers-ibench --no-push --env.taskset.env-ids '["…"]' -n 3``."""

from interactive_envs.training.llm.verifiers import DialogueEnv, Episodes, Messages

__all__ = ["DialogueEnv", "Episodes", "Messages"]
