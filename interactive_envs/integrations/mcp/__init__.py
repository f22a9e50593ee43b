"""Environments as servers of the Model Context Protocol, so that any agent product can be evaluated as it is.

:mod:`~interactive_envs.integrations.mcp.sessions` plays episodes by tools and keeps their records, and knows nothing of
the protocol; :mod:`~interactive_envs.integrations.mcp.server` speaks it, with the official SDK, the extra ``mcp``.
"""
