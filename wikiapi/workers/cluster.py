"""The workers of a cluster of Dask, as an executor, see https://distributed.dask.org.

Dask brings messages, retries and the commands that start a cluster. Each task is sent with all that
it needs, so that any worker can run it, again if need be.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from functools import partial
from importlib import import_module
from threading import get_ident
from typing import Any, ParamSpec, TypeVar

from wikiapi.workers.executor import Answer, BatchFailed, Recorder

logger = logging.getLogger(__name__)

Result = TypeVar("Result")
_Params = ParamSpec("_Params")

_CONNECT_SECONDS = 15
_RETRIES = 2
"""How often a task that raised an error is repeated, for example because a database was restarted.

How many workers may die in one task is a setting of the scheduler, ``allowed-failures``.
"""
_AHEAD = 2


class ClusterUnavailable(BatchFailed):
    """Dask is not installed, or the scheduler cannot be reached; the text says which."""


class ClusterExecutor(Executor):
    """Runs functions on the workers of a cluster. At the end of its block, tasks are cancelled.

    Workers may come and go. A task whose worker dies is run by another one.
    """

    def __init__(self, address: str) -> None:
        """Connect to the scheduler at an address such as ``tcp://HOST:8786``.

        Raises:
            ClusterUnavailable: Dask is not installed, or the scheduler does not answer.
        """
        try:
            distributed = import_module("distributed")
        except ImportError as error:
            text = "a cluster needs Dask: pip install 'wikiapi-server[cluster]'"
            raise ClusterUnavailable(text) from error
        self._address = address
        try:
            self._client: Any = distributed.Client(
                address, timeout=_CONNECT_SECONDS, set_as_default=False
            )
        except (OSError, ValueError) as error:
            reason = " ".join(str(error).split())
            raise ClusterUnavailable(
                f"no scheduler of Dask answers at {address}: {reason}"
            ) from error
        self._worker_died = distributed.KilledWorker
        self._executor: Executor = self._client.get_executor(pure=False, retries=_RETRIES)
        if not self._client.nthreads():
            logger.warning("the cluster at %s has no workers yet: waiting for the first", address)

    def ahead(self) -> int:
        """Return how many tasks are submitted in advance, so that no worker waits."""
        threads: int = sum(self._client.nthreads().values())
        return _AHEAD * max(1, threads)

    def submit(
        self,
        fn: Callable[_Params, Result],
        /,
        *args: _Params.args,
        **kwargs: _Params.kwargs,
    ) -> Future[Result]:
        """Run a picklable function on one of the workers, and return its future result.

        The exception of the future is `BatchFailed`, whatever the function raises.
        """
        future: Future[Result] = Future()
        task = self._executor.submit(_answer, partial(fn, *args, **kwargs))
        task.add_done_callback(partial(self._finish, future))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster, which goes on running.

        Args:
            wait: whether to wait until the tasks have ended.
            cancel_futures: whether they are cancelled instead.
        """
        self._executor.shutdown(wait=wait and not cancel_futures)
        self._client.close()

    def __exit__(self, *exception: object) -> None:
        self.shutdown(cancel_futures=True)

    def _finish(self, future: Future[Any], task: Future[Answer]) -> None:
        """Give a future the outcome of its task."""
        if not future.set_running_or_notify_cancel():
            return
        try:
            answer = task.result()
        except self._worker_died as error:
            where = f"the last was {error.last_worker.address}"
            text = f"{error.allowed_failures + 1} workers have died in the same task; {where}"
            future.set_exception(BatchFailed(text))
        except CancelledError:
            text = f"the connection to the scheduler at {self._address} was lost"
            future.set_exception(BatchFailed(text))
        except Exception as error:
            future.set_exception(error)
        else:
            answer.log()
            future.set_result(answer.result)


def _answer(call: Callable[[], Any]) -> Answer:
    """Run a function in a worker, and return its result with the log records of the work.

    Raises:
        BatchFailed: the function raised an error, which may not be one that can be sent.
    """
    recorder, thread = Recorder(), get_ident()
    recorder.addFilter(lambda record: record.thread == thread)
    logging.getLogger().addHandler(recorder)
    try:
        return Answer(call(), recorder.take())
    except Exception as error:
        raise BatchFailed(f"{type(error).__name__}: {error}") from None
    finally:
        logging.getLogger().removeHandler(recorder)
