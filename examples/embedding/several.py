"""Several wikis in one process, each below the name of its configuration file.

``WIKIS`` lists the files, parted as those of ``PATH``: with ``/etc/wikiapi/en.toml`` the wiki
answers at ``/en/w/api.php``. Any WSGI server runs it; two have their configuration here::

    gunicorn --config examples/embedding/gunicorn_conf.py
    uwsgi --ini examples/embedding/uwsgi.ini

Let ``wiki_id`` differ, because cookies are named after it.
"""

from __future__ import annotations

import os
from pathlib import Path

from werkzeug.wrappers import Request, Response

from examples.embedding.mounting import mounted
from wikiapi.config import load_config


@Request.application
def front(request: Request) -> Response:
    """What answers beside the wikis."""
    return Response(f"No wiki is at {request.path}\n", 404)


files = [Path(name) for name in os.environ.get("WIKIS", "").split(os.pathsep) if name]
application = mounted(front, {f"/{file.stem}": load_config(file) for file in files})
