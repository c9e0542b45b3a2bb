"""Addresses as link tables hold them."""

from __future__ import annotations

import pytest

from wikiapi.wikitext.inline.externallinks import normalise_url


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("http://a.example/%41%2f%7E", "http://a.example/A%2F~"),
        ("http://a.example/ü^|", "http://a.example/%C3%BC%5E%7C"),
        ("http://a.example/?x=%41%26&y=[z]", "http://a.example/?x=A%26&y=%5Bz%5D"),
        ("http://a.example/#f%2Fg", "http://a.example/#f/g"),
        ("http://a.example/a/../b/./c", "http://a.example/b/c"),
        ("http://a.example/a/..", "http://a.example/"),
        ("http://a.example/../../b", "http://a.example/b"),
        ("http://[2001:DB8::1]:80/[x]", "http://[2001:DB8::1]:80/%5Bx%5D"),
        ("http://[::13.1.68.3]/", "http://%5B::13.1.68.3%5D/"),
        ("http://[::::]/", "http://%5B::::%5D/"),
        ("//a.example/%zz", "//a.example/%zz"),
        ("mailto:a%40b.example", "mailto:a@b.example"),
        ("http://a.example/\ud800", "http://a.example/?"),
    ],
)
def test_normal_form(url, normal):
    assert normalise_url(url) == normal


@pytest.mark.parametrize("url", ["http://a.example/a/b?c=%20d#e", "//[::1]/x", "urn:a:b"])
def test_normal_form_stays(url):
    assert normalise_url(normalise_url(url)) == normalise_url(url)
