"""The language of messages when no setting names one."""

import locale
import os
from collections.abc import Mapping

from ..domain.notices import Language

_BEGINNINGS: tuple[tuple[str, Language], ...] = (("ja", "ja"), ("zh", "zh"), ("chinese", "zh"), ("en", "en"))


def environment_language(environment: Mapping[str, str] | None = None) -> Language:
    """Return the language of the user's locale; English where that is none of the three.

    The variables count even when the locale itself is not installed, as in most containers, which Python's
    `locale` would then report as `C`. Windows has no such variables and names its locales in words.

    Args:
        environment: Variables; None for the process's own.
    """
    variables = os.environ if environment is None else environment
    # The order of POSIX: the first that is set decides, even when it says C.
    name = next((variables[v] for v in ("LC_ALL", "LC_MESSAGES", "LANG") if variables.get(v)), "")
    if not name and environment is None:
        name = locale.getlocale()[0] or ""
    return next((language for begin, language in _BEGINNINGS if name.lower().startswith(begin)), "en")
