"""A wiki in a Flask application: ``flask --app "flask_app:create_app()" run``."""

from __future__ import annotations

from pathlib import Path

from flask import Flask

from examples.embedding.mounting import mounted
from wikiapi.config import Config, load_config


def create_app(config: Config | None = None) -> Flask:
    """Return the application, with the wiki below ``/docs``."""
    app = Flask(__name__)

    @app.get("/")
    def home() -> str:
        return "The shop, made with Flask\n"

    wiki = config or load_config(Path("wikiapi.toml"))
    app.wsgi_app = mounted(app.wsgi_app, {"/docs": wiki})  # type: ignore[assignment, method-assign]
    return app
