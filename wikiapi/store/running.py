"""Running statements: deadlines, replicas, connections, transactions, and who observes them.

:meth:`StatementRunner._run` is the only way to run a statement. It is on a connection of the
thread's transaction, of a replica or of the primary database, ends by the thread's deadline, is
reported to observers, and its errors become StoreErrors. Statements that begin and end transactions
are run by :meth:`StatementRunner._control_transaction`.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from itertools import count
from operator import attrgetter
from typing import Any, Protocol, TypeVar

from wikiapi.errors import StoreBusy, StoreConflict, StoreError, StoreTimeout, StoreUnavailable
from wikiapi.store.engines.base import Engine, Session
from wikiapi.store.engines.dialect import BoundStatement, Place
from wikiapi.store.recording import QueryRecord, record
from wikiapi.store.replication import Lags, Progress
from wikiapi.store.sql.statements import Row
from wikiapi.store.turns import Turns
from wikiapi.temporary import temporary_attribute

MOST_ATTEMPTS = 40
"""How often a transaction is begun that others undo: by deadlocks, and on other nodes."""
_SHARED_ATTEMPTS = 3
"""How often a transaction that shares the lock for writing is undone before it is alone."""
_SHORTEST_PAUSE, _LONGEST_PAUSE = 8, 500
"""The greatest pauses in milliseconds before the second and before later attempts."""
SUSPENSION = 30.0
"""Seconds for which a replica that failed is not used."""
MAX_LAG = 6.0
"""Default for the seconds that a replica that is used may lag."""
PATIENCE = 1.0
"""Seconds to wait for a replica that has what the client has written, before the primary is used.
"""
_LOOK = 0.01
"""Seconds between two looks at a replica that is waited for."""

T = TypeVar("T")
C = TypeVar("C", bound="Callable[[], object]")
L = TypeVar("L", bound="LastWork")

Work = Callable[[Any, str, Any], T]
"""Runs SQL with its values on a driver's connection."""

Observer = Callable[[QueryRecord], None]


_PAUSE = 0.1
"""Total seconds between statements after which ``moment`` is moved, as moving it costs time."""


class Deadline:
    """The time by which a thread's statements must end.

    They must end within ``seconds``, and may not take more than ``work`` seconds in total. Time
    between statements does not count as work, so that a page whose Lua modules compute for a long
    time can still query its links.
    """

    __slots__ = ("_end", "_pauses", "ended", "moment")

    def __init__(self, seconds: float, work: float | None, outer: Deadline | None = None) -> None:
        """Start the time now. An ``outer`` deadline that ends sooner remains in force."""
        now = time.monotonic()
        self._end = now + seconds
        self.moment = self._end if work is None else min(self._end, now + work)
        if outer:
            self._end = min(self._end, outer._end)
            self.moment = min(self.moment, outer.moment)
        self.ended = now
        """When the last statement ended, which whoever runs it sets."""
        self._pauses = 0.0

    def begin(self) -> None:
        """Note that a statement begins, which may run until ``moment`` of the monotonic clock.

        Raises:
            StoreTimeout: that time has passed.
        """
        now = time.monotonic()
        self._pauses += now - self.ended
        if self._pauses > _PAUSE:
            self.moment = min(self._end, self.moment + self._pauses)
            self._pauses = 0.0
        if now > self.moment:
            raise StoreTimeout("the time for this request is up")


class LastWork(Protocol):
    """Statements that a transaction runs last, because they change rows that all writers change.

    Others wait for such a row from then on until the transaction is committed.
    """

    place: int
    """Those with the lowest number are run first, in all transactions: they cannot deadlock.

    1 counts edits, pages and articles, 2 advances the generation, 3 checks the inserted ids.
    """

    def statements(self) -> Iterable[BoundStatement]:
        """Return the statements."""


