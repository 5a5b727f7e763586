"""`python -m littlestone` is the command line."""

from littlestone.cli.process import entry

entry()
