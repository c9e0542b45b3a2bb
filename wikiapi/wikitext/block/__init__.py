"""Markup of whole lines: headings, tables, lists, paragraphs, rules."""
