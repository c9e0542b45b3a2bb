"""A minimal Werkzeug application: the lower bound for the cost of a JSON answer."""

from __future__ import annotations

import json

from werkzeug.wrappers import Request, Response


@Request.application
def application(request: Request) -> Response:
    """Answer with the action that was requested."""
    answer = {request.args.get("action", ""): {"result": "invalid"}}
    return Response(json.dumps(answer), mimetype="application/json")
