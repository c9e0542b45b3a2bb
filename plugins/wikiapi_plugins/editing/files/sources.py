"""Getting the data of an upload from the request, the stash or another server."""

from __future__ import annotations

import fnmatch
from typing import NamedTuple
from urllib.parse import urlsplit

from wikiapi.api import WriteAction
from wikiapi.errors import ApiError
from wikiapi.fetching import Busy, HttpClient, Unacceptable, WebAddress
from wikiapi.languages import Message, Num, Plain, plain_list
from wikiapi_plugins.query.files.stash import Stash, Stashed, is_key

_SECONDS = 25.0
"""Timeout for fetching a file from another server."""


class Source(NamedTuple):
    """The data of an upload.

    ``stashed`` is the stashed file to publish or, for a chunk, the upload that it continues. With a
    ``url``, the data is still to be fetched.
    """

    data: bytes
    stashed: Stashed | None = None
    url: str = ""
    is_chunk: bool = False


def find_source(action: WriteAction) -> Source:
    """Return the source of the data that a request contains or refers to.

    Raises:
        ApiError: there is no source, there are several, or the stash has no such file.
    """
    chunk = action.context.request.files.get("chunk")
    file = action.context.request.files.get("file")
    key = action.p.text_or_none("filekey") or action.p.text_or_none("sessionkey")
    url = action.p.text_or_none("url")
    if chunk is None:
        values = {"filekey": key, "file": file, "url": url}
        names = list(values)
        used = [name for name in names if values[name] is not None and values[name] != ""]
        if len(used) > 1:
            message = Message("apierror-invalidparammix", (plain_list(used), Num(len(used))))
            raise ApiError("invalidparammix", message)
        if not used:
            message = Message("apierror-missingparam-one-of", (plain_list(names), Num(len(names))))
            raise ApiError("missingparam", message)
    if action.p.text_or_none("filename") is None:
        raise ApiError("nofilename", "paramvalidator-missingparam", Plain("filename"))
    if chunk is not None:
        return Source(chunk.data, _continued(action, key), is_chunk=True)
    if key:
        if not is_key(key):
            raise ApiError("invalid-file-key", "apierror-invalid-file-key")
        return Source(b"", Stash(action.context).complete(key))
    if file is not None:
        return Source(file.data)
    _check_address(action, url or "")
    return Source(b"", url=url or "")


def _continued(action: WriteAction, key: str | None) -> Stashed | None:
    """Return the upload that a chunk continues; ``None`` for the first chunk."""
    offset = action.p.number_or_none("offset")
    if not key:
        if offset != 0:
            raise ApiError("filekeyneeded", "apierror-upload-filekeyneeded")
        return None
    if offset == 0:
        raise ApiError("filekeynotallowed", "apierror-upload-filekeynotallowed")
    return Stash(action.context).incomplete(key)


def _check_address(action: WriteAction, url: str) -> None:
    """Refuse URLs on servers that are not allowed by ``upload_hosts``."""
    hosts = action.site.config.editing.upload_hosts
    if not hosts:
        raise ApiError("copyuploaddisabled", "copyuploaddisabled")
    try:
        host = (urlsplit(url).hostname or "").lower()
    except ValueError:
        host = ""
    if not any(fnmatch.fnmatchcase(host, allowed.lower()) for allowed in hosts):
        raise ApiError("copyuploadbaddomain", "apierror-copyuploadbaddomain")


def fetch(action: WriteAction, url: str) -> bytes:
    """Return the data at a URL. Redirects are not followed.

    Raises:
        ApiError: ``http-invalid-url``, or ``http-request-error`` without a usable answer.
    """
    try:
        host = WebAddress.of(url).host
    except ValueError as error:
        raise ApiError("http-invalid-url", "http-invalid-url", Plain(url)) from error
    client = HttpClient(idle_seconds=_SECONDS, max_bytes=action.site.config.editing.upload_bytes)
    try:
        return client.fetch(url, seconds=_SECONDS).body
    except Unacceptable as error:
        problem = f"{host} {error}"
        raise ApiError("http-request-error", "http-request-error", problem) from error
    except Busy as error:
        raise ApiError("http-request-error", "http-request-error", str(error)) from error
