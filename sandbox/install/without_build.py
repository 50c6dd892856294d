"""Installs what a project needs without building it: without_build.py FOLDER... -- REQUIREMENT...

The folders are put on Python's path in the project's place.
"""

import os
import sys
import sysconfig


def main(arguments):
    """Ends as pip does."""
    split = arguments.index("--")
    folders, requirements = arguments[:split], arguments[split + 1 :]
    with open(os.path.join(sysconfig.get_path("purelib"), "autolith-project.pth"), "w", encoding="utf-8") as file:
        file.write("".join(f"{folder}\n" for folder in folders))
    if requirements:
        os.execv(sys.executable, [sys.executable, "-m", "pip", "install", *requirements])


if __name__ == "__main__":
    main(sys.argv[1:])
