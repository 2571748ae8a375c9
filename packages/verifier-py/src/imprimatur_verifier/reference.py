"""References, CIDs and addresses. Digests and addresses are whole numbers."""

import base64
import hashlib
import re
from functools import reduce
from typing import Any, NamedTuple

from .forms import POSITIVE, check, fits, read, to_int
from .keccak import keccak256

REFERENCE_FORM = "eip155:<chainId>:<registryAddress>/<attestationIndex>/<authorityAddress>/<contentCid>"
_CID_PREFIX = 0x01551220
_DIGITS = {
    "b": "abcdefghijklmnopqrstuvwxyz234567",
    "k": "0123456789abcdefghijklmnopqrstuvwxyz",
    "z": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
}


class Reference(NamedTuple):
    """A complete reference, with the digest of its CID."""

    chain_id: int
    registry: int
    index: int
    authority: int
    digest: int


class Subject(NamedTuple):
    """An attestation to verify, with a text, a proof file, or quoted pieces and their root."""

    reference: Reference
    text: str | None = None
    proof: dict[str, Any] | None = None
    quoted: list[str] | None = None
    root: int | None = None


def parse_reference(text: str) -> Reference:
    """Parses a reference in one line. Raises InvalidError."""
    number, other = "([1-9][0-9]{0,15})", "([^:/]*)"
    parts = re.fullmatch(f"eip155:{number}:{other}/{number}/{other}/{other}", text.strip().strip("\ufeff"))
    check(parts, f"a reference is {REFERENCE_FORM}")
    chain_id, registry, index, authority, cid = parts.groups()
    fields = {"chainId": float(chain_id), "registryAddress": registry, "attestationIndex": float(index)}
    return read(reference_form(), {**fields, "authorityAddress": authority, "contentCid": cid}, "the reference")


def reference_form(authority: str = "authorityAddress", cid: str = "contentCid") -> Any:
    """Returns the form of a reference in a file; formats differ in the names of two fields."""
    common = {"chainId": POSITIVE, "registryAddress": parse_address, "attestationIndex": POSITIVE}
    return {**common, authority: parse_address, cid: parse_cid}, lambda fields: Reference(*fields.values())


def parse_address(text: Any, path: str) -> int:
    """Parses an address in one case or with a valid checksum. Raises InvalidError."""
    check(fits("0x[0-9a-fA-F]{40}", text), f"{path} must be an address, 0x and 40 hexadecimal digits")
    has_valid_case = text[2:].isupper() or text in (text.lower(), checksum_address(to_int(text)))
    check(has_valid_case, f"{path} has a wrong checksum; check it for typing errors")
    return to_int(text)


def checksum_address(address: int) -> str:
    """Formats an address with the checksum of EIP-55."""
    digits = f"{address:040x}"
    hashed = keccak256(digits.encode()).hex()
    return "0x" + "".join(d.upper() if h >= "8" else d for d, h in zip(digits, hashed))


def digest_of_text(text: str) -> int:
    """Returns the digest of a text's bytes."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")


def cid_of_digest(digest: int) -> str:
    """Returns the CID in base32 of the content with this digest."""
    data = (_CID_PREFIX << 256 | digest).to_bytes(36, "big")
    return "b" + base64.b32encode(data).decode().rstrip("=").lower()


def parse_cid(text: Any, path: str) -> int:
    """Parses a CID and returns its digest. Raises InvalidError."""
    problem = f"{path} must be a CIDv1 of codec raw and sha2-256 (bafkrei...)"
    check(fits("[bkz][!-~]{1,100}", text), problem)
    base, body = text[0], text[1:] if text[0] == "z" else text[1:].lower()
    body, digits = body.rstrip("=") if base == "b" else body, _DIGITS[base]
    check(set(body) <= set(digits), problem)
    value = reduce(lambda value, digit: value * len(digits) + digits.index(digit), body, 0)
    # The 36 bytes begin with 01. Base32 has 58 digits and two spare bits; other bases have no leading zero.
    is_whole = len(body) == 58 and value % 4 == 0 if base == "b" else body[0] != digits[0]
    value >>= 2 if base == "b" else 0
    check(is_whole and value >> 256 == _CID_PREFIX, problem)
    return value % 2**256
