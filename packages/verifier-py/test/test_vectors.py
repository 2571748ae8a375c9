"""The committed vectors, and published ones of keccak-256 and EIP-55: python3 -m unittest discover packages/verifier-py/test"""

from __future__ import annotations

import json
import sys
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "packages" / "verifier-py" / "src"))

from imprimatur_verifier.forms import InvalidError
from imprimatur_verifier.keccak import keccak256
from imprimatur_verifier.quote import parse_quote_proof, quote_root
from imprimatur_verifier.reference import checksum_address, cid_of_digest, digest_of_text, parse_address, parse_cid, parse_reference


def vectors_of(name: str) -> list[dict[str, Any]]:
    return json.loads((ROOT / "test" / "vectors" / name).read_text("utf-8"))["vectors"]


def text_of(vector: dict[str, Any]) -> str:
    recipe = vector.get("recipe")
    return recipe["unit"] * recipe["times"] if recipe else json.loads(vector["contentJsonString"])


class VectorsTest(unittest.TestCase):
    def test_cids(self) -> None:
        for vector in vectors_of("cid.json"):
            with self.subTest(vector["name"]):
                digest = digest_of_text(text_of(vector))
                self.assertEqual(digest, int(vector["sha256Hex"], 16))
                self.assertEqual(cid_of_digest(digest), vector["cidV1Raw"])
                self.assertEqual(parse_cid(vector["cidV1Raw"], "the CID"), digest)

    def test_quote_roots(self) -> None:
        for vector in vectors_of("quote-root.json"):
            with self.subTest(vector["name"]):
                text = text_of(vector)
                roots = [quote_root(text), quote_root(text, splits_pairs=True)]
                self.assertEqual(roots, [int(vector["qvRoot"], 16), int(vector["naive46Root"], 16)])

    def test_quote_proofs(self) -> None:
        for vector in vectors_of("quote-proof.json"):
            with self.subTest(vector["name"]):
                try:
                    root = parse_quote_proof(json.dumps(vector["proof"]).encode()).root
                except InvalidError:
                    root = None
                self.assertEqual(root == int(vector["root"], 16), vector["holds"])

    def test_no_root_of_an_empty_text(self) -> None:
        self.assertEqual([quote_root(""), quote_root("", splits_pairs=True)], [None, None])


class HashTest(unittest.TestCase):
    def test_keccak(self) -> None:
        known = {
            b"": "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
            b"abc": "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
            b"The quick brown fox jumps over the lazy dog": "4d741b6f1eb29cb2a9b9911c82f56fa8d73b04959d3d9d222895df6c0b28aa15",
        }
        for data, expected in known.items():
            self.assertEqual(keccak256(data).hex(), expected)

    def test_checksums(self) -> None:
        for address in (
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
            "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
            "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
        ):
            self.assertEqual(checksum_address(int(address, 16)), address)
            self.assertEqual(parse_address(address, "the address"), int(address, 16))
            with self.assertRaises(InvalidError):
                letter = next(one for one in address[2:] if one.isalpha())
                parse_address("0x" + address[2:].replace(letter, letter.swapcase(), 1), "the address")


class ReferenceTest(unittest.TestCase):
    ADDRESS = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"
    CID = "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"

    def test_parts(self) -> None:
        reference = parse_reference(f" eip155:8453:{self.ADDRESS}/7/{self.ADDRESS.upper().replace('X', 'x')}/{self.CID}\n")
        self.assertEqual((reference.chain_id, reference.index), (8453, 7))
        self.assertEqual((reference.registry, reference.authority), (int(self.ADDRESS, 16), int(self.ADDRESS, 16)))
        self.assertEqual(reference.digest, digest_of_text(""))

    def test_what_is_none(self) -> None:
        good = f"eip155:8453:{self.ADDRESS}/7/{self.ADDRESS}/{self.CID}"
        parse_reference(good)
        for old, new in (("eip155", "bip122"), ("8453", "08453"), ("/7/", "/0/"), ("/7/", "/9007199254740992/"),
                         ("/7/", "/٧/"), ("/7/", "/7"), (self.CID, self.CID + "/"), (self.CID, self.CID[:-1]),
                         (self.CID, "Qm" + self.CID), (self.ADDRESS, self.ADDRESS[:-1])):
            with self.subTest(new), self.assertRaises(InvalidError):
                parse_reference(good.replace(old, new))


if __name__ == "__main__":
    unittest.main()
