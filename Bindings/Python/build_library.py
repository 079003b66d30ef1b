"""Puts the C library into the wheel. It is built with Swift, unless STOREKIT_VERIFY_LIBRARY names one."""

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAME = "libstorekitverify.so.1"


class LibraryBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        library = os.environ.get("STOREKIT_VERIFY_LIBRARY")
        if library is None:
            repository = Path(self.root).parents[1]
            if shutil.which("swift") is None:
                raise RuntimeError(
                    "storekit-verify is written in Swift: install the Swift toolchain and libssl-dev, "
                    "or name a built " + NAME + " in STOREKIT_VERIFY_LIBRARY"
                )
            prefix = Path(os.environ.get("SCRATCH_PATH", repository / ".build/c-library")) / "install"
            subprocess.run([repository / "Bindings/C/build", prefix], check=True)
            library = str(prefix / "lib" / NAME)
        package = "storekit_verify"
        if version == "editable":
            # An editable package is imported from its sources.
            shutil.copyfile(library, Path(self.root) / "src" / package / NAME)
            return
        build_data["force_include"][library] = f"{package}/{NAME}"
        build_data["force_include"][str(Path(self.root).parents[1] / "LICENSE")] = f"{package}/LICENSE"
        build_data["pure_python"] = False
        # No part of it depends on a version of Python.
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"py3-none-{platform}"
