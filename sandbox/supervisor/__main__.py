"""The supervisor: process 1 of a sandbox container. Serves PROTOCOL.md on standard input and output."""

import gc
import os
import resource
import signal
import sys

from control_group import ControlGroup
from dispatcher import Dispatcher
from event_loop import EventLoop
from frames import ProtocolError
from hardening import REQUIRED, harden
from host_channel import HostChannel
from oom_score import OomScore
from processes import Processes
from settings import places_from
from supervisor import Supervisor

_SOFTWARE_ERROR = 70


def main():
    """Serves until the host says `bye`, goes away, or breaks the protocol."""
    is_init = os.getpid() == 1
    places = places_from(sys.argv[1:], is_init)
    os.umask(0o022)
    # Process 1 is safe from every signal for which it has no handler, and Python sets one for SIGINT.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    oom_score = OomScore()
    hardening = harden()
    loop = EventLoop()
    processes = Processes(loop, oom_score)
    host = HostChannel(loop)
    dispatcher = Dispatcher(Supervisor(loop, host, processes, ControlGroup(), places), hardening)
    os.makedirs(places.home, exist_ok=True)
    missing = [name for name in REQUIRED if name not in hardening]
    if is_init and missing:
        dispatcher.fail(ProtocolError(f"this container cannot be hardened: {', '.join(missing)} failed"))
    else:
        host.listen(dispatcher.accept, dispatcher.fail, lambda: loop.start(dispatcher.leave(0)))
    # What was loaded stays: the collector need not look at it again and again.
    gc.freeze()
    loop.run()
    return _SOFTWARE_ERROR


if __name__ == "__main__":
    sys.exit(main())
