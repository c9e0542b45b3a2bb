"""Processes for work that cannot be bounded within a thread, such as matching hostile expressions.

Nothing in Python interrupts a regular expression or a decoder written in C, and expressions do not
even let other threads run meanwhile. A :class:`~wikiapi.workers.pool.WorkerPool` has such work done
by a process of its own, which the system ends once it has used more time or memory than it may.

What a process does stands in a file of its own, the *task*: a module with a function
``work(job)``, where the job and what is returned are plain data as JSON has it. The process imports
that file alone, which therefore imports as little as it can.
"""
