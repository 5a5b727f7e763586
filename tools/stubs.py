"""Writes `__init__.pyi` of every package whose names load lazily: type checkers read the table that is in its `__init__.py`.

Usage: python tools/stubs.py [--check]
"""

import ast
import inspect
import re
import sys
from dataclasses import Field, fields
from importlib import import_module
from itertools import chain
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parent.parent / "src" / "littlestone"
HEADER = "# Written by `make stubs` from __init__.py.\n"
DATACLASS = "@dataclass(kw_only=True, eq=False, repr=False)\n"


def packages() -> list[Path]:
    """Every package that loads its names lazily."""
    return sorted(path for path in ROOT.rglob("__init__.py") if "lazily(__name__" in path.read_text(encoding="utf-8"))


def stub(path: Path) -> str:
    """What a type checker should know of a package."""
    package = import_module(".".join(("littlestone", *path.parent.relative_to(ROOT).parts)))
    imports = sorted(line for name in package.__all__ if (line := reexport(package, name)))
    typed = [declaration(package, name) for name in package.__all__ if name in ("HOMES", "RULES", "__version__")]
    needed = [
        f"from {base.__module__} import {base.__name__}\n" for base in bases(package) if base.__name__ not in package.__all__
    ]
    names = "".join(f'    "{name}",\n' for name in sorted(package.__all__))
    return HEADER + "".join((*needed, *imports, *typed, f"__all__ = [\n{names}]\n"))


def reexport(package: ModuleType, name: str) -> str:
    """The line that imports a name from its home under the same name."""
    if name in ("HOMES", "RULES", "__version__"):
        return ""
    value = getattr(package, name)
    if isinstance(value, ModuleType):
        above, _, last = value.__name__.rpartition(".")
        return f"from {above} import {last} as {name}\n"
    return f"from {home_of(package, name)} import {name} as {name}\n"


def home_of(package: ModuleType, name: str) -> str:
    """The module in which the table of a package says that a name lives."""
    tables = (value for key, value in vars(package).items() if key in ("HOMES", "_HOMES", "_OTHERS"))
    homes = dict(chain.from_iterable(table.items() for table in tables))
    return f"{package.__name__}.{homes[name]}"


def bases(package: ModuleType) -> list[type]:
    """The class that all rules of a package have in common."""
    if "RULES" not in package.__all__:
        return []
    first, *others = package.RULES
    return [next(base for base in first.__mro__ if all(issubclass(rule, base) for rule in others))]


def declaration(package: ModuleType, name: str) -> str:
    """The type of a name that is no class and no function."""
    if name == "RULES":
        return f"RULES: tuple[type[{bases(package)[0].__name__}], ...]\n"
    return f"{name}: str\n" if name == "__version__" else f"{name}: dict[str, str]\n"


def estimators() -> str:
    """What a type checker should know of the estimators: those that are made of a rule's fields are written down."""
    package = import_module("littlestone.sklearn")
    written, lines = set[str](), list[str]()
    for estimator in package.ESTIMATORS:
        if estimator.__module__ != package.__name__:
            lines.append(f"from {estimator.__module__} import {estimator.__name__} as {estimator.__name__}\n")
            continue
        rule, bases = type(estimator().rule()), [base.__name__ for base in estimator.__bases__]
        written |= {f"from {base.__module__} import {base.__name__}\n" for base in estimator.__bases__}
        written |= {f"from {rule.__module__} import {rule.__name__}\n", *imports_of(rule)}
        own = [f"    {f.name}: {kind_of(f)} = ...\n" for f in fields(estimator) if f.name in rule.__dataclass_fields__]
        verb = f"    def rule(self) -> {rule.__name__}: ...\n"
        lines.append(f"@final\n{DATACLASS}class {estimator.__name__}({', '.join(bases)}):\n{''.join(own)}{verb}")
    names = "".join(f'    "{name}",\n' for name in package.__all__)
    tail = (*lines, "ESTIMATORS: tuple[type[RuleEstimator], ...]\n", f"__all__ = [\n{names}]\n")
    head = (HEADER, "from dataclasses import dataclass\n", "from typing import Literal, final\n")
    return "".join((*head, *sorted(written | {"from littlestone.sklearn.estimator import RuleEstimator\n"}), *tail))


def kind_of(own: Field[object]) -> str:
    """The type of a field; one that has None in place of a value that is not plain may be None."""
    return f"{own.type} | None" if own.default is None and "None" not in str(own.type) else str(own.type)


def imports_of(rule: type) -> set[str]:
    """The lines that import what the types of a rule's fields are written with, wherever among its bases they are declared."""
    names = {f.name for f in fields(rule)}
    return set[str]().union(
        *(declared_in(owner, names) for owner in rule.__mro__ if owner.__module__.startswith("littlestone."))
    )


def declared_in(owner: type, names: set[str]) -> set[str]:
    """The same for the fields that one class declares."""
    own: dict[str, object] = vars(owner).get("__annotations__", {})
    types = re.sub(r"""(['"]).*?\1""", "", " ".join(str(kind) for name, kind in own.items() if name in names))
    words = set(re.findall(r"[A-Za-z_]+", types))
    tree, found = ast.parse(Path(inspect.getfile(owner)).read_text(encoding="utf-8")), set[str]()
    for node in (inner for outer in tree.body for inner in (outer, *getattr(outer, "body", ()))):
        if isinstance(node, ast.ImportFrom) and node.module != "typing":
            found |= {f"from {node.module} import {alias.name}\n" for alias in node.names if alias.name in words}
        if isinstance(node, ast.Assign):
            assigned = {target.id for target in node.targets if isinstance(target, ast.Name)} & words
            found |= {f"from {owner.__module__} import {name}\n" for name in assigned}
    return found


def main(*, check: bool) -> int:
    """Writes the stubs, or says whether they are up to date."""
    fresh = {path.with_suffix(".pyi"): stub(path) for path in packages()}
    fresh[ROOT / "sklearn" / "__init__.pyi"] = estimators()
    if check:
        return int(any(not path.exists() or path.read_text(encoding="utf-8") != text for path, text in fresh.items()))
    for path, text in fresh.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv[1:]))
