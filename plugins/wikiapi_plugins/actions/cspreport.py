"""``action=cspreport``: receiving browsers' reports of content security policy violations.

https://www.w3.org/TR/CSP2/#violation-reports
"""

from __future__ import annotations

import json
import logging
import re

from wikiapi.api import Action, boolean, string
from wikiapi.errors import ApiError
from wikiapi.languages import Message

logger = logging.getLogger(__name__)

_MEDIA_TYPES = frozenset({"application/csp-report", "application/json"})
_MAX_BYTES = 8192
_LONGEST_SOURCE = 200
_REPORT = "csp-report"
_BAD_REQUEST = 400
_MAX_DEPTH = 512
"""PHP's limit. That of Python depends on its version."""
_MARKS = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[][{}]', re.DOTALL)
"""Strings, which may contain brackets, and brackets."""
_STEPS = {b"[": 1, b"{": 1, b"]": -1, b"}": -1}


class CspReport(Action):
    """Receive browsers' reports of violations of the content security policy."""

    name = "cspreport"
    position = 22
    needs_read = False
    must_be_posted = True
    is_internal = True
    params = (
        boolean("reportonly", "The policy is only monitored, not enforced."),
        string("source", "What generated the policy.", default="internal"),
    )
    examples = (("action=cspreport", "The request of a browser"),)

    def execute(self) -> None:
        """Write the report into the log.

        Raises:
            ApiError: the body is not a report; the HTTP status is 400.
        """
        report = self._report()
        kind = "report-only policy" if self.p.flag("reportonly") else "policy"
        source = json.dumps(self.p.text("source")[:_LONGEST_SOURCE])
        logger.warning("A browser reports a violation of the %s of %s: %s", kind, source, report)
        self.result.set((), self.name, "success")

    def _report(self) -> str:
        """Return the report, as JSON in ASCII."""
        request = self.context.request
        media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type not in _MEDIA_TYPES:
            raise _refused("wrongformat")
        if len(request.body) > _MAX_BYTES:
            raise _refused("toobig")
        depth = deepest = 0
        for mark in _MARKS.findall(request.body):
            depth += _STEPS.get(mark, 0)
            deepest = max(deepest, depth)
        if deepest > _MAX_DEPTH:
            raise _refused("json-error-depth")
        try:
            sent = json.loads(request.body)
            if isinstance(sent, dict) and sent.get(_REPORT) is not None:
                return json.dumps(sent[_REPORT], sort_keys=True)
        except UnicodeDecodeError as error:
            raise _refused("json-error-utf8") from error
        except ValueError as error:
            raise _refused("json-error-syntax") from error
        raise _refused("missingkey")


def _refused(fault: str) -> ApiError:
    message = Message("apierror-csp-report", (fault,))
    return ApiError(f"cspreport-{fault}", message, status=_BAD_REQUEST)
