"""A small single-threaded event loop: descriptors, timers, and coroutines that wait for latches.

asyncio would do the same at several times the latency and start-up time.
"""

import heapq
import itertools
import select
import time
from collections import deque

READ = select.EPOLLIN
WRITE = select.EPOLLOUT
_MANY_TIMERS = 256


class Latch:
    """Keeps the first value that it is given, and wakes every coroutine that awaits it."""

    __slots__ = ("_loop", "_callbacks", "is_set", "value")

    def __init__(self, loop):
        self._loop = loop
        self._callbacks = []
        self.is_set = False
        self.value = None

    def set(self, value=None):
        """Sets the value; later calls change nothing."""
        if self.is_set:
            return
        self.is_set = True
        self.value = value
        if self._callbacks:
            self._loop.soon_all(self._callbacks)
            self._callbacks = []

    def then(self, callback):
        """Calls `callback` without arguments, from the loop, once the latch is set."""
        if self.is_set:
            self._loop.soon(callback)
        else:
            self._callbacks.append(callback)

    def __await__(self):
        if not self.is_set:
            yield self
        return self.value


class Timer:
    """A call planned for later, which may be cancelled; `callback` is None once it was made or cancelled."""

    __slots__ = ("callback",)

    def __init__(self, callback):
        self.callback = callback

    def cancel(self):
        """Makes sure that the call does not happen."""
        self.callback = None

    def fire(self):
        """Makes the call, unless it was cancelled."""
        callback, self.callback = self.callback, None
        if callback is not None:
            callback()


class EventLoop:
    """Runs callbacks for ready descriptors, due timers and coroutines, one at a time."""

    def __init__(self):
        self._epoll = select.epoll()
        self._callbacks = {}
        self._ready = deque()
        self._timers = []
        self._order = itertools.count()
        self._before_wait = None
        self.stopped = False

    @property
    def descriptor(self):
        """The epoll that `run` waits for."""
        return self._epoll.fileno()

    def before_wait(self, callback):
        """Calls `callback(seconds)` when there is nothing to do before `seconds` have gone by; negative: before an event."""
        self._before_wait = callback

    def watch(self, descriptor, events, callback):
        """Calls `callback` whenever `descriptor` has one of `events`, an error or an end."""
        self._epoll.register(descriptor, events)
        self._callbacks[descriptor] = callback

    def rewatch(self, descriptor, events):
        """Changes the events of a watched descriptor."""
        self._epoll.modify(descriptor, events)

    def forget(self, descriptor):
        """Stops watching; must be called before the descriptor is closed."""
        if self._callbacks.pop(descriptor, None) is not None:
            self._epoll.unregister(descriptor)

    def soon(self, callback):
        """Calls `callback` before the loop waits again."""
        self._ready.append(callback)

    def soon_all(self, callbacks):
        """Calls each before the loop waits again."""
        self._ready.extend(callbacks)

    def later(self, seconds, callback):
        """Calls `callback` after `seconds`; returns the timer."""
        timer = Timer(callback)
        heapq.heappush(self._timers, (time.monotonic() + seconds, next(self._order), timer))
        if len(self._timers) > _MANY_TIMERS:
            self._timers[:] = [entry for entry in self._timers if entry[2].callback is not None]
            heapq.heapify(self._timers)
        return timer

    async def sleep(self, seconds):
        """Suspends the calling coroutine."""
        latch = Latch(self)
        self.later(seconds, latch.set)
        await latch

    def start(self, coroutine):
        """Runs a coroutine up to its first wait, and on whenever that wait is over."""
        try:
            latch = coroutine.send(None)
        except StopIteration:
            return
        latch.then(lambda: self.start(coroutine))

    def run(self):
        """Serves until `stopped` is set."""
        self._call_ready()
        callbacks, ready, timers = self._callbacks, self._ready, self._timers
        while not self.stopped:
            if self._before_wait is not None:
                self._before_wait(self._timeout())
                self._call_ready()
            for descriptor, _ in self._epoll.poll(self._timeout() if timers else -1):
                callback = callbacks.get(descriptor)
                if callback is not None:
                    callback()
                    # At once: an answer that has come goes before the pipes that are now to be closed.
                    if ready:
                        self._call_ready()
            if timers and timers[0][0] <= time.monotonic():
                self._fire_timers()
                self._call_ready()

    def _call_ready(self):
        ready = self._ready
        while ready and not self.stopped:
            ready.popleft()()

    def _timeout(self):
        timers = self._timers
        while timers and timers[0][2].callback is None:
            heapq.heappop(timers)
        if not timers:
            return -1
        seconds = timers[0][0] - time.monotonic()
        return seconds if seconds > 0 else 0

    def _fire_timers(self):
        now = time.monotonic()
        while self._timers and self._timers[0][0] <= now:
            heapq.heappop(self._timers)[2].fire()
