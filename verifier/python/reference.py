"""References to attestations, and the content CIDs and addresses in them."""

import base64
import hashlib
import re
from typing import Any, NamedTuple

from forms import Form, InvalidError, check, fits, positive, read, to_bytes
from keccak import keccak256

REFERENCE_FORM = "eip155:<chainId>:<registryAddress>/<attestationIndex>/<authorityAddress>/<contentCid>"
# That of ECMAScript, which differs a little from Python's.
_WHITE_SPACE = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))
_CID_PREFIX = "01551220"
_DIGITS = {
    "b": "abcdefghijklmnopqrstuvwxyz234567",
    "k": "0123456789abcdefghijklmnopqrstuvwxyz",
    "z": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
}


class Reference(NamedTuple):
    """A complete reference. Addresses are in lower case; the digest is the one inside of the CID."""

    chain_id: int
    registry_address: str
    attestation_index: int
    authority_address: str
    digest: str


def parse_reference(text: str) -> Reference:
    """Reads a reference in one line, or raises InvalidError."""
    index, other = "([1-9][0-9]{0,15})", "([^:/]*)"
    parts = re.fullmatch(f"eip155:{index}:{other}/{index}/{other}/{other}", text.strip(_WHITE_SPACE))
    if parts is None:
        raise InvalidError(f"a reference is {REFERENCE_FORM}")
    names = ("chainId", "registryAddress", "attestationIndex", "authorityAddress", "contentCid")
    fields = {**dict(zip(names, parts.groups())), "chainId": float(parts[1]), "attestationIndex": float(parts[3])}
    return read(reference_form(), fields, "the reference")


def reference_form(authority: str = "authorityAddress", cid: str = "contentCid") -> Form:
    """The form of a reference in a file, where the last two fields may have other names."""
    fields = {
        "chainId": positive,
        "registryAddress": parse_address,
        "attestationIndex": positive,
        authority: parse_address,
        cid: digest_of_cid,
    }
    return fields, lambda values: Reference(*values.values())


def parse_address(text: Any) -> str:
    """Reads an address in lower case, upper case or with its checksum, and gives it in lower case."""
    check(fits("0x[0-9a-fA-F]{40}", text), "must be an address, 0x and 40 hexadecimal digits")
    is_sound = text[2:].isupper() or text in (text.lower(), checksum_address(text.lower()))
    check(is_sound, "has a wrong checksum: one of its characters may be mistyped")
    return text.lower()


def checksum_address(address: str) -> str:
    """An address in lower case, with the checksum of EIP-55."""
    hashed = keccak256(address[2:].encode()).hex()
    return "0x" + "".join(d.upper() if h >= "8" else d for d, h in zip(address[2:], hashed))


def digest_of_text(text: str) -> str:
    """The digest of a text's bytes."""
    return "0x" + hashlib.sha256(text.encode()).hexdigest()


def cid_of_digest(digest: str) -> str:
    """The CID in base32 of the content with this digest."""
    return "b" + base64.b32encode(bytes.fromhex(_CID_PREFIX) + to_bytes(digest)).decode().rstrip("=").lower()


def digest_of_cid(text: Any) -> str:
    """The digest inside of a CID, or InvalidError. A longer one is none, and would take long."""
    problem = "must be a CIDv1 of codec raw and sha2-256 (bafkrei...)"
    check(fits("[bkz][!-~]{1,100}", text), problem)
    digits, is_base32 = _DIGITS[text[0]], text[0] == "b"
    body = {"b": text[1:].rstrip("=").lower(), "k": text[1:].lower(), "z": text[1:]}[text[0]]
    check(set(body) <= set(digits), problem)
    value = 0
    for digit in body:
        value = value * len(digits) + digits.index(digit)
    # The 36 bytes begin with 01. In base32 they are 58 digits, with two bits left over; else no zero is before them.
    check(len(body) == 58 and value % 4 == 0 if is_base32 else body[0] != digits[0], problem)
    data = f"{value >> 2 if is_base32 else value:072x}"
    check(len(data) == 72 and data.startswith(_CID_PREFIX), problem)
    return "0x" + data[8:]
