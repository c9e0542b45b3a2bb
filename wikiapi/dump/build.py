"""Closed nodes to records. Raises BadField for what an element must not hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.dump import fields
from wikiapi.dump.records import (
    DumpRevision,
    LogItem,
    PageHead,
    SiteInfo,
    Upload,
)

if TYPE_CHECKING:
    from wikiapi.dump.records import DumpSlot
    from wikiapi.dump.tree import Node


def site_info(node: Node, language: str) -> SiteInfo:
    """``<siteinfo>``; the language stands outside of it, on the root element."""
    texts = node.texts
    listed = node.children.get("namespaces")
    namespaces = listed[0].entries if listed else []
    return SiteInfo(
        texts.get("sitename", ""),
        texts.get("dbname", ""),
        texts.get("base", ""),
        texts.get("generator", ""),
        language,
        texts.get("case") != "case-sensitive",
        tuple(fields.namespace(attributes, name) for attributes, name in namespaces),
    )


def page_head(node: Node) -> PageHead:
    """What stands in ``<page>`` before its revisions."""
    texts = node.texts
    title = texts.get("title")
    if not title:
        raise fields.BadField("a <page> without <title>")
    redirect = node.attributes.get("redirect", {}).get("title")
    return PageHead(
        fields.identifier(node, "id"),
        fields.optional(node, "ns"),
        title,
        redirect or texts.get("redirect"),
        texts.get("restrictions", ""),
    )


def revision(node: Node) -> DumpRevision:
    """``<revision>`` with its slots, the main one first and the rest by name."""
    texts = node.texts
    number = fields.identifier(node, "id")
    slots = [fields.slot(node, number)]
    if more := node.children.get("content"):
        slots += sorted((fields.slot(content, number) for content in more), key=_role)
        if len(set(map(_role, slots))) < len(slots):
            raise fields.BadField("a <revision> with two slots of one name")
    return DumpRevision(
        number,
        fields.optional(node, "parentid"),
        fields.timestamp(node),
        fields.contributor(node),
        texts.get("comment", ""),
        "minor" in texts,
        fields.hidden(node),
        tuple(slots),
    )


def _role(slot: DumpSlot) -> str:
    return slot.role


def log_item(node: Node) -> LogItem:
    """``<logitem>``."""
    texts = node.texts
    return LogItem(
        fields.identifier(node, "id"),
        fields.timestamp(node),
        fields.contributor(node),
        texts.get("comment", ""),
        texts.get("type", ""),
        texts.get("action", ""),
        texts.get("logtitle", ""),
        texts.get("params", ""),
        fields.hidden(node),
    )


def upload(node: Node) -> Upload:
    """``<upload>``, one version of a file."""
    texts = node.texts
    return Upload(
        fields.timestamp(node),
        fields.contributor(node),
        texts.get("comment", ""),
        texts.get("filename", ""),
        fields.file_size(node),
        fields.sha1(texts.get("sha1base36", "")),
        texts.get("archivename", ""),
    )
