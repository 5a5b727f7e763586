"""What the tests use of the client of the Open Inference Protocol."""

from collections.abc import Sequence
from typing import TypedDict

import numpy as np
import numpy.typing as npt

class InferenceServerException(Exception): ...

class _Tensor(TypedDict):
    name: str
    shape: list[int]

class _Server(TypedDict):
    name: str
    extensions: list[str]

class _Model(TypedDict):
    inputs: list[_Tensor]

class InferInput:
    def __init__(self, name: str, shape: Sequence[int], datatype: str) -> None: ...
    def set_data_from_numpy(self, input_tensor: npt.NDArray[np.float64], binary_data: bool = ...) -> InferInput: ...

class InferRequestedOutput:
    def __init__(self, name: str, binary_data: bool = ...) -> None: ...

class InferResult:
    def as_numpy(self, name: str) -> npt.NDArray[np.generic]: ...
    def get_response(self) -> dict[str, object]: ...

class InferenceServerClient:
    def __init__(self, url: str) -> None: ...
    def is_server_live(self) -> bool: ...
    def is_server_ready(self) -> bool: ...
    def is_model_ready(self, model_name: str, model_version: str = ...) -> bool: ...
    def get_server_metadata(self) -> _Server: ...
    def get_model_metadata(self, model_name: str) -> _Model: ...
    def infer(
        self,
        model_name: str,
        inputs: Sequence[InferInput],
        *,
        outputs: Sequence[InferRequestedOutput] | None = ...,
        request_id: str = ...,
    ) -> InferResult: ...
    def close(self) -> None: ...
