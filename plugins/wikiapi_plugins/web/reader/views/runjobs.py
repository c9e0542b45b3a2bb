"""``Special:RunJobs``: a program that knows the secret key asks for what waits to be done.

MediaWiki has a queue of jobs, which its test suites wait for in this way. Here all is done within
the request that causes it, but the links of pages that could not be derived then.
"""

from __future__ import annotations

import hmac
import re
import time
from typing import Any
from urllib.parse import urlencode

import orjson

from wikiapi.http import Reply
from wikiapi.pages import derive_waiting
from wikiapi.title import Title
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.replies import content_reply

_SIGNED = ("async", "maxjobs", "maxtime", "sigexpiry", "stats", "tasks", "title", "type")
"""The parameters that the signature covers, if they are sent."""
_REQUIRED = ("sigexpiry", "signature", "tasks", "title")
_NUMBER = re.compile(r"[0-9]{1,12}\Z", re.ASCII)
_MAX_JOBS = 1_000


def run_jobs(context: ViewContext, _title: Title) -> Reply:
    """Derive the links of pages that wait for it, and answer what was done.

    The request is signed with ``http.secret_key``: ``signature`` is the SHA-1 HMAC of the other
    parameters in the order of their names. With ``async``, nothing is told of the jobs; with
    ``stats``, the answer is JSON: ``jobs``, and ``reached``, the reason why no more were done.
    """
    params = context.request.params
    if not context.site.is_writable:
        return _refusal(423, "The wiki is read-only.")
    if context.request.method != "POST":
        return _refusal(400, "Special:RunJobs must be posted.")
    missing = [name for name in _REQUIRED if name not in params]
    if missing:
        return _refusal(400, f"These parameters are missing: {', '.join(missing)}.")
    expiry, now = params["sigexpiry"], context.site.clock().timestamp()
    if not _is_signed(context) or not _NUMBER.match(expiry) or int(expiry) <= now:
        return _refusal(403, "The signature is wrong or has expired.")
    limit = int(params["maxjobs"]) if _NUMBER.match(params.get("maxjobs", "")) else 0
    started = time.monotonic()
    done = derive_waiting(context.site, min(limit or _MAX_JOBS, _MAX_JOBS))
    if params.get("async") or not params.get("stats"):
        status = 202 if params.get("async") else 204
        return content_reply(b"", "text/plain; charset=utf-8", status=status)
    answer: dict[str, Any] = {
        "jobs": [{"type": "refreshLinks", "status": "ok", "error": ""}] * done,
        # Pages whose links cannot be derived go on waiting, and are not tried again at once.
        "reached": "job-limit" if limit and done == limit else "none-ready",
        "backoffs": {},
        "elapsed": round((time.monotonic() - started) * 1000),
    }
    return content_reply(orjson.dumps(answer), "application/json; charset=utf-8")


def _is_signed(context: ViewContext) -> bool:
    key, params = context.site.config.http.secret_key, context.request.params
    signed = urlencode([(name, params[name]) for name in _SIGNED if name in params])
    digest = hmac.new(key.encode(), signed.encode(), "sha1").hexdigest()
    # Without a configured key, each process has its own, which nobody knows.
    return bool(key) and hmac.compare_digest(digest.encode(), params["signature"].encode())


def _refusal(status: int, sentence: str) -> Reply:
    return content_reply(f"{sentence}\n".encode(), "text/plain; charset=utf-8", status=status)