class _ThreadState(threading.local):
    observers: tuple[tuple[float, Observer], ...] = ()
    """Functions that receive the statements that take at least so many seconds."""
    module: Callable[[], str] = str
    """Returns the name of the API module that is running."""
    deadline: Deadline | None = None
    session: Session | None = None
    """The connection of this thread's transaction."""
    replica: int | None = None
    """The number of the replica to read from first, if it stays the same."""
    is_on_primary: bool = False
    is_ahead: bool = False
    """Whether the client has written what no replica has, until the next turn."""
    seen: int = 0
    """The position that a replica must have reached to be read from; 0 for any."""
    has_written: bool = False
    """Whether this thread has committed a transaction since it began to follow a client."""
    has_failed: bool = False
    """Whether a part of this thread's transaction has failed, so that all of it must be undone."""
    is_sharing: bool = False
    """Whether others can write during this thread's transaction."""
    conflicts: int = 0
    """How often others have undone the transaction that this thread is trying to run."""
    at_end: tuple[LastWork, ...] = ()
    """What is to be run before this thread's transaction is committed."""
    numbered: frozenset[tuple[Place, Place]] = frozenset()
    """The columns into which this thread's transaction has inserted ids: see ``number_above``."""
    after_commit: tuple[Callable[[], object], ...] = ()
    """What is to be called when this thread's transaction is committed."""

    @property
    def moment(self) -> float | None:
        """The time of the monotonic clock until which a statement may run; None for no limit."""
        return None if self.deadline is None else self.deadline.moment


class Source:
    """The primary database or a replica, and the connections of this process to it."""

    def __init__(self, engine: Engine, size: int) -> None:
        """Take the engine and the maximum number of connections, none of which is opened yet."""
        self.engine = engine
        self.connections = engine.connections(size)
        self.suspended_until = 0.0
        """The time of the monotonic clock until which a replica that failed is not used."""

    def run(self, work: Work[T], sql: str, params: Any, moment: float | None, *, again: bool) -> T:
        """Run a statement on any connection, until ``moment`` of the monotonic clock.

        With ``again``, which is for statements that only read, it is run once more on a new
        connection if the first turns out to be lost. Raises the driver's errors and
        StoreUnavailable.
        """
        session = self.connections.take(moment)
        try:
            self.engine.limit(session, moment)
            result = work(session.connection, sql, params)
        except Exception as error:
            if not self.engine.is_lost(error):
                self.connections.give(session)
                raise
            self.connections.drop(session)
            if not again:
                raise
        except BaseException:
            self.connections.drop(session)
            raise
        else:
            self.connections.give(session)
            return result
        return self.run(work, sql, params, moment, again=False)


