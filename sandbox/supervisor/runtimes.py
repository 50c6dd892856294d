"""The live runtimes: started when needed, replaced when they are gone, counted by `epoch`."""

import os

from process_table import is_dying
from runtime import Runtime

_START_TIMEOUT = 20.0
_DEATH_WAIT = 1.0
_COMMANDS = {
    "python": lambda drivers: ["python3", "-P", os.path.join(drivers, "python")],
    "node": lambda drivers: ["node", "--expose-internals", os.path.join(drivers, "node", "main.mjs")],
}
LANGUAGES = tuple(_COMMANDS)


class Runtimes:
    """At most one runtime per language."""

    def __init__(self, supervisor):
        self._supervisor = supervisor
        self._live = {}
        self._pids = frozenset()
        self._numbers = dict.fromkeys(LANGUAGES, 0)
        self.epoch = 1

    def pids(self):
        """Process ids of the live drivers."""
        return self._pids

    def number(self, language):
        """The number of the next execution: it goes on counting when a runtime is replaced."""
        self._numbers[language] += 1
        return self._numbers[language]

    def last_number(self, language):
        """The number of the last execution, 0 when there was none."""
        return self._numbers[language]

    def count_until(self, language, number):
        """Says that executions up to a number have happened."""
        self._numbers[language] = number

    def live(self, language):
        """The live runtime, or None."""
        runtime = self._live.get(language)
        return runtime if runtime is not None and not runtime.is_broken else None

    async def start(self, language, activity):
        """A new runtime; None, with a note in the activity, when it cannot be started."""
        if language in self._live:
            self.discard(self._live[language])
        supervisor = self._supervisor
        command = _COMMANDS[language](supervisor.places.drivers)
        program = _find(command[0], supervisor.environment["PATH"])
        try:
            if program is None:
                raise FileNotFoundError(2, "no such program")
            command = [program, *command[1:]]
            runtime = Runtime(supervisor.loop, supervisor.processes, language, command, supervisor.places)
        except OSError as error:
            activity.note(f"the {language} runtime cannot be started: {error.strerror}")
            return None
        self._live[language] = runtime
        self._count_pids()
        runtime.child.exited.then(lambda: self.discard(runtime))
        started = runtime.answer
        timer = supervisor.loop.later(_START_TIMEOUT, lambda: started.set("it took too long"))
        activity.ending.then(lambda: started.set("it was interrupted"))
        answer = await started
        timer.cancel()
        if isinstance(answer, str):
            boot = runtime.boot.output()["text"].strip()
            activity.note(f"the {language} runtime did not start: {answer}" + (f"\n{boot}" if boot else ""))
            self.discard(runtime)
            return None
        return runtime

    async def notice_deaths(self):
        """Discards runtimes that were killed from outside, so that no execution is sent to one on its way out."""
        for runtime in list(self._live.values()):
            if is_dying(runtime.child.pid):
                self._supervisor.loop.later(_DEATH_WAIT, lambda exited=runtime.child.exited: exited.set(None))
                self._supervisor.processes.reap()
                await runtime.child.exited
                self.discard(runtime)

    def discard(self, runtime):
        """Kills a runtime, if it still lives, and forgets it; a new epoch begins when it held state."""
        if self._live.get(runtime.language) is not runtime:
            return
        del self._live[runtime.language]
        self._count_pids()
        runtime.child.signal(9)
        runtime.close()
        if runtime.has_state:
            self.epoch += 1

    def discard_all(self):
        """Forgets every runtime, before a sweep; a new epoch begins once when any held state."""
        epoch = self.epoch
        for runtime in list(self._live.values()):
            self.discard(runtime)
        self.epoch = min(self.epoch, epoch + 1)

    def _count_pids(self):
        self._pids = frozenset(runtime.child.pid for runtime in self._live.values())


def _find(program, path):
    for folder in path.split(":"):
        candidate = os.path.join(folder, program)
        if os.access(candidate, os.X_OK) and os.path.isfile(candidate):
            return candidate
    return None
