"""The package's version, which is that of the C header."""

import re
from pathlib import Path

_HEADER = Path(__file__).parents[2] / "Sources/Doors/CStoreKitVerify/include/storekit_verify.h"
_NUMBERS = dict(re.findall(r"#define SKV_VERSION_(MAJOR|MINOR|PATCH) (\d+)", _HEADER.read_text()))

__version__ = "{MAJOR}.{MINOR}.{PATCH}".format(**_NUMBERS)
