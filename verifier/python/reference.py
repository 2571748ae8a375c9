"""References to attestations, and the content CIDs and addresses in them."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass

from keccak import keccak256

# That of ECMAScript, which differs a little from Python's.
_WHITE_SPACE = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))
_CID_PREFIX = bytes((0x01, 0x55, 0x12, 0x20))
_BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz"
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_MAX_NUMBER = 2**53 - 1


class ReferenceInvalidError(ValueError):
    """A reference, or a part of one, that cannot be read; the message is one plain line."""


@dataclass(frozen=True)
class Reference:
    """A complete reference. Addresses are in lower case; the digest is the one inside of the CID."""

    chain_id: int
    registry_address: str
    attestation_index: int
    authority_address: str
    digest: str


def parse_reference(text: str) -> Reference:
    """Reads a reference in one line, or raises ReferenceInvalidError."""
    parts = text.strip(_WHITE_SPACE).split("/")
    place = parts[0].split(":")
    if len(parts) != 4 or len(place) != 3 or place[0] != "eip155":
        raise ReferenceInvalidError(
            "a reference is eip155:<chainId>:<registryAddress>/<attestationIndex>/<authorityAddress>/<contentCid>"
        )
    return Reference(
        chain_id=_parse_number("the chain id", place[1]),
        registry_address=parse_address("the registry", place[2]),
        attestation_index=_parse_number("the index", parts[1]),
        authority_address=parse_address("the authority", parts[2]),
        digest=digest_of_cid(parts[3]),
    )


def _parse_number(name: str, text: str) -> int:
    if re.fullmatch("[1-9][0-9]{0,15}", text) and int(text) <= _MAX_NUMBER:
        return int(text)
    raise ReferenceInvalidError(f"{name} must be a whole number from 1 to {_MAX_NUMBER}")


def parse_address(name: str, text: str) -> str:
    """Reads an address in lower case, upper case or with its checksum, and gives it in lower case."""
    if not re.fullmatch("0x[0-9a-fA-F]{40}", text):
        raise ReferenceInvalidError(f"{name} must be an address, 0x and 40 hexadecimal digits")
    digits = text[2:]
    if digits not in (digits.lower(), digits.upper()) and text != checksum_address(text.lower()):
        raise ReferenceInvalidError(f"{name} has a wrong checksum: one of its characters may be mistyped")
    return text.lower()


def checksum_address(address: str) -> str:
    """An address in lower case, with the checksum of EIP-55."""
    digits = address[2:]
    hashed = keccak256(digits.encode()).hex()
    return "0x" + "".join(d.upper() if h >= "8" else d for d, h in zip(digits, hashed))


def digest_of_text(data: bytes) -> str:
    """The digest of a text that is given as its bytes."""
    return "0x" + hashlib.sha256(data).hexdigest()


def cid_of_digest(digest: str) -> str:
    """The CID in base32 of the content with this digest."""
    encoded = base64.b32encode(_CID_PREFIX + bytes.fromhex(digest[2:])).decode()
    return "b" + encoded.rstrip("=").lower()


def digest_of_cid(text: str) -> str:
    """The digest inside of a CID, or ReferenceInvalidError."""
    decoded = _decode_multibase(text)
    if decoded is None or len(decoded) != 36 or not decoded.startswith(_CID_PREFIX):
        raise ReferenceInvalidError("the CID must be a CIDv1 of codec raw and sha2-256 (bafkrei…)")
    return "0x" + decoded[4:].hex()


def _decode_multibase(text: str) -> bytes | None:
    prefix, body = text[:1], text[1:]
    # Longer ones are no CID, and would take long.
    if len(body) > 100 or not body.isascii():
        return None
    if prefix == "b":
        return _decode_base32(body.rstrip("=").upper())
    if prefix == "k":
        return _decode_digits(body.lower(), _BASE36)
    return _decode_digits(body, _BASE58) if prefix == "z" else None


def _decode_base32(body: str) -> bytes | None:
    try:
        decoded = base64.b32decode(body + "=" * (-len(body) % 8))
    except binascii.Error:
        return None
    # Bits that are left over must be zeros.
    return decoded if base64.b32encode(decoded).decode().rstrip("=") == body else None


def _decode_digits(body: str, alphabet: str) -> bytes | None:
    number = 0
    for digit in body:
        if digit not in alphabet:
            return None
        number = number * len(alphabet) + alphabet.index(digit)
    zeros = len(body) - len(body.lstrip(alphabet[0]))
    return bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8, "big")
