"""Connections that send an answer as soon as it is there.

waitress leaves small answers in a buffer and wakes its main loop, which looks at all connections
twice before it sends them. The thread that made the answer can as well send it itself; what the
socket does not take at once is left to the loop, as ever.
"""

from __future__ import annotations

from waitress.channel import HTTPChannel
from waitress.task import WSGITask


class PromptTask(WSGITask):  # type: ignore[misc]
    """One request, whose answer is sent when it is complete."""

    def finish(self) -> None:
        """End the answer and send it."""
        super().finish()
        self.channel.send_now()


class PromptChannel(HTTPChannel):  # type: ignore[misc]
    """A connection whose worker threads send."""

    task_class = PromptTask

    def send_now(self) -> None:
        """Send what the socket takes without waiting."""
        with self.outbuf_lock:
            if self.connected and self.total_outbufs_len:
                # Closing is the main loop's part, which owns the socket.
                self._flush_exception(self._flush_some, do_close=False)
