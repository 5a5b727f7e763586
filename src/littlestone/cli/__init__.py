"""The command line."""

from littlestone.cli.main import main

__all__ = ["main"]
