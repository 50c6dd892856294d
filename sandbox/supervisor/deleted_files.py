"""Files that were deleted but are still open: they take room that no walk through folders can see."""

import os
import stat


def deleted_bytes(device, processes):
    """Bytes on `device` of deleted files that processes hold open, as far as their descriptors may be looked at."""
    found = {}
    for pid in processes:
        folder = f"/proc/{pid}/fd"
        try:
            descriptors = os.listdir(folder)
        except OSError:
            continue
        for descriptor in descriptors:
            try:
                status = os.stat(f"{folder}/{descriptor}")
            except OSError:
                continue
            if stat.S_ISREG(status.st_mode) and status.st_nlink == 0 and status.st_dev == device:
                found[status.st_ino] = status.st_blocks * 512
    return sum(found.values())
