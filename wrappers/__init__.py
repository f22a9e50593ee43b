"""Wrappers that change what a player sees or how it acts."""

PROBES = {
    "necessity": "interactive_envs.query_games.probes.necessity:NecessityJudgment",
    "lies": "interactive_envs.wrappers.revision:Lies",
    "revision": "interactive_envs.wrappers.revision:CounterfactualRevision",
    "delay": "interactive_envs.wrappers.revision:Delay",
    "isomorphic": "interactive_envs.wrappers.context:IsomorphicContext",
    "noise": "interactive_envs.wrappers.noise:IntraGameNoise",
    "boundary": "interactive_envs.query_games.probes.boundary:BoundaryControl",
}
"""Every probe by the name in its spec, the innermost first; of the first four an environment can have one."""
