"""Deletes everything below a folder once no process is left: any depth, any permissions, no symlink followed."""

import errno
import itertools
import os

_OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def empty(folder):
    """Leaves the folder itself. Raises OSError when something cannot be deleted."""
    root = os.open(folder, _OPEN)
    try:
        numbers = itertools.count()
        while _pass(root, numbers):
            pass
    finally:
        os.close(root)


def _pass(root, numbers):
    """Deletes what lies in the root, and moves folders from the second level up to the root; true when some were."""
    moved = False
    for name, is_folder in _entries(root):
        if not is_folder:
            os.unlink(name, dir_fd=root)
            continue
        os.chmod(name, 0o700, dir_fd=root)
        folder = os.open(name, _OPEN, dir_fd=root)
        try:
            for inner, is_inner_folder in _entries(folder):
                if is_inner_folder:
                    os.chmod(inner, 0o700, dir_fd=folder)
                    _move_up(inner, folder, root, numbers)
                    moved = True
                else:
                    os.unlink(inner, dir_fd=folder)
        finally:
            os.close(folder)
        os.rmdir(name, dir_fd=root)
    return moved


def _move_up(name, folder, root, numbers):
    while True:
        try:
            os.rename(name, f".autolith-deleted-{next(numbers)}", src_dir_fd=folder, dst_dir_fd=root)
            return
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            continue
        except OSError as error:
            if error.errno != errno.ENOTEMPTY:
                raise


def _entries(folder):
    with os.scandir(folder) as entries:
        return [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
