"""The private channel to the supervisor: executions in, with descriptors for their output, and replies out."""

from _json import encode_basestring_ascii
from _socket import CMSG_LEN, MSG_CTRUNC, SCM_RIGHTS, SOL_SOCKET, socket
from fcntl import F_DUPFD_CLOEXEC, fcntl
from os import O_WRONLY, _exit, close, dup2, set_inheritable
from os import open as open_descriptor
from struct import Struct

# Tells the supervisor that the channel broke, whatever the reason.
CHANNEL_LOST = 97
_HEADER = Struct(">II")
_LENGTH = Struct(">I")
_DESCRIPTORS = Struct("ii")
_ANCILLARY = CMSG_LEN(_DESCRIPTORS.size)
_READ_SIZE = 65536
_FRAME = 490 * 1024
_PLAIN = '{"execution":%d,"outcome":"%s","value":%s,"exception":null,"stale":[],"background":[]}'
_REPLY = '{"execution":%s,"outcome":%s,"value":%s,"exception":%s,"stale":%s,"background":%s}'


class Channel:
    """Frames as `driver_reply.py` and `driver_channel.py` of the supervisor know them. Any failure ends the process."""

    def __init__(self, descriptor):
        set_inheritable(descriptor, False)
        connection = socket(fileno=descriptor)
        self._receive = connection.recvmsg
        self._send = connection.send
        self._connection = connection
        null = open_descriptor("/dev/null", O_WRONLY)
        # Above all that user code opens and closes, as the channel itself is. The last two hold the pipes later.
        self._null, self._output, self._error = [fcntl(null, F_DUPFD_CLOEXEC, descriptor) for _ in range(3)]
        close(null)

    def receive(self):
        """Waits for an execution, connects descriptors 1 and 2 to its pipes; returns its number and code."""
        try:
            data, ancillary, flags, _ = self._receive(_READ_SIZE, _ANCILLARY)
            if not data:
                _exit(0)
            if ancillary or flags:
                self._take_pipes(ancillary, flags)
            dup2(self._output, 1)
            dup2(self._error, 2)
            length, number = _HEADER.unpack_from(data)
            missing = 4 + length - len(data)
            if missing:
                pieces = [data]
                while missing > 0:
                    piece = self._receive(missing)[0]
                    if not piece:
                        _exit(0)
                    missing -= len(piece)
                    pieces.append(piece)
                data = b"".join(pieces)
            return number, data[8:].decode("utf-8", "surrogatepass")
        except OSError:
            _exit(CHANNEL_LOST)

    def _take_pipes(self, ancillary, flags):
        """Puts the pipes that came with an execution in the place of those that came before."""
        if flags & MSG_CTRUNC:
            # User code has lowered the limit of open files, and the system threw the descriptors away.
            _exit(CHANNEL_LOST)
        for level, kind, payload in ancillary:
            if level == SOL_SOCKET and kind == SCM_RIGHTS and len(payload) == _DESCRIPTORS.size:
                for descriptor, place in zip(_DESCRIPTORS.unpack(payload), (self._output, self._error)):
                    dup2(descriptor, place, False)
                    close(descriptor)

    def send(self, reply):
        """Lets go of the execution's pipes, and sends a reply: then nothing of this process can write to them any more.

        A reply that is too long goes without its exception's frames' locals, then without its frames.
        """
        body = _encoded(reply)
        if len(body) > _FRAME and reply["exception"] is not None:
            body = _encoded({**reply, "exception": _without_locals(reply["exception"])})
        if len(body) > _FRAME:
            body = _encoded({**reply, "exception": None, "value": None, "stale": [], "background": []})
        data = _LENGTH.pack(len(body)) + body.encode("ascii")
        try:
            dup2(self._null, 1)
            dup2(self._null, 2)
            while data:
                data = data[self._send(data) :]
        except OSError:
            _exit(CHANNEL_LOST)


def _without_locals(exception):
    return {
        "type": exception["type"],
        "message": exception["message"],
        "frames": [{**frame, "locals": {}} for frame in exception["frames"]],
    }


def _encoded(reply):
    """Most of a reply is the same every time, and often all but the value."""
    if reply["exception"] is None and not reply["stale"] and not reply["background"]:
        return _PLAIN % (reply["execution"], reply["outcome"], _json(reply["value"]))
    return _REPLY % tuple([_json(value) for value in reply.values()])


def _json(value):
    """JSON without the `json` module, which user code may have changed."""
    if value is None:
        return "null"
    if isinstance(value, str):
        return encode_basestring_ascii(value)
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, list):
        return f"[{','.join([_json(item) for item in value])}]"
    return f"{{{','.join([f'{encode_basestring_ascii(name)}:{_json(item)}' for name, item in value.items()])}}}"
