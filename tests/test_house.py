"""The house rules that a machine can check: layers, docstrings, exports, stubs, a light import."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import littlestone as ls
from littlestone import conformal, domain, experts, games, kernels, linear, multiclass, paths, pool, uniclass

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "littlestone"

LAYERS: tuple[tuple[str, ...], ...] = (
    ("_core",),
    ("errors", "domain", "arguments", "arrays", "lazy", "outputs", "interpreter", "abilities", "display"),
    (
        "schema",
        "state",
        "log_weights",
        "loop",
        "rule",
        "ledger",
        "labels",
        "progress",
        "guarded",
        "columns",
        "calibration",
        "tally",
    ),
    ("streams",),
    ("linear", "experts", "kernels", "uniclass", "multiclass", "pool", "features", "views", "paths"),
    ("learner", "learning", "predictor", "before", "outcomes", "body", "snapshots", "norms", "recount", "watch", "vocabulary"),
    (
        "run",
        "ballots",
        "master",
        "mixer",
        "mixing",
        "partitions",
        "epochs",
        "shards",
        "workers",
        "store",
        "delayed",
        "replay",
        "follow",
        "conformal",
    ),
    ("theory",),
    ("convert", "games", "export"),
    ("report",),
    ("cli", "serve", "client", "sklearn", "river", "dask", "spark", "kafka", "redis", "__init__", "__main__"),
)
"""From the ground up; a module may import what stands below it or beside it."""

LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
MODULES = sorted(PACKAGE.rglob("*.py"))


def part_of(module: Path) -> str:
    return module.relative_to(PACKAGE).with_suffix("").parts[0]


def imports(tree: ast.Module, *, deferred: bool = False) -> Iterator[str]:
    """The modules of the package that a module imports when it is itself imported; not those inside functions."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not deferred:
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and node.module == "littlestone":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("littlestone."):
            yield (node.module or "").split(".")[1]
        elif isinstance(node, ast.Import):
            yield from (a.name.split(".")[1] for a in node.names if a.name.startswith("littlestone."))
        waiting.extend(ast.iter_child_nodes(node))


def too_high(name: str, tree: ast.Module) -> list[str]:
    return [used for used in imports(tree) if LEVEL.get(used, 0) > LEVEL[name]]


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_layers_point_one_way(module: Path) -> None:
    name = part_of(module)
    assert name in LEVEL, f"{name} stands in no layer; give it one in LAYERS"
    assert not too_high(name, ast.parse(module.read_text(encoding="utf-8")))


def test_the_check_of_layers_has_teeth() -> None:
    assert too_high("state", ast.parse("from littlestone.learner import Learner")) == ["learner"]
    assert too_high("linear", ast.parse("import littlestone.theory.guarantee")) == ["theory"]
    assert too_high("loop", ast.parse("def f():\n    from littlestone.theory import certify")) == []
    assert too_high("rule", ast.parse("from littlestone import _core, linear")) == ["linear"]


def rule_classes() -> list[type[ls.Rule]]:
    """Every concrete rule of the package, found by looking rather than by list, whatever was loaded before."""
    for module in MODULES:
        parts = module.relative_to(PACKAGE.parent).with_suffix("").parts
        if len(parts) > 2 and parts[1] not in ("cli", "sklearn", "river", "report") and not parts[-1].startswith("__"):
            importlib.import_module(".".join(parts))
    found, waiting = [], list(ls.Rule.__subclasses__())
    while waiting:
        cls = waiting.pop()
        waiting.extend(cls.__subclasses__())
        if not inspect.isabstract(cls) and not cls.__name__.startswith("_") and cls.__module__.startswith("littlestone."):
            found.append(cls)
    return sorted(found, key=lambda cls: cls.__name__)


every_rule = pytest.mark.parametrize("cls", rule_classes(), ids=lambda cls: cls.__name__)


def test_the_rules_are_found() -> None:
    assert {"Perceptron", "OnlineSVM", "PassiveAggressive", "Fixed"} <= {cls.__name__ for cls in rule_classes()}


@every_rule
def test_docstring_has_its_sections(cls: type[ls.Rule]) -> None:
    text = inspect.getdoc(cls) or ""
    lines = [line.strip() for line in text.splitlines()]
    for section in ("Update:", "Tie:", "Cost:", "Guarantee:", "Source:"):
        assert any(line.startswith(section) for line in lines), section
    assert ">>> " in text
    assert cls.source


@every_rule
def test_rule_is_exported_and_listed(cls: type[ls.Rule]) -> None:
    assert getattr(ls, cls.__name__) is cls
    assert cls.__name__ in ls.__all__
    rooms = (linear, experts, games, kernels, uniclass, multiclass, pool, conformal, paths)
    assert cls in [rule for room in rooms for rule in room.RULES]


