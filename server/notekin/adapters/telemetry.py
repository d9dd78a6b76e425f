"""Keeps libraries from reporting what they run to their makers."""

import os
from collections.abc import Mapping

SILENT: Mapping[str, str] = {"ORT_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
"""For the environment of a process. onnxruntime looks at this once, when it is imported, which
PyMuPDF does by itself: onnxruntime's own `disable_telemetry_events` comes too late, after a
device id was written and a name looked up.
"""


def send_nothing() -> None:
    """Set `SILENT` in this process; to be called before onnxruntime is imported."""
    os.environ.update(SILENT)
