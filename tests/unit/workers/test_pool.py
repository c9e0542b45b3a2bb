from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.processes import environment
from wikiapi.workers.pool import JobFailed, Limits, WorkerPool, WorkerUnavailable

TASK = Path(__file__).with_name("task.py")
LIMITS = Limits(seconds=1.0, memory=128 * 1024 * 1024)
LONG = 60.0
SERVER = f"""
import sys, threading
from pathlib import Path
from wikiapi.workers.pool import Limits, WorkerPool
pool = WorkerPool(Path({str(TASK)!r}), Limits(5, 1 << 27))
print(pool.run({{}}, 60).result, flush=True)
"""


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    pool = WorkerPool(TASK, LIMITS)
    yield pool
    pool.close()


def is_gone(pid: int) -> bool:
    """Return whether a process has ended; its parent may not have waited for it."""
    for _ in range(600):
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize(
    "value", [None, 1, "", "ж\ud800\0", [1, {"a": "b"}], "x" * 3_000_000], ids=lambda v: str(v)[:9]
)
def test_what_is_sent_comes_back(pool: WorkerPool, value: object) -> None:
    assert pool.run({"echo": value}, LONG).result == value


def test_a_process_serves_until_it_is_needed_no_more(pool: WorkerPool) -> None:
    processes = {pool.run({}, LONG).result for _ in range(5)}
    assert len(processes) == pool.started == 1
    assert processes != {os.getpid()}
    pool.close()
    assert is_gone(processes.pop())


def test_threads_have_processes_of_their_own(pool: WorkerPool) -> None:
    results: list[object] = []
    meeting = threading.Barrier(3)

    def ask(number: int) -> None:
        meeting.wait()
        results.extend(pool.run({"echo": (number, n)}, LONG).result for n in range(50))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, results)) == sorted(str([a, n]) for a in range(3) for n in range(50))
    assert pool.started <= 3


def test_an_expression_that_does_not_end_is_ended(pool: WorkerPool) -> None:
    with pytest.raises(JobFailed, match="1 seconds of processor time") as failed:
        pool.run({"match": 60}, LONG)
    assert failed.value.seconds == 1.0
    assert pool.run({"echo": 1}, LONG).result == 1
    assert pool.started == 2


def test_the_processor_time_of_each_job_counts_by_itself(pool: WorkerPool) -> None:
    seconds = [pool.run({"match": 18}, LONG).seconds for _ in range(3)]
    assert all(0 < each < LIMITS.seconds for each in seconds)


def test_no_job_is_waited_for_longer_than_there_is_patience(pool: WorkerPool) -> None:
    pool.run({}, LONG)
    with pytest.raises(WorkerUnavailable, match=r"not done in 0\.2 seconds"):
        pool.run({"sleep": 600}, 0.2)
    assert pool.run({"echo": 1}, LONG).result == 1


def test_too_much_memory_fails(pool: WorkerPool) -> None:
    with pytest.raises(JobFailed, match="memory"):
        pool.run({"fill": 1 << 28}, LONG)
    assert pool.run({"fill": 1 << 24, "echo": 1}, LONG).result == 1


def test_an_error_is_of_the_job_and_the_process_goes_on(pool: WorkerPool) -> None:
    with pytest.raises(JobFailed, match="ValueError: no such thing"):
        pool.run({"fail": "no such thing"}, LONG)
    assert pool.run({"echo": 1}, LONG).result == 1
    assert pool.started == 1


@pytest.mark.parametrize(
    ("job", "error"),
    [
        ({"signal": "SIGKILL"}, WorkerUnavailable),
        ({"exit": 3}, WorkerUnavailable),
        ({"signal": "SIGSEGV"}, JobFailed),
    ],
)
def test_a_process_that_ends_is_replaced(
    pool: WorkerPool, job: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        pool.run(job, LONG)
    assert pool.run({"echo": 1}, LONG).result == 1


def test_one_that_ended_while_idle_is_replaced(pool: WorkerPool) -> None:
    pid = pool.run({}, LONG).result
    os.kill(pid, signal.SIGKILL)
    assert is_gone(pid)
    assert pool.run({"echo": 1}, LONG).result == 1


def test_a_signal_for_the_server_does_not_stop_its_workers(pool: WorkerPool) -> None:
    pid = pool.run({}, LONG).result
    for number in (signal.SIGTERM, signal.SIGINT):
        os.kill(pid, number)
    assert pool.run({}, LONG).result == pid


def test_output_of_a_task_is_not_an_answer(pool: WorkerPool) -> None:
    assert pool.run({"print": "x" * 100, "echo": 1}, LONG).result == 1


def test_files_are_written_only_where_that_is_allowed(tmp_path: Path) -> None:
    path = tmp_path / "written"
    for most, size in ((0, 0), (100, 100), (1000, 1000)):
        pool = WorkerPool(TASK, LIMITS._replace(file_bytes=most))
        if size < 1000:
            with pytest.raises(JobFailed, match="OSError"):
                pool.run({"write": str(path)}, LONG)
        else:
            pool.run({"write": str(path)}, LONG)
        assert path.stat().st_size == size
        pool.close()


def test_where_none_can_be_started_none_is_for_a_while(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(sys, "executable", str(TASK.parent / "nothing"))
        for _ in range(3):
            with pytest.raises(WorkerUnavailable):
                pool.run({}, LONG)
    assert pool.started == 1
    assert caplog.text.count("task cannot run") == 1
    monkeypatch.setattr(pool, "_not_before", 0.0)
    assert pool.run({"echo": 1}, LONG).result == 1


def test_a_task_that_cannot_be_loaded_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("import nothing_of_that_name")
    with pytest.raises(WorkerUnavailable, match="cannot load"):
        WorkerPool(tmp_path / "broken.py", LIMITS).run({}, LONG)


def test_one_that_is_not_waited_for_does_not_stop_others(pool: WorkerPool) -> None:
    with pytest.raises(WorkerUnavailable, match="not started"):
        pool.run({}, 0.0)
    assert pool.run({"echo": 1}, LONG).result == 1


def test_a_system_without_pipes_to_wait_for_has_none(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("wikiapi.workers.pool.select.poll")
    with pytest.raises(WorkerUnavailable):
        pool.run({}, LONG)


@pytest.mark.parametrize(
    "busy", ["", "threading.Thread(target=pool.run, args=({'match': 60}, 60)).start()"]
)
def test_they_end_with_a_server_that_is_killed(busy: str) -> None:
    script = f"{SERVER}{busy}\nsys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    ) as server:
        assert server.stdout
        pid = int(server.stdout.readline())
        server.kill()
    assert is_gone(pid)


def test_a_copy_of_the_process_keeps_none_alive_and_starts_its_own() -> None:
    script = f"""{SERVER}
import os
if os.fork() == 0:
    print(os.getpid(), flush=True)
    sys.stdin.readline()
    print(pool.run({{}}, 60).result, flush=True)
    os._exit(0)
sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    ) as server:
        assert server.stdout
        assert server.stdin
        first, copy = int(server.stdout.readline()), int(server.stdout.readline())
        server.kill()
        assert is_gone(first)
        assert psutil.Process(copy).status() != psutil.STATUS_ZOMBIE
        server.stdin.write(b"\n")
        server.stdin.flush()
        second = int(server.stdout.readline())
    assert second != first
    assert is_gone(second)
