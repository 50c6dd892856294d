"""What a request may carry, and how one is refused."""

import errno


class RequestError(Exception):
    """A request that cannot be carried out; answered by an `error` frame."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


_CODES = {
    errno.ENOSPC: "no-space", errno.EDQUOT: "no-space", errno.EFBIG: "no-space", errno.ENOENT: "not-found",
    errno.ELOOP: "bad-request", errno.ENOTDIR: "bad-request", errno.EISDIR: "bad-request",
    errno.ENAMETOOLONG: "bad-request", errno.EEXIST: "bad-request", errno.EACCES: "bad-request",
    errno.EPERM: "bad-request", errno.ENOTEMPTY: "bad-request",
}  # fmt: skip


def refusal(error, path):
    """The RequestError for what the system said about a path of the request."""
    return RequestError(_CODES.get(error.errno, "internal"), f"{path}: {error.strerror}")


def field(request, name, kind):
    """A required field of one type. Raises RequestError."""
    value = request.get(name)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise RequestError("bad-request", f"{request['verb']}: {name} is missing or of the wrong type")
    return value


def texts(request, name):
    """A required list of strings without NUL. Raises RequestError."""
    values = field(request, name, list)
    if not all(isinstance(value, str) and "\0" not in value for value in values):
        raise RequestError("bad-request", f"{request['verb']}: {name} is not a list of strings")
    return values


def seconds(request):
    """The request's `timeoutMs` in seconds. Raises RequestError."""
    value = field(request, "timeoutMs", (int, float))
    if not 0 < value <= 86_400_000:
        raise RequestError("bad-request", f"{request['verb']}: timeoutMs is out of range")
    return value / 1000
