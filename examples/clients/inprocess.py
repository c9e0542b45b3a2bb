"""Connect requests, and therefore mwclient, to a WSGI application in the same process."""

from __future__ import annotations

from io import BytesIO
from typing import Any
from wsgiref.types import WSGIApplication

from requests import PreparedRequest, Response, Session
from requests.adapters import HTTPAdapter
from urllib3 import HTTPResponse
from werkzeug.test import Client


class InProcess(HTTPAdapter):
    """A transport adapter without a socket. It stores the application's cookies."""

    def __init__(self, app: WSGIApplication) -> None:
        """Initialise the adapter with the application."""
        super().__init__()
        self._client = Client(app)

    def send(self, request: PreparedRequest, *args: Any, **options: Any) -> Response:
        """Send a request to the application and return its response."""
        answer = self._client.open(
            request.path_url,
            method=request.method or "GET",
            headers=list(request.headers.items()),
            data=request.body,
        )
        received = HTTPResponse(
            body=BytesIO(answer.data),
            headers=dict(answer.headers),
            status=answer.status_code,
            preload_content=False,
        )
        return self.build_response(request, received)


def session(app: WSGIApplication) -> Session:
    """Return a session that sends all requests to the application, whatever their host."""
    requests_session = Session()
    requests_session.mount("http://", InProcess(app))
    return requests_session
