"""The committed vectors: python3 -m unittest discover packages/verifier-py/test"""

from __future__ import annotations

import json
import sys
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "packages" / "verifier-py" / "src"))

from imprimatur_verifier.forms import InvalidError
from imprimatur_verifier.quote import parse_quote_proof, quote_root
from imprimatur_verifier.reference import cid_of_digest, digest_of_text, parse_cid


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


if __name__ == "__main__":
    unittest.main()
