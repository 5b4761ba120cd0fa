"""Intel HEX and Motorola S-records: text files that say which bytes lie at which address.

:10 0062 00 E582FF...  checksum         16 bytes at 0x62         S1 13 0062 E582FF... checksum
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from veer.model.errors import UsageError

_DATA, _END, _SEGMENT, _LINEAR = 0, 1, 2, 4
_STARTS = (3, 5)
"""Records that say where the program begins, which nothing here needs."""
_S_ADDRESS = {"1": 2, "2": 3, "3": 4}
"""Bytes of the address of a data record."""


def runs(memory: Mapping[int, int]) -> list[tuple[int, bytes]]:
    """Bytes that stand one behind the other, with the address of the first, in order."""
    found: list[tuple[int, bytearray]] = []
    for address in sorted(memory):
        if not found or address != found[-1][0] + len(found[-1][1]):
            found.append((address, bytearray()))
        found[-1][1].append(memory[address])
    return [(address, bytes(data)) for address, data in found]


def read(text: str, file: str) -> dict[int, int]:
    """The bytes by address. Raises UsageError for a line that is no record, or whose checksum is wrong."""
    memory: dict[int, int] = {}
    base = 0
    for number, line in enumerate(text.splitlines(), 1):
        row, where = line.strip(), f"{file}:{number}"
        if not row:
            continue
        if row[0] == "S":
            _put(memory, _s_record(row, where))
            continue
        if row[0] != ":":
            raise UsageError(f"{where}: this is no record of Intel HEX and no S-record")
        address, kind, data = _intel(row, where)
        if kind == _END:
            break
        if kind == _DATA:
            _put(memory, (base + address, data))
        elif kind in (_SEGMENT, _LINEAR):
            base = int.from_bytes(data, "big") << (4 if kind == _SEGMENT else 16)
        elif kind not in _STARTS:
            raise UsageError(f"{where}: a record of kind {kind}, which Intel HEX has not")
    if not memory:
        raise UsageError(f"{file} has no bytes")
    return memory


def written(memory: Mapping[int, int]) -> str:
    """Intel HEX of addresses below 64 KiB."""
    return "".join([*(_row(address, data) for address, data in _short_runs(memory)), ":00000001FF\n"])


def _short_runs(memory: Mapping[int, int]) -> Iterator[tuple[int, bytes]]:
    for address, data in runs(memory):
        for place in range(0, len(data), 16):
            yield address + place, data[place : place + 16]


def _row(address: int, data: bytes) -> str:
    body = bytes([len(data), *address.to_bytes(2, "big"), _DATA, *data])
    return f":{body.hex().upper()}{-sum(body) % 256:02X}\n"


def _put(memory: dict[int, int], record: tuple[int, bytes]) -> None:
    address, data = record
    memory.update({address + place: byte for place, byte in enumerate(data)})


def _bytes(text: str, where: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise UsageError(f"{where}: this record is not of hexadecimal digits") from error


def _intel(row: str, where: str) -> tuple[int, int, bytes]:
    data = _bytes(row[1:], where)
    if len(data) < 5 or len(data) != data[0] + 5:
        raise UsageError(f"{where}: this record has another length than it says")
    if sum(data) % 256:
        raise UsageError(f"{where}: the checksum of this record is wrong")
    return int.from_bytes(data[1:3], "big"), data[3], data[4:-1]


def _s_record(row: str, where: str) -> tuple[int, bytes]:
    data = _bytes(row[2:], where)
    if not data or len(data) != data[0] + 1:
        raise UsageError(f"{where}: this record has another length than it says")
    if sum(data) % 256 != 255:
        raise UsageError(f"{where}: the checksum of this record is wrong")
    size = _S_ADDRESS.get(row[1], 0)
    return int.from_bytes(data[1 : 1 + size], "big"), data[1 + size : -1] if size else b""
