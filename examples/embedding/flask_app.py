"""A wiki in a Flask application: ``flask --app "flask_app:create_app()" run``."""

from __future__ import annotations

from flask import Flask

from wikiapi.config import Config
from wikiapi.http import mount


def create_app(config: Config | None = None) -> Flask:
    """Return the application, with the wiki below ``/handbook``."""
    app = Flask(__name__)

    @app.get("/")
    def home() -> str:
        return "The shop, made with Flask\n"

    wiki = config or "wikiapi.toml"
    app.wsgi_app = mount(app.wsgi_app, {"/handbook": wiki})  # type: ignore[assignment, method-assign]
    return app
