"""Arrow arrays in and out, by the Arrow PyCapsule interface."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_char_p, c_int, c_void_p
from typing import Any

from ._library import ArrowArray, ArrowSchema, ArrowStream, call, check, library

_FORMS = {"verdicts": 0, "typed": 1, "rows": 2}
_MESSAGE_BYTES = 512
_INVALID_ARROW = -5

_Release = ctypes.CFUNCTYPE(None, c_void_p)
_GetNext = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)
_GetLastError = ctypes.CFUNCTYPE(c_char_p, c_void_p)
_Destructor = ctypes.PYFUNCTYPE(None, c_void_p)

_python = ctypes.pythonapi
_get_pointer = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", _python))
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, c_void_p, c_char_p, c_void_p)(
    ("PyCapsule_New", _python)
)
_allocate = ctypes.PYFUNCTYPE(c_void_p, ctypes.c_size_t)(("PyMem_RawMalloc", _python))
_free = ctypes.PYFUNCTYPE(None, c_void_p)(("PyMem_RawFree", _python))


def _pointer(capsule: Any, name: bytes) -> int:
    return _get_pointer(id(capsule), name) or 0


def _release(structure: Any) -> None:
    if structure.release:
        _Release(structure.release)(ctypes.addressof(structure))


def _destructor(structure: Any, name: bytes) -> Any:
    # The capsule is about to go: it must not become an object of Python's again, so it is only an address here.
    def destroy(capsule: int, _get_pointer: Any = _get_pointer, _free: Any = _free) -> None:
        address = _get_pointer(capsule, name)
        _release(structure.from_address(address))
        _free(address)

    return _Destructor(destroy)


_destroy_schema = _destructor(ArrowSchema, b"arrow_schema")
_destroy_array = _destructor(ArrowArray, b"arrow_array")


class _Exported:
    """A struct array of verdicts, which any library for Arrow can take, once."""

    def __init__(self) -> None:
        self.schema = ArrowSchema()
        self.array = ArrowArray()

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        if not self.array.release:
            raise ValueError("the array was taken before")
        return (
            self._capsule(self.schema, b"arrow_schema", _destroy_schema),
            self._capsule(self.array, b"arrow_array", _destroy_array),
        )

    @staticmethod
    def _capsule(structure: Any, name: bytes, destructor: Any) -> Any:
        address = _allocate(ctypes.sizeof(structure))
        if not address:
            raise MemoryError
        # Moves the references: the structure that stays behind has nothing to release.
        ctypes.memmove(address, byref(structure), ctypes.sizeof(structure))
        structure.release = None
        return _new_capsule(address, name, ctypes.cast(destructor, c_void_p))

    def __del__(self, _release: Any = _release) -> None:
        _release(self.array)
        _release(self.schema)


def _verify(verifier: int | None, schema: int, array: int, form: int) -> _Exported:
    exported = _Exported()
    message = ctypes.create_string_buffer(_MESSAGE_BYTES)
    with call():
        status = library.skv_verify_arrow(
            verifier, schema, array, form, byref(exported.schema), byref(exported.array), message, _MESSAGE_BYTES
        )
    if status == _INVALID_ARROW:
        raise TypeError(message.value.decode())
    check(status)
    return exported


def _verify_stream(verifier: int | None, capsule: Any, form: int) -> list[_Exported]:
    address = _pointer(capsule, b"arrow_array_stream")
    stream = ArrowStream.from_address(address)
    schema = ArrowSchema()
    results: list[_Exported] = []

    def next_of(function: int, structure: Any) -> None:
        status = _GetNext(function)(address, ctypes.addressof(structure))
        if status != 0:
            text = _GetLastError(stream.get_last_error)(address)
            raise OSError(status, (text or b"the stream of Arrow's ended with an error").decode())

    next_of(stream.get_schema, schema)
    try:
        while True:
            array = ArrowArray()
            next_of(stream.get_next, array)
            if not array.release:
                return results
            try:
                results.append(_verify(verifier, ctypes.addressof(schema), ctypes.addressof(array), form))
            finally:
                _release(array)
    finally:
        _release(schema)


def verify(verifier: int | None, tokens: Any, form: str) -> Any:
    """See ``Verifier.verify_arrow``."""
    if form not in _FORMS:
        raise ValueError(f"form must be one of {', '.join(_FORMS)}")
    if not hasattr(tokens, "__arrow_c_array__") and not hasattr(tokens, "__arrow_c_stream__"):
        tokens = _converted(tokens)
    if hasattr(tokens, "__arrow_c_array__"):
        schema, array = tokens.__arrow_c_array__()
        exported = _verify(
            verifier, _pointer(schema, b"arrow_schema"), _pointer(array, b"arrow_array"), _FORMS[form]
        )
        pyarrow = _pyarrow()
        return exported if pyarrow is None else pyarrow.array(exported)
    chunks = _verify_stream(verifier, tokens.__arrow_c_stream__(), _FORMS[form])
    pyarrow = _pyarrow()
    if pyarrow is None:
        return chunks
    if not chunks:
        empty = verify(verifier, pyarrow.array([], pyarrow.string()), form)
        return pyarrow.chunked_array([], type=empty.type)
    return pyarrow.chunked_array([pyarrow.array(chunk) for chunk in chunks])


def _converted(tokens: Any) -> Any:
    """Something that pyarrow can make an array of, such as a series of pandas."""
    pyarrow = _pyarrow()
    if pyarrow is None:
        raise TypeError(f"{type(tokens).__name__} has neither __arrow_c_array__ nor __arrow_c_stream__")
    return pyarrow.array(tokens)


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        return None
    return pyarrow
