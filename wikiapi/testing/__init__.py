"""Fixtures and conformance suites for authors of plugins and clients."""
