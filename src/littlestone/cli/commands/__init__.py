"""The subcommands, a file each: what can be typed. A command is loaded when it is called, or listed by --help."""
