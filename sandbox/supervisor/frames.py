"""Length-prefixed frames, as PROTOCOL.md describes them: lengths, a JSON header, binary."""

import json
import struct

MAX_BODY = 1 << 20
MAX_HEADER = 512 * 1024
_LENGTHS = struct.Struct(">II")
_LENGTH = struct.Struct(">I")
_scan = json.JSONDecoder().scan_once
_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
# What `encode` makes anew for every value, and needs only to find values that contain themselves.
_chunks = json.encoder.c_make_encoder(
    None, _encoder.default, json.encoder.encode_basestring, None, ":", ",", False, False, False
)
_to_ascii_json = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


class ProtocolError(Exception):
    """The stream cannot be trusted any more."""

    def __init__(self, message, request_id=None):
        super().__init__(message)
        self.request_id = request_id


def from_json(data):
    """The value that UTF-8 bytes stand for. Raises ValueError or RecursionError."""
    text = str(data, "utf-8").strip(" \t\r\n")
    # Half of what `decode` does is looking for white space by regular expressions.
    try:
        value, end = _scan(text, 0)
    except StopIteration:
        raise ValueError("nothing there") from None
    if end != len(text):
        raise ValueError("something follows")
    return value


def encode_header(header):
    """JSON as UTF-8; lone surrogates, which stand for bytes of file names that are not UTF-8, are kept as escapes."""
    try:
        return "".join(_chunks(header, 0)).encode()
    except UnicodeEncodeError:
        return _to_ascii_json(header).encode()


def encode_frame(header, binary=b""):
    """One frame; `header` is a dict or what `encode_header` made of one."""
    if not isinstance(header, bytes):
        header = encode_header(header)
    return _LENGTHS.pack(4 + len(header) + len(binary), len(header)) + header + binary


class FrameReader:
    """Cuts a byte stream into frames."""

    def __init__(self):
        self._buffer = bytearray()

    @property
    def is_empty(self):
        """True when no part of a frame is held."""
        return not self._buffer

    def feed(self, data):
        """Takes what was read; (header, binary) for every frame that is complete. Raises ProtocolError."""
        if not self._buffer and 4 <= len(data) == 4 + _LENGTH.unpack_from(data)[0] <= MAX_BODY:
            return (_decode(data[4:]),)
        return self._cut(data)

    def _cut(self, data):
        buffer = self._buffer
        buffer += data
        start = 0
        while len(buffer) - start >= 4:
            (length,) = _LENGTH.unpack_from(buffer, start)
            if length > MAX_BODY:
                raise ProtocolError(f"a frame of {length} bytes is longer than {MAX_BODY}")
            end = start + 4 + length
            if len(buffer) < end:
                break
            yield _decode(bytes(buffer[start + 4 : end]))
            start = end
        if start:
            del buffer[:start]


def _decode(body):
    if len(body) < 4:
        raise ProtocolError("a frame is too short for its header's length")
    end = 4 + _LENGTH.unpack_from(body)[0]
    if end > len(body):
        raise ProtocolError("a header is longer than its frame")
    try:
        header = from_json(body[4:end])
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise ProtocolError("a header is not a JSON object")
    return header, body[end:]
