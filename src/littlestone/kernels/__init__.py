"""Kernels, and the rules that learn in their spaces; each is loaded when it is first asked for."""

from littlestone.lazy import homes, lazily

HOMES = {
    "KernelPerceptron": "kernel_perceptron",
    "KernelPassiveAggressive": "kernel_passive_aggressive",
    "KernelPassiveAggressiveRegression": "kernel_passive_aggressive",
    "KernelFixed": "kernel_fixed",
}
"""The module of every kernel rule, in the order in which the tables list them; `RULES` has the rules."""

_OTHERS = homes(
    {
        "functions": "KERNELS Custom Gaussian Kernel Laplace Linear Polynomial",
        "rule": "KernelRule",
        "support": "Support",
    }
)

__getattr__ = lazily(__name__, HOMES | _OTHERS, rules=HOMES)
__all__ = ["HOMES", "RULES", *HOMES, *_OTHERS]
