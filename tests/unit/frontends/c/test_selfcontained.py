"""Which functions ask the machine for nothing: those that are known to, and no others that are only named like them."""

from __future__ import annotations

import pytest

from veer.frontends.c.selfcontained import is_self_contained


@pytest.mark.parametrize(
    "name",
    [
        *("wcslen", "strfry", "memfrob", "__printf_chk", "__isoc99_sscanf", "sin", "csqrt", "__mulsc3"),
        *("__ctype_b_loc", "pthread_mutex_lock", "_ZNSolsEi", "_ZSt20__throw_length_errorPKc", "_Znwm"),
    ],
)
def test_what_computes_alone(name: str) -> None:
    assert is_self_contained(name)


@pytest.mark.parametrize(
    "name",
    [
        *("dlopen", "socket", "getpwnam", "memfd_create", "pthread_create", "xdr_int", "compress2"),
        *("stream_open", "memcached_get", "wcs_of_mine", "_ZN3lib4openEv", "_Z4openPKc"),  # of linked libraries
        *("_ZNSt6chrono3_V212system_clock3nowEv", "_ZNSt13basic_filebufIcSt11char_traitsIcEE4openEPKc"),
    ],
)
def test_what_may_ask(name: str) -> None:
    assert not is_self_contained(name)
