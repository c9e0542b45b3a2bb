"""Texts that are slow if any step of the parser is not linear, by name, as functions of a size.

``tests/unit/wikitext/test_threats.py`` counts the parser's steps on them,
``bench/hostile.py`` measures the time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

TEXTS: Mapping[str, Callable[[int], str]] = MappingProxyType(
    {
        "apostrophes": lambda n: "'" * 10 * n,
        "bold runs": lambda n: "'''a" * n,
        "attributes": lambda n: "<div " + "a=b " * 2 * n + ">",
        "open attributes": lambda n: "<div " + "a=b " * 2 * n,
        "namespace declarations": lambda n: "<b " + "xmlns:a=b " * n + ">",
        "open addresses": lambda n: "[http://a " * 2 * n,
        "addresses": lambda n: "[http://a]b http://a " * n,
        "parentheses": lambda n: "http://a" + "(.)" * n,
        "dot segments": lambda n: "[http://a" + "/a/.." * n + " x]",
        "linked addresses": lambda n: "[[http://a b " * 2 * n,
        "comments": lambda n: "<!--" * 5 * n,
        "nowiki": lambda n: "<nowiki>" * 5 * n,
        "nowiki within pre": lambda n: "<pre>" + "<nowiki>" * n + "</pre>",
        "headings": lambda n: "== a ==\n" * 2 * n,
        "headings with numbers": lambda n: "== a ==\n== a_2 ==\n" * n,
        "open headings": lambda n: "<h2>" * n,
        "crossed headings": lambda n: "<h1>" * n + "</h2>" * n,
        "equals signs": lambda n: "=" * n + "\na\n" + "=" * n,
        "contents": lambda n: "__TOC__" * n,
        "arguments": lambda n: "{{{" * 2 * n + "}}}" * 2 * n,
        "functions": lambda n: "{{lc:" * 2 * n + "}}" * 2 * n,
        "divisions": lambda n: "<div>" * n + "</div>" * n,
        "open divisions": lambda n: "<div>" * n,
        "open formatting": lambda n: "<b>" * n + "a",
        "formatting around blocks": lambda n: "<b><div>" * n,
        "formatting around paragraphs": lambda n: "<b>x<p>" * n,
        "split formatting": lambda n: "<b>" * 20 + "x<div>y</div>" * n,
        "spans": lambda n: "<span>" * n + "<div>a</div>",
        "spans around blocks": lambda n: "<span><div>a</div></span>" * n,
        "quotations": lambda n: "<blockquote>" * n + "a",
        "terms": lambda n: ":;" * n,
        "colons": lambda n: ";" * 2 * n + "<b>:" * n,
        "lists": lambda n: "".join("*" * (1 + i % 40) + "a\n" for i in range(n)),
        "deep lists": lambda n: "*" * 10 * n + "a\n*a",
        "tables": lambda n: "{|\n|a\n" * n,
        "cells": lambda n: "{|\n" + "|a||b\n" * n + "|}",
        "header cells": lambda n: "{|\n!" + "!!a" * n,
        "text out of tables": lambda n: "{|\n" + "x\n<b>" * n + "|}",
        "open links": lambda n: "[[" * 3 * n,
        "open labels": lambda n: "[[a|" * 3 * n,
        "links": lambda n: "[[A]] " * n,
        "categories": lambda n: "[[Category:A]]\n" * n,
        "categories behind blanks": lambda n: " \n \n[[Category:A]]" * n,
        "newlines before a category": lambda n: "\n" * n + "x[[Category:A]]",
        "open files": lambda n: "[[File:A|" * 2 * n,
        "links in a caption": lambda n: "[[File:A|thumb|" + "[[a]]" * n + "]]",
        "gallery": lambda n: "<gallery>\n" + "File:A\n" * n + "</gallery>",
        "redirect": lambda n: "#REDIRECT" + " " * 20 * n + "[[",
        "references": lambda n: "&#x" * 5 * n,
        "escapes in styles": lambda n: '<div style="' + "\\65" * 3 * n + '">',
        "comments in styles": lambda n: '<div style="' + "/*" * 3 * n + '">',
        "functions in styles": lambda n: '<div style="' + "attr( " * 3 * n + '">',
        "blanks in styles": lambda n: '<div style="' + "url " + " " * 3 * n + '">',
        "indented lines": lambda n: " a\n" * n,
        "paragraphs": lambda n: "a\n\n" * n,
        "angle brackets": lambda n: "<" * 5 * n + ">" * 5 * n,
        "converters": lambda n: "-{" * n,
        "spaces of French": lambda n: " :« " * n,
        "open extension tags": lambda n: "<pre><gallery>" * n,
    }
)
