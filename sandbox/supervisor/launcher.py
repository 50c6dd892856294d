"""Runs the supervisor's own small programs (git, `node --version`) to their end, with a time limit."""

import os
import signal
import subprocess

from capture import Pump
from event_loop import Latch

_MOST_OUTPUT = 1 << 20


class Launcher:
    """Starts programs whose whole output is a few lines."""

    def __init__(self, loop, processes):
        self._loop = loop
        self._processes = processes

    async def run_briefly(self, argv, cwd, env, output, timeout):
        """Adds what the program prints to `output`; returns its exit status, or None when it has none."""
        reader, writer = os.pipe2(os.O_CLOEXEC)
        pump = Pump(self._loop, reader)
        pump.fill(output, _MOST_OUTPUT, pump.close)
        try:
            child = self._processes.spawn(argv, cwd=cwd, env=env, stdout=writer, stderr=subprocess.STDOUT)
        except OSError as error:
            pump.close()
            output.write(str(error.strerror).encode())
            return None
        finally:
            os.close(writer)
        over = Latch(self._loop)
        timer = self._loop.later(timeout, over.set)
        child.exited.then(over.set)
        await over
        timer.cancel()
        child.signal(signal.SIGKILL)
        ended = await child.exited
        pump.drain()
        pump.close()
        return ended.code
