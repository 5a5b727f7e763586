"""A server that learns and loses nothing: the journal, the models behind it, and HTTP in front."""
