"""The commands about what is installed: local models, extras, tools, the sandbox."""

from __future__ import annotations

import click

from interactive_envs.system.terminal import echo


@click.group(invoke_without_command=True)
@click.pass_context
def models(ctx: click.Context) -> None:
    """Show or install the local models."""
    if ctx.invoked_subcommand is None:
        _echo_parts()


@models.command("get")
def models_get() -> None:
    """Install the local language model and sentence embeddings."""
    from interactive_envs.llm import weights

    weights.install(click.echo)


@click.command()
def doctor() -> None:
    """Show what is installed and what is missing."""
    from interactive_envs.cli import doctor as table

    for line in table.render(table.findings()).splitlines():
        missing = line.startswith("  ") and " missing " in line
        echo(line, bold=not line.startswith(" "), colour="yellow" if missing else None)


def _echo_parts() -> None:
    from interactive_envs.llm import weights

    for part in weights.status():
        echo(f"  {part.name:<26} {part.version or 'not installed':<16} {part.purpose}")
