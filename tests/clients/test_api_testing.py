"""MediaWiki's own end-to-end tests of the action API pass, as they are.

They lie outside the repository, in ``../shared/suites``; their library is in npm's registry.
"""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime

import pytest

from tests.clients.environments import ROOT, node_with
from wikiapi.testing import Declaration, DeclaredUser, Wiki

pytestmark = pytest.mark.slow

_SUITE = ROOT.parent / "shared" / "suites" / "run.sh"
_PASSWORD = "a long pass phrase for the root"
_KEY = "the key that signs requests for jobs"
_GROUPS = ("sysop", "bureaucrat", "interface-admin")
_LIBRARIES = ("api-testing@1.8.0", "mocha@11.1.0", "chai@4", "superagent", "supertest")


@pytest.mark.skipif(not _SUITE.exists(), reason="MediaWiki's suites are not in ../shared/suites")
def test_all_tests_of_the_action_api_pass() -> None:
    folder = node_with("api-testing", *_LIBRARIES)
    wiki = Declaration(
        users=[DeclaredUser("Root", groups=_GROUPS, password=_PASSWORD)],
        config={"http": {"secret_key": _KEY}},
        clock=datetime.now(UTC),
    )
    with Wiki(wiki) as served:
        command = ["bash", _SUITE, f"http://{served.host}/w/", "Root", _PASSWORD, _KEY]
        done = subprocess.run(
            command,
            env={"PATH": "/usr/bin:/bin:/usr/local/bin", "SUITE_DIR": str(folder)},
            capture_output=True,
            text=True,
            timeout=300,
        )
    assert done.stdout.splitlines()[-1:] == ["api-testing: 138 passed, 0 failed, 2 pending"], (
        done.stdout + done.stderr
    )
