"""Runs in a sandbox: whatever the fast path takes, the supervisor's Python reads the same way. Prints how much was taken."""

import ctypes
import json
import random
import sys

sys.path.insert(0, "/opt/autolith/supervisor")
from driver_reply import BadReply, decode  # noqa: E402
from frames import FrameReader, ProtocolError, encode_frame  # noqa: E402

library = ctypes.CDLL("/usr/local/lib/autolith/fast_path.so")
random.seed(int(sys.argv[1]))


class Slice(ctypes.Structure):
    """`struct slice` of text.h."""

    _fields_ = [("start", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class Request(ctypes.Structure):
    """`struct request` of text.h."""

    _fields_ = [
        ("id", ctypes.c_uint64), ("timeout_ms", ctypes.c_uint32), ("code_size", ctypes.c_uint32),
        ("code", ctypes.c_char * 4096),
    ]  # fmt: skip


library.parse_request.restype = library.is_plain_reply.restype = ctypes.c_bool
library.make_answer.restype = ctypes.c_size_t
library.make_answer.argtypes = [
    ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64, Slice, ctypes.c_uint64, ctypes.c_double, ctypes.c_uint32,
]  # fmt: skip


def framed(body):
    """A driver's frame."""
    return len(body).to_bytes(4, "big") + body


def value_of(frame, number):
    """The bytes of the value of a reply that the fast path takes, or None."""
    found = Slice()
    buffer = ctypes.create_string_buffer(frame, len(frame))
    if not library.is_plain_reply(buffer, ctypes.c_size_t(len(frame)), ctypes.c_uint32(number), ctypes.byref(found)):
        return None
    return ctypes.string_at(found.start, found.size)


def request_of(frame):
    """What the fast path makes of a host's frame, or None."""
    found = Request()
    buffer = ctypes.create_string_buffer(frame, len(frame))
    if not library.parse_request(buffer, ctypes.c_size_t(len(frame)), ctypes.byref(found)):
        return None
    code = ctypes.string_at(ctypes.addressof(found) + Request.code.offset, found.code_size)
    return found.id, found.timeout_ms, code.decode()


def mutated(data):
    """The bytes with up to three of them changed, left out, doubled or added."""
    data = bytearray(data)
    for _ in range(random.choice((0, 1, 1, 2, 3))):
        at = random.randrange(len(data))
        byte = random.choice((random.randrange(256), *b'"\\{}[],:u0nt19\n\x00'))
        choice = random.randrange(4)
        if choice == 0:
            data[at] = byte
        elif choice == 1:
            del data[at]
        else:
            data[at:at] = bytes((byte,)) if choice == 2 else data[at : at + random.randrange(9)]
    return bytes(data)


def check_reply(body, number):
    """True when the fast path took it; then Python has to agree."""
    taken = value_of(framed(body), number)
    if taken is None:
        return False
    try:
        reply = decode(body)
    except BadReply as error:
        raise AssertionError((body, error)) from None
    assert reply == (number, "ok", json.loads(taken), None, [], []), (body, taken)
    return True


def check_request(header):
    """True when the fast path took it; then Python has to agree."""
    frame = encode_frame(header)
    taken = request_of(frame)
    if taken is None:
        return False
    try:
        ((read, binary),) = FrameReader().feed(frame)
    except ProtocolError as error:
        raise AssertionError((frame, error)) from None
    expected = {"verb": "execute", "language": "python", "id": taken[0], "timeoutMs": taken[1], "code": taken[2]}
    assert read == expected and binary == b"", (frame, taken)
    return True


def check_answer(value, room):
    """True when the answer fits; then it is what the protocol says."""
    buffer = ctypes.create_string_buffer(room)
    held = ctypes.create_string_buffer(value, len(value))
    passed = Slice(ctypes.cast(held, ctypes.c_void_p), len(value))
    size = library.make_answer(buffer, room, 7, passed, 4096, 0.0012345, 3)
    if size == 0:
        return False
    ((header, _),) = FrameReader().feed(buffer.raw[:size])
    nothing = {"text": "", "droppedBytes": 0}
    assert header == {
        "id": 7, "event": "done", "status": "ok", "value": json.loads(value), "exception": None, "memoryBytes": 4096,
        "durationMs": 1.234, "stale": [], "background": [], "epoch": 3, "stdout": nothing, "stderr": nothing,
    }, header  # fmt: skip
    return True


VALUES = ["null", '"2"', '""', '"a\\\\b\\"c\\n"', '"\\u00e9"', '"' + "x" * 5000 + '"', '"\\u0000"', "2", '{"a":1}']
CODES = ["1 + 1", "", 'print("x")\n', "é = 1", "a\\b\tc", "\u2028\U0001f600", "x" * 4095, "x" * 4096, "\0", "\ud800", "\x1f"]

taken = {"replies": 0, "requests": 0, "answers": 0}
for _ in range(40_000):
    body = '{"execution":12,"outcome":"ok","value":%s,"exception":null,"stale":[],"background":[]}' % random.choice(VALUES)
    taken["replies"] += check_reply(mutated(body.encode()), 12)
for _ in range(10_000):
    request = {"id": 4, "verb": "execute", "language": "python", "code": random.choice(CODES), "timeoutMs": 9000}
    text = mutated(encode_frame(request)[8:])
    taken["requests"] += check_request(text)
for value in VALUES[:7]:
    for room in (64, 200, 300, 4096):
        taken["answers"] += check_answer(value.encode(), room)
print(json.dumps(taken))
