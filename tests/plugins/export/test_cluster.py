"""Exports of real wikis by shards and by a cluster here, also with a worker that dies."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from examples import demo_store
from tests import clusters
from tests.clusters import Cluster
from tests.plugins.export.comparing import ENDINGS, content, export
from tests.reference import material, wikis
from wikiapi.config import Config
from wikiapi.errors import StoreError
from wikiapi.store.queries.storestate import StoreState
from wikiapi_plugins.export import Shard

pytestmark = pytest.mark.slow

PATIENCE = 120.0


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with clusters.running(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Config:
    return demo_store.configure(tmp_path_factory.mktemp("demo"), "http://demo.example")


@pytest.fixture(scope="module")
def reference() -> Iterator[Config]:
    if not material.available():
        pytest.skip(material.MISSING)
    with wikis.configured() as config:
        yield config


@pytest.mark.parametrize("kind", ENDINGS)
def test_demo_wiki_is_that_of_one_process(
    cluster: Cluster, demo: Config, tmp_path: Path, kind: str
) -> None:
    alone, many = (tmp_path / f"{name}{ENDINGS[kind]}" for name in ("alone", "many"))
    export(demo, kind, alone)
    export(demo, kind, many, cluster=cluster.address)
    assert content(many) == content(alone)


@pytest.mark.parametrize("kind", ["html", "zim", "jsonl"])
def test_worker_dies_in_the_middle(reference: Config, tmp_path: Path, kind: str) -> None:
    alone, many = (tmp_path / f"{name}{ENDINGS[kind]}" for name in ("alone", "many"))
    export(reference, kind, alone)
    with clusters.running(tmp_path) as cluster:
        # It takes its tasks, but does none of them before it dies.
        cluster.wait_for_workers(3)
        cluster.workers[1].send_signal(signal.SIGSTOP)
        exporting = Thread(
            target=export, args=(reference, kind, many), kwargs={"cluster": cluster.address}
        )
        exporting.start()
        cluster.wait_for_task_of(1)
        cluster.workers[1].kill()
        exporting.join(PATIENCE)
        assert not exporting.is_alive()
    assert content(many) == content(alone)


@pytest.mark.parametrize("kind", ["html", "zim", "jsonl"])
def test_shards_of_the_reference_wiki(reference: Config, tmp_path: Path, kind: str) -> None:
    alone, merged = (tmp_path / f"{name}{ENDINGS[kind]}" for name in ("alone", "merged"))
    export(reference, kind, alone)
    for number in (1, 2, 3):
        export(reference, kind, merged, shard=Shard(number, 3))
    export(reference, kind, merged, step="merge")
    assert content(merged) == content(alone)


def test_worker_with_another_copy_of_the_store(
    cluster: Cluster, demo: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = StoreState(1, 1, 1, 1)
    monkeypatch.setattr("wikiapi.factory._state_of", lambda _: older)
    with pytest.raises(StoreError, match=r"another copy of .*demo\.sqlite"):
        export(demo, "jsonl", tmp_path / "a.jsonl", cluster=cluster.address)


def test_worker_with_other_code(
    cluster: Cluster, demo: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wikiapi.factory._installed_code", lambda: "wikiapi 0.0")
    with pytest.raises(StoreError, match=r"has .*wikiapi .* instead of wikiapi 0\.0"):
        export(demo, "jsonl", tmp_path / "a.jsonl", cluster=cluster.address)
