"""Several wikis in one process, each below the name of its configuration file.

The environment variable ``WIKIS`` lists the files, separated like those of ``PATH``. The wiki of
``/etc/wikiapi/en.toml`` is at ``/en/w/api.php``. Run it with any WSGI server, for example::

    gunicorn --config examples/embedding/gunicorn_conf.py
    uwsgi --ini examples/embedding/uwsgi.ini

Each wiki needs its own ``wiki_id``, because cookies are named after it.
"""

from __future__ import annotations

import os
from pathlib import Path

from werkzeug.wrappers import Request, Response

from wikiapi.http import mount


@Request.application
def front(request: Request) -> Response:
    """Answer requests outside the wikis."""
    return Response(f"No wiki is at {request.path}\n", 404)


files = [Path(name) for name in os.environ.get("WIKIS", "").split(os.pathsep) if name]
application = mount(front, {f"/{file.stem}": file for file in files})
