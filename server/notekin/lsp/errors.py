"""Errors on the wire: codes, and sentences that give nothing away."""

import logging
import traceback

from pygls.exceptions import JsonRpcException

from notekin.app.errors import BadRequest, Cancelled, NotekinError
from notekin_protocol.convert import MalformedParams

logger = logging.getLogger(__name__)

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
NOT_INITIALIZED = -32002
CANCELLED = -32800
REQUEST_FAILED = -32803


def explained(error: BaseException) -> tuple[int, str]:
    """Return code and sentence for an error; an unforeseen one is logged by where it arose."""
    match error:
        case BadRequest():
            return INVALID_PARAMS, str(error)
        case Cancelled():
            return CANCELLED, str(error)
        case NotekinError():
            return REQUEST_FAILED, str(error)
        case MalformedParams():
            return INVALID_PARAMS, str(error)
        case JsonRpcException():
            return error.code, error.message
        case _:
            logger.error("%s in %s", type(error).__name__, _where(error))
            kind = type(error).__name__
            return INTERNAL_ERROR, f"notekin failed unexpectedly ({kind}); its log says where."


def log_failure(what: str, error: BaseException) -> None:
    """Log what came of an error. No traceback: it may quote a note, and it names folders."""
    logger.error("%s: %s", what, explained(error)[1])


def _where(error: BaseException) -> str:
    """Return the functions an error passed through: no paths, no values, no note's text."""
    frames = traceback.extract_tb(error.__traceback__)
    return " > ".join(f"{frame.name}:{frame.lineno}" for frame in frames)
