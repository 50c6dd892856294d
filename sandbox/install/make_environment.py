"""Makes a virtual environment that sees the image's packages, with `pip` and `pytest` for it: make_environment.py DIR."""

import os
import sys
import venv

_PROGRAMS = {"pip": "pip", "pip3": "pip", "pytest": "pytest", "py.test": "pytest"}


def main(folder):
    """Takes a fraction of the time that `python3 -m venv` takes, which would install a copy of pip."""
    venv.create(folder, system_site_packages=True, symlinks=True, with_pip=False)
    programs = os.path.join(folder, "bin")
    for name, module in _PROGRAMS.items():
        path = os.path.join(programs, name)
        # The image's own scripts name the image's Python, which does not see what is installed here.
        with open(path, "x", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec {programs}/python -m {module} "$@"\n')
        os.chmod(path, 0o755)


if __name__ == "__main__":
    main(sys.argv[1])
