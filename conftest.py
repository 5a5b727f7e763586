"""What needs an extra that is not installed is not collected."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("pyspark") is not None else ["src/littlestone/spark.py"]