@every_rule
def test_every_parameter_has_a_domain_and_a_reason(cls: type[ls.Rule]) -> None:
    known = domain.parameters(cls)
    fields = [name for name, p in inspect.signature(cls).parameters.items() if p.kind is inspect.Parameter.KEYWORD_ONLY]
    assert list(known) == fields == list(inspect.signature(cls).parameters)
    assert all(parameter.why and parameter.domain.words for parameter in known.values())


@every_rule
def test_guarantees_named_in_a_docstring_exist(cls: type[ls.Rule]) -> None:
    text = (inspect.getdoc(cls) or "").split("Guarantee:")[1].split("Source:")[0]
    named = [
        word.strip("(),.;:") for word in text.split() if word.startswith(("mohri.", "bylander.", "pa.", "blum.", "crammer."))
    ]
    assert [name for name in named if name not in ls.theory] == []


def test_classes_are_abstract_or_final() -> None:
    for module in MODULES:
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                bases = {ast.unparse(base).split("[")[0] for base in node.bases}
                decorators = {ast.unparse(item).split("(")[0] for item in node.decorator_list}
                is_open = bases & {"ABC", "Protocol", "Rule", "LinearRule", "Exception"} or "Error" in str(bases)
                assert "final" in decorators or is_open, f"{module.name}: {node.name}"


SHARED = {"ConformalClassifier", "ConformalRegressor", "Custom", "Estimator"}
"""Public names that two rooms have, each its own: estimators of River and scikit-learn, `ls.kernels.Custom` and
`ls.losses.Custom`, the estimators of `littlestone.dask` and `littlestone.spark`."""


def class_homes(sources: Mapping[str, str]) -> dict[str, list[str]]:
    """Every class name that several modules define, with the modules."""
    homes: dict[str, list[str]] = {}
    for module, source in sources.items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(module)
    return {name: modules for name, modules in homes.items() if len(modules) > 1}


def test_a_name_of_a_class_has_one_meaning() -> None:
    found = class_homes({str(module.relative_to(PACKAGE)): module.read_text(encoding="utf-8") for module in MODULES})
    assert {name: modules for name, modules in found.items() if name not in SHARED} == {}
    assert found.keys() >= SHARED, "a name that is no longer shared needs no exception"


def test_the_check_of_names_has_teeth() -> None:
    sources = {"a.py": "class _Row: ...", "b.py": "def f():\n    class _Row: ...", "c.py": "class Row: ..."}
    assert class_homes(sources) == {"_Row": ["a.py", "b.py"]}


