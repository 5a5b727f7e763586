"""`python -m littlestone` is the command line."""

from littlestone.cli import main

main()