class StatementRunner:
    """Runs statements and transactions of any thread on a primary database and its replicas.

    Replicas are read from in turn. They lag behind by different times: after :meth:`take_turn`, a
    thread reads from one replica only, as long as it is up, so that a request sees the wiki in one
    state.
    """

    def __init__(
        self,
        engine: Engine,
        replicas: Sequence[Engine],
        pool_size: int,
        *,
        read_only: bool,
        max_lag: float = MAX_LAG,
    ) -> None:
        """Take the engines, which are not contacted yet.

        Replicas that lag by more than ``max_lag`` seconds are not read from.
        """
        self.read_only = read_only
        self.dialect = engine.dialect
        """The SQL dialect of the database engine; its ``name`` identifies the engine."""
        self._engine = engine
        self._primary = Source(engine, pool_size)
        self._replicas = [Source(replica, pool_size) for replica in replicas]
        self._next_replica = count()
        self._max_lag = max_lag
        self._lags = Lags(self._position, self._progress, len(replicas))
        self._thread = _ThreadState()
        self._turns = Turns()
        self._closed = False

    # Statements

    def _run(self, work: Work[T], sql: str, params: Any, *, reading: bool = False) -> T:
        """Run a statement; only one that reads is run on a replica, or once more."""
        thread, engine = self._thread, self._engine
        deadline, observers = thread.deadline, thread.observers
        if deadline is not None:
            deadline.begin()
        start = time.perf_counter() if observers else 0.0
        try:
            moment = None if deadline is None else deadline.moment
            if thread.session is not None:
                engine.limit(thread.session, moment)
                return work(thread.session.connection, sql, params)
            if reading and self._replicas and not (thread.is_on_primary or thread.is_ahead):
                return self._run_on_replica(work, sql, params, moment)
            return self._primary.run(work, sql, params, moment, again=reading)
        except Exception as error:
            if thread.is_sharing and engine.is_duplicate(error):
                raise StoreConflict("another transaction has inserted the same row") from error
            if engine.can_translate(error):
                raise engine.translate(error) from error
            raise
        finally:
            if deadline is not None:
                deadline.ended = time.monotonic()
            if observers:
                self._report(observers, sql, params, time.perf_counter() - start)

    def _run_on_replica(self, work: Work[T], sql: str, params: Any, moment: float | None) -> T:
        """Run a statement that reads on the next replica that is up, else on the primary."""
        replica = self._thread.replica
        first = next(self._next_replica) if replica is None else replica
        for turn in range(first, first + len(self._replicas)):
            number = turn % len(self._replicas)
            source = self._replicas[number]
            if not self._is_usable(number):
                continue
            try:
                return source.run(work, sql, params, moment, again=True)
            except Exception as error:
                # What is replayed has ended the statement, which may happen to any replica.
                if source.engine.is_conflict(error):
                    continue
                # Otherwise, it is the fault of the statement rather than of the database.
                if not (isinstance(error, StoreUnavailable) or source.engine.is_lost(error)):
                    raise
                source.suspended_until = time.monotonic() + SUSPENSION
        return self._primary.run(work, sql, params, moment, again=True)

    # Replicas

    def take_turn(self) -> None:
        """Make this thread read from the next replica only, until it calls this again.

        In threads that never call this, each statement is run on the next replica. Without
        replicas, nothing happens. If this thread follows a client that has written, the replica is
        one that has this, which is waited for; if none has it in time, it is the primary.
        """
        if not self._replicas:
            return
        thread = self._thread
        thread.replica, thread.is_ahead = next(self._next_replica), False
        if thread.seen:
            replica = self._replica_at(thread.seen, thread.replica)
            thread.is_ahead = replica is None
            thread.replica = thread.replica if replica is None else replica

    @contextmanager
    def following(self, position: int) -> Iterator[None]:
        """Follow a client within the block, who has seen a position of the primary; 0 for none."""
        thread = self._thread
        thread.seen, thread.has_written = position, False
        try:
            yield
        finally:
            thread.seen = 0

    def written_position(self) -> int | None:
        """Return the primary's position if this thread has written since it follows a client.

        It is 1, which no replica is known to have reached, if the engine has no positions or does
        not answer. ``None`` if nothing was written.
        """
        return (self._position() or 1) if self._thread.has_written else None

    def lags(self) -> list[float | None]:
        """Return by how many seconds each replica lags; ``None`` if that is unknown.

        They are measured at most once a second.
        """
        if not (self._replicas and self.dialect.progress):
            return [None] * len(self._replicas)
        return self._lags.now()

    def _is_usable(self, number: int) -> bool:
        if time.monotonic() < self._replicas[number].suspended_until:
            return False
        lag = self.lags()[number]
        return lag is None or lag <= self._max_lag

    def _replica_at(self, position: int, first: int) -> int | None:
        """Return the first replica, from a number on, that has reached a position; or ``None``."""
        ends = time.monotonic() + PATIENCE
        while self.dialect.progress:
            numbers = [
                turn % len(self._replicas) for turn in range(first, first + len(self._replicas))
            ]
            reached = {n: self._progress(n) for n in numbers if self._is_usable(n)}
            for number, progress in reached.items():
                if progress is not None and progress.position >= position:
                    return number
            if not any(reached.values()) or time.monotonic() > ends:
                break
            time.sleep(_LOOK)
        return None

    def _position(self) -> int | None:
        rows = self._measure(self._primary, self.dialect.position)
        return int(rows[0][0]) if rows else None

    def _progress(self, number: int) -> Progress | None:
        rows = self._measure(self._replicas[number], self.dialect.progress)
        return Progress(int(rows[0][0] or 0), float(rows[0][1] or 0)) if rows else None

    def _measure(self, source: Source, sql: str) -> list[Row]:
        """Return the rows of a statement on a database; none if it cannot be reached."""
        if not sql or time.monotonic() < source.suspended_until:
            return []
        try:
            return source.run(source.engine.fetch, sql, (), self._thread.moment, again=True)
        except Exception as error:
            if not source.engine.can_translate(error) and not isinstance(error, StoreError):
                raise
            if source is not self._primary:
                source.suspended_until = time.monotonic() + SUSPENSION
            return []

    def _report(
        self,
        observers: Sequence[tuple[float, Observer]],
        sql: str,
        params: Any,
        seconds: float,
    ) -> None:
        if all(seconds < least for least, _ in observers):
            return
        # The rows of an insert may be an iterator, which is exhausted by now.
        values = params if isinstance(params, list | tuple) else ()
        made = record(sql, values, seconds, self._thread.module())
        for least, observer in observers:
            if seconds >= least:
                observer(made)

    # Transactions

    @contextmanager
    def atomic(self, *, durable: bool = True, alone: bool = True) -> Iterator[None]:
        """Run the block in a transaction, which is that of the enclosing block if there is one.

        There are no savepoints: if an inner block fails, the outer one cannot be committed.

        Only one transaction writes at a time, on all engines and across processes, because new ids
        follow the greatest one, and links and counts are derived from the present rows. Those who
        wait get their turn in the order in which they came. The block should therefore be short:
        what takes long belongs before it, or into :meth:`on_commit`.

        Transactions that need not be ``alone`` can run at the same time as each other on database
        servers, but not with the others: see :mod:`wikiapi.store.write.sharing`, which begins them.
        Run them by :meth:`repeated`. If others undo one several times, it is alone after all.

        Without ``durable``, a power failure after the transaction may undo it as a whole. This
        saves waiting for the disk, for data that can be derived again.

        Raises:
            StoreBusy: others have been writing until the deadline.
            StoreError: an inner block has failed, and the outer one has caught its error.
        """
        if self._closed:
            raise StoreUnavailable("this database has been closed")
        thread = self._thread
        if thread.session is not None:
            try:
                yield
            except BaseException:
                thread.has_failed = True
                raise
            return
        shares = not (alone or self.read_only or thread.conflicts >= _SHARED_ATTEMPTS)
        with self._outermost(durable=durable, shares=shares and self._engine.can_share):
            yield
        work, thread.after_commit = thread.after_commit, ()
        for function in work:
            try:
                function()
            except StoreConflict as error:
                # Not to be taken for a conflict of this transaction, which is committed.
                raise StoreBusy(str(error)) from error

    def repeated(self, work: Callable[[], T], undo: Callable[[], object] = lambda: None) -> T:
        """Call a function that runs a transaction, again if others undo it; return its result.

        It is called at most ``MOST_ATTEMPTS`` times, after pauses of random length; ``undo`` is
        called before each of them. In a transaction it is called once, since all of that is undone.

        Raises:
            StoreConflict: others have undone the transaction each time.
        """
        thread = self._thread
        with temporary_attribute(thread, "conflicts", 0):
            for attempt in range(MOST_ATTEMPTS - 1):
                try:
                    return work()
                except StoreConflict:
                    if self.is_in_transaction:
                        raise
                    undo()
                    thread.conflicts += 1
                longest = min(_SHORTEST_PAUSE << attempt, _LONGEST_PAUSE)
                time.sleep(random.uniform(0, longest) / 1000)  # noqa: S311
            return work()

    @property
    def is_in_transaction(self) -> bool:
        """Whether this thread is in a transaction.

        Nobody else can write during it, unless it :attr:`is_sharing`.
        """
        return self._thread.session is not None

    @property
    def can_share(self) -> bool:
        """Whether transactions that write can run at the same time on this database."""
        return self._engine.can_share and not self.read_only

    @property
    def is_sharing(self) -> bool:
        """Whether others can write during this thread's transaction.

        Each statement then sees what they have committed. Rows that must not change from then on
        have to be read with ``locks``.
        """
        return self._thread.is_sharing

    def exclude_others(self) -> None:
        """Undo this thread's transaction and repeat it alone, if others can write during it.

        Call this before what is only right if nobody else writes.

        Raises:
            StoreConflict: others can write during the transaction.
        """
        thread = self._thread
        if thread.is_sharing:
            thread.conflicts = _SHARED_ATTEMPTS
            raise StoreConflict("this transaction must be alone")

    def at_end(self, kind: type[L], make: Callable[[], L]) -> L:
        """Return the object of a kind with statements that this thread's transaction runs last.

        ``make`` returns it when it is first asked for. Call this in a transaction.
        """
        for work in self._thread.at_end:
            if isinstance(work, kind):
                return work
        made = make()
        self._thread.at_end += (made,)
        return made

    def on_commit(self, function: Callable[[], object]) -> None:
        """Call a function when this thread's transaction is committed and others may write.

        It is not called if the transaction is undone. Without a transaction, it is called at once.
        """
        if self._thread.session is None:
            function()
        else:
            self._thread.after_commit += (function,)

    def at_commit(self, kind: type[C], make: Callable[[], C]) -> C:
        """Return the object of a kind that is called when this thread's transaction is committed.

        ``make`` returns it when it is first asked for. It can collect what a transaction leaves to
        be done, so that this is done at once. Call this in a transaction.
        """
        for function in self._thread.after_commit:
            if isinstance(function, kind):
                return function
        made = make()
        self.on_commit(made)
        return made

    @contextmanager
    def _outermost(self, *, durable: bool, shares: bool) -> Iterator[None]:
        """Run the block in a transaction, with the turn to write and a connection of its own."""
        thread, connections = self._thread, self._primary.connections
        turn = nullcontext() if self.read_only else self._turns.turn(thread.moment, shares=shares)
        with turn:
            try:
                thread.session = session = connections.take(thread.moment)
            except Exception as error:
                if self._engine.can_translate(error):
                    raise self._engine.translate(error) from error
                raise
            finish = connections.drop
            try:
                with self._locked(shares=shares), self._relaxed(durable=durable):
                    with self._engine.waiting_to_begin(thread.moment):
                        self._begin(durable=durable, shares=shares)
                    thread.is_sharing = shares
                    try:
                        yield
                        if thread.has_failed:
                            raise StoreError("a part of this transaction has failed")
                        self._commit()
                        thread.has_written = not self.read_only
                    except BaseException as error:
                        thread.after_commit = ()
                        with suppress(StoreError):
                            self._control_transaction("ROLLBACK", None)
                            if shares and isinstance(error, Exception):
                                # That others are in the way is usual, and connecting takes long.
                                finish = connections.give
                        raise
                finish = connections.give
            finally:
                thread.session, thread.has_failed, thread.is_sharing = None, False, False
                thread.at_end, thread.numbered = (), frozenset()
                finish(session)

    def _commit(self) -> None:
        """Run the last statements of this thread's transaction, and commit it."""
        thread = self._thread
        works = sorted(thread.at_end, key=attrgetter("place"))
        statements = [statement for work in works for statement in work.statements()]
        if thread.is_sharing and statements:
            # In one message: others wait meanwhile, and this thread for them between two messages.
            sql, values = self.dialect.together([*statements, ("COMMIT", ())])
            self._run(self._engine.run_together, sql, values)
            return
        for statement in statements:
            self._run(self._engine.fetch, *statement)
        if thread.numbered and not thread.is_sharing:
            self.number_above(sorted(thread.numbered))
        self._control_transaction("COMMIT", thread.moment)

    def number_above(self, places: Sequence[tuple[Place, Place]]) -> bool:
        """Let the database give new rows ids above existing ones: see the dialect.

        Returns false if there is nothing to do, since the database notes all ids that are inserted.
        """
        statement = self.dialect.number_above(places)
        if statement is not None:
            self._run(self._engine.fetch, *statement)
        return statement is not None

    def _begin(self, *, durable: bool, shares: bool) -> None:
        """Begin this thread's transaction.

        Raises:
            StoreBusy: others have been writing until the deadline.
        """
        writes = not self.read_only

        def begin(connection: Any, *_: object) -> list[Row]:
            self._engine.begin_transaction(
                connection, writes=writes, durable=durable, shares=shares
            )
            return []

        try:
            self._control_transaction("", self._thread.moment, begin)
        except StoreTimeout as error:
            raise StoreBusy("others have been writing for too long") from error

    @contextmanager
    def _locked(self, *, shares: bool) -> Iterator[None]:
        """Keep other processes from writing; closing the connection also releases the lock."""
        if self.read_only or shares or not self._engine.lock_writing:
            yield
            return
        rows = self._control_transaction(self._engine.lock_writing, self._thread.moment)
        if rows[0][0] != 1:
            raise StoreBusy("another process has been writing for too long")
        yield
        self._control_transaction(self.dialect.unlock_writing, None, is_brief=True)

    @contextmanager
    def _relaxed(self, *, durable: bool) -> Iterator[None]:
        """Let commits within the block return early, unless they must be ``durable``."""
        if durable or not self.dialect.relax_commits:
            yield
            return
        self._control_transaction(self.dialect.relax_commits, None)
        try:
            yield
        finally:
            self._control_transaction(self.dialect.restore_commits, None)

    def _control_transaction(
        self,
        sql: str,
        moment: float | None,
        work: Work[list[Row]] | None = None,
        *,
        is_brief: bool = False,
    ) -> list[Row]:
        """Run a statement that controls this thread's transaction, or ``work``; do not report it.

        It may run until ``moment`` of the monotonic clock, or always ends if it ``is_brief``.
        """
        session, engine = self._thread.session, self._engine
        if session is None:
            return []
        try:
            if is_brief:
                engine.unlimit(session)
            else:
                engine.limit(session, moment)
            return (work or engine.fetch)(session.connection, sql, ())
        except Exception as error:
            if engine.can_translate(error):
                raise engine.translate(error) from error
            raise

    # Requests: records and deadlines

    def on_primary(self) -> AbstractContextManager[object]:
        """Return a context manager in which this thread reads nothing from replicas.

        They lag behind, so that what is to be changed must not be read from them.
        """
        return temporary_attribute(self._thread, "is_on_primary", True)

    @contextmanager
    def recording(self) -> Iterator[list[QueryRecord]]:
        """Yield a list that gets a record of every statement that this thread runs in the block."""
        records: list[QueryRecord] = []
        with self.observing(records.append):
            yield records

    def observing(self, observer: Observer, seconds: float = 0.0) -> AbstractContextManager[object]:
        """Return a context manager that reports this thread's statements to ``observer``.

        Only statements that take at least ``seconds`` are reported.
        """
        observers = (*self._thread.observers, (seconds, observer))
        return temporary_attribute(self._thread, "observers", observers)

    def working_for(self, module: Callable[[], str]) -> AbstractContextManager[object]:
        """Return a context manager in which records of statements name the module.

        ``module`` returns the name; it is only called when a record is made.
        """
        return temporary_attribute(self._thread, "module", module)

    @contextmanager
    def deadline(self, seconds: float, work: float | None = None) -> Iterator[Deadline]:
        """Limit the time of this thread's statements within the block.

        They raise StoreTimeout when ``seconds`` have passed, or when they have taken ``work``
        seconds in total. An enclosing deadline that ends sooner remains in force.
        """
        thread = self._thread
        outer = thread.deadline
        thread.deadline = inner = Deadline(seconds, work, outer)
        try:
            yield inner
        finally:
            thread.deadline = outer
            if outer:
                # Time spent in this block is not a pause between statements of the outer deadline.
                outer.ended = time.monotonic()

    def close(self) -> None:
        """Close the connections of all threads. The object cannot be used again."""
        self._closed = True
        for source in (self._primary, *self._replicas):
            source.connections.close()

    def open_connections(self) -> int:
        """Return the number of open connections to the primary database, over all threads."""
        return self._primary.connections.count()