OPENED = re.compile(
    r"\bnamespace(?P<space>[\s\w:]*)\{"
    r"|\b(?:struct|class|union)\s+(?:alignas\(\w+\)\s+)?(?P<type>\w+)(?:\s+final)?\s*(?::[^;{}()]*)?\{"
    r"|[{}]"
)
QUIET = re.compile(r'//[^\n]*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'')


def types_of(source: str) -> set[str]:
    """The types that a file of C++ defines, by their whole names; those that no other file can name are left out."""
    found, within = set[str](), list[str]()
    for met in OPENED.finditer(QUIET.sub("", source)):
        if met[0] == "}":
            within.pop()
            continue
        space, of_type = met["space"], met["type"]
        if of_type is not None and "" not in within:
            found.add("::".join((*within, of_type)))
        within.append((space or of_type or "").strip())
    return found


def test_a_type_of_the_core_is_defined_once() -> None:
    """Two types of one whole name are one type to the linker, which takes the functions of either for both."""
    homes: dict[str, list[str]] = {}
    for path in sorted((ROOT / "core").rglob("*")):
        if path.suffix in (".h", ".cpp"):
            for name in types_of(path.read_text(encoding="utf-8")):
                homes.setdefault(name, []).append(path.name)
    assert len(homes) > 200
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def test_the_check_of_types_has_teeth() -> None:
    source = (
        "namespace a::b { struct C : D { struct E {}; void f() { struct F {}; } }; namespace { class G {}; } } // struct H {}"
    )
    assert types_of(source) == {"a::b::C", "a::b::C::E"}
    assert types_of("namespace a { template <class T> struct alignas(8) C final {}; class K; }") == {"a::C"}


def test_public_names_are_there_and_once() -> None:
    assert len(ls.__all__) == len(set(ls.__all__))  # the linter sees to their order
    assert all(hasattr(ls, name) for name in ls.__all__)


def test_every_public_name_loads_first() -> None:
    """In an interpreter that has loaded nothing else yet."""
    code = "import sys, littlestone; kept = dict(sys.modules)\nfor name in littlestone.__all__:\n"
    code += (
        "    for other in [m for m in sys.modules if m.startswith('littlestone.') and m not in kept]: del sys.modules[other]\n"
    )
    code += "    vars(littlestone).pop(name, None) if name in littlestone.HOMES else None\n"
    code += "    getattr(littlestone, name)\n"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_stub_is_fresh(tmp_path: Path) -> None:
    stub = tmp_path / "_core.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "littlestone._core", "-o", str(stub)]
    subprocess.run(command, check=True)
    committed = (PACKAGE / "_core.pyi").read_text(encoding="utf-8")
    assert stub.read_text(encoding="utf-8") == committed, "run `make stubs`"


def test_stubs_of_packages_are_fresh() -> None:
    tool = PACKAGE.parent.parent / "tools" / "stubs.py"
    assert subprocess.run([sys.executable, tool, "--check"], check=False).returncode == 0, "run `make stubs`"


def test_import_is_light() -> None:
    heavy = "{'scipy', 'pandas', 'polars', 'rich', 'click', 'sklearn', 'river', 'pyarrow', 'matplotlib', 'msgspec', 'uvicorn'}"
    script = f"import sys, littlestone; print(sorted({heavy} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert found.stdout.strip() == "[]"


def test_learning_arrays_needs_nothing_else() -> None:
    script = (
        "import sys, littlestone as ls; learner = ls.Learner(ls.Perceptron()); learner.learn_many([[1.0]], [1]);"
        "learner.learn_one([1.0], 1); learner.certify(); print('scipy' in sys.modules, 'rich' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert found.stdout.strip() == "False False"


def test_kernels_load_only_where_one_is_used() -> None:
    script = (
        "import sys, littlestone as ls; ls.run(ls.OneVersusRest(rule=ls.Perceptron()), [[1.0], [2.0]], ['a', 'b']);"
        "print([name for name in sys.modules if name.startswith('littlestone.kernels')])"
    )
    found = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert found.stdout.strip() == "[]"


LONGEST = 60
"""Lines of a function, its docstring among them."""


def lengths_of_functions(source: str) -> list[tuple[str, int]]:
    """The functions of a module, methods among them, with their lines; those of decorators are not counted."""
    functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return [(node.name, (node.end_lineno or 0) - node.lineno + 1) for node in functions]


def test_no_function_is_longer_than_a_screen() -> None:
    found = [
        (str(path.relative_to(PACKAGE)), name, lines)
        for path in MODULES
        for name, lines in lengths_of_functions(path.read_text(encoding="utf-8"))
        if lines > LONGEST
    ]
    assert found == []


def test_the_check_of_functions_has_teeth() -> None:
    body = "    x = 1\n" * (LONGEST - 1)
    assert lengths_of_functions(f"@final\ndef f():\n{body}") == [("f", LONGEST)]
    assert lengths_of_functions(f"async def g():\n{body}    x = 2\n") == [("g", LONGEST + 1)]


def test_no_file_is_longer_than_a_reader_keeps_in_mind() -> None:
    lengths = {path.relative_to(ROOT): path.read_text().count("\n") for path in PACKAGE.rglob("*.py")}
    assert {path: lines for path, lines in lengths.items() if lines > 450} == {}


def anchors(page: str) -> set[str]:
    """Of the titles of a page, as the site and GitHub make them."""
    titles = re.findall(r"^## (.+)$", page, flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}


def test_the_architecture_is_one_page_that_leads_to_every_decision() -> None:
    page, decisions = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("architecture.md", "decisions.md"))
    assert page.count("\n") <= 100
    assert set(re.findall(r"\(decisions\.md#([\w-]+)\)", page)) == anchors(decisions)


def test_every_room_of_the_package_is_on_the_page() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert {room for room in rooms if f"`{room}" not in page} == set()


def test_no_exceptions_to_the_checks() -> None:
    """No line is let off: the checkers' comments for that appear nowhere."""
    marks = ("# no" + "qa", "type: " + "ignore", "pragma: no" + " cover")
    for module in [*MODULES, *sorted((ROOT / "tests").glob("*.py"))]:
        text = module.read_text(encoding="utf-8")
        assert not [mark for mark in marks if mark in text], module


@pytest.mark.parametrize("tool", ["tables.py", "guarantees.py", "mutants.py"])
def test_generated_pages_are_up_to_date(tool: str) -> None:
    """After a change of a rule or a theorem: make tables."""
    subprocess.run([sys.executable, str(ROOT / "tools" / tool), "--check"], check=True)


def test_an_interpreter_without_its_lock_is_refused_in_a_sentence() -> None:
    """Simulated: the question that a free-threaded Python answers with no."""
    code = "import sys; sys._is_gil_enabled = lambda: {}\nimport littlestone; print('loaded')"
    without, with_lock = (
        subprocess.run([sys.executable, "-c", code.format(answer)], capture_output=True, text=True, check=False)
        for answer in (False, True)
    )
    assert without.stderr.splitlines()[-1].startswith(
        "ImportError: littlestone needs the global interpreter lock, which this free"
    )
    assert with_lock.stdout == "loaded\n"
