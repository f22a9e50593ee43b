"""The command line: ``ibench``. Each command reads its arguments, calls the library and prints."""

from __future__ import annotations

import difflib
import os
import sys
from pathlib import Path
from typing import Any

import click

import interactive_envs
from interactive_envs.cli import export, games, inspect, judging, models, new, papers, run
from interactive_envs.errors import IbenchError
from interactive_envs.system import own_modules, workers
from interactive_envs.system.terminal import echo, error_line, guard, urgent

READERS = frozenset({"audit", "compare", "export", "replay", "report", "rescore", "serve", "tables", "verify"})
"""Commands that read a folder which may be a stranger's: without --path, no module that it names is imported."""


class _Group(click.Group):
    """Suggests the nearest command, and prints an error as one readable line."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run; a wrong option is one line too, where click prints its usage as well."""
        guard()
        workers.on_stop = urgent
        try:
            sys.exit(super().main(*args, **{**extra, "prog_name": "ibench", "standalone_mode": False}))
        except click.exceptions.NoArgsIsHelpError as help_page:
            echo(help_page.format_message())
        except click.ClickException as error:
            context = getattr(error, "ctx", None)
            where = f" (see {context.command_path} --help)" if context else ""
            echo(f"ibench: {error_line(error.format_message())}{where}", err=True, colour="red")
            sys.exit(2)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and self.get_command(ctx, args[0]) is None:
            near = difflib.get_close_matches(args[0], self.list_commands(ctx), n=1)
            hint = f"did you mean {near[0]!r}?" if near else "see ibench --help"
            raise click.UsageError(f"unknown command {args[0]!r}; {hint}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # whoever read the output, such as head, has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        except (IbenchError, OSError) as error:
            if ctx.params.get("debug"):
                raise
            hint = " (ibench --debug … shows where)" if error.__cause__ is not None else ""
            echo(f"ibench: {error_line(error)}{hint}", err=True, colour="red")
            ctx.exit(2)
        except UnicodeEncodeError as error:  # JSON can write half a surrogate pair, no file name can hold one
            if ctx.params.get("debug"):
                raise
            line = f"ibench: {error_line(error.object)}: holds half a surrogate pair, which is no character"
            echo(line, err=True, colour="red")
            ctx.exit(2)
        except KeyboardInterrupt as stopped:  # what it says is how to go on
            line_ended = "\n" * sys.stderr.isatty()  # after the ^C
            echo(f"{line_ended}ibench: " + "; ".join(["interrupted", *map(str, stopped.args)]), err=True)
            # The commands raise it again, with how to go on; what they caught is its context.
            terminated = any(isinstance(one, workers.TerminatedError) for one in (stopped, stopped.__context__))
            ctx.exit(143 if terminated else 130)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.option(
    "--path",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of your own modules (module:Class). Default: the current folder.",
)
@click.version_option(interactive_envs.__version__, prog_name="ibench")
@click.pass_context
def main(ctx: click.Context, debug: bool, path: Path | None) -> None:
    """Interactive reasoning: environments where a player asks, acts and revises under a budget."""
    os.environ["PYTHONSAFEPATH"] = "1"  # no process that this one starts imports from the current folder
    if path is None and ctx.invoked_subcommand in READERS:
        own_modules.forbid()
    else:
        own_modules.search((path or Path.cwd()).resolve())


for _command in (
    inspect.list_,
    inspect.info,
    inspect.report,
    inspect.compare,
    inspect.tables_,
    inspect.replay,
    inspect.serve,
    inspect.verify,
    inspect.audit,
    inspect.rescore,
    inspect.validate,
    run.run,
    run.sweep,
    run.demo,
    run.passk,
    run.play,
    run.tournament,
    export.export,
    export.mcp,
    export.openenv,
    papers.reproduce,
    judging.judge_check,
    judging.puzzles,
    games.games,
    games.train,
    games.phh,
    games.generate,
    models.models,
    models.doctor,
    new.new,
):
    main.add_command(_command)


if __name__ == "__main__":
    main()
