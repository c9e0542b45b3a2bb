"""A wiki in a Django project, in a single file. In a real project this belongs in ``wsgi.py``."""

from __future__ import annotations

from wsgiref.types import WSGIApplication

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path

from wikiapi.config import Config
from wikiapi.http import mount


def home(_request: HttpRequest) -> HttpResponse:
    """Show the home page of the project."""
    return HttpResponse("The shop, made with Django\n")


urlpatterns = [path("", home)]


def make_application(config: Config) -> WSGIApplication:
    """Return the application for ``WSGI_APPLICATION``, with the wiki below ``/handbook``.

    Django's middleware does not process the wiki's requests.
    """
    if not settings.configured:
        settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["127.0.0.1", "localhost"])
    return mount(get_wsgi_application(), {"/handbook": config})
