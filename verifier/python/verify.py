#!/usr/bin/env python3
"""Verifies an attestation from the chain alone, without the service that made it, and without any package."""

import sys

# An exit code of 1 is an answer, and so an error of an old Python must not end with it.
if sys.version_info < (3, 10):
    print("error: Python 3.10 or later is needed", file=sys.stderr)
    sys.exit(2)

import argparse
import json
import re
import traceback
from typing import Optional, Sequence

from offline import against_proof, verify_offline
from present import exit_code, present_json, present_text
from proof_file import ProofInvalidError, parse_proof_file
from provider import RpcUrlInvalidError
from quote_proof import QuoteProofInvalidError, parse_quote_proof
from reference import Reference, ReferenceInvalidError, parse_address, parse_reference
from verdict import Verdict, verify, verify_quote

_EPILOG = """exit code: 0 verified; 1 not found, altered, revoked, a quote proof that proves nothing, or a quote root
that is not the text's; 2 unknown, or bad usage; 3 superseded"""
_FORM = "eip155:<chainId>:<registryAddress>/<attestationIndex>/<authorityAddress>/<contentCid>"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, epilog=_EPILOG, allow_abbrev=False)
    subject = parser.add_mutually_exclusive_group(required=True)
    subject.add_argument("--reference", metavar="R", help=_FORM)
    subject.add_argument("--proof", metavar="PATH", help="a proof file, which names its attestation")
    subject.add_argument("--quote", metavar="PATH", help="a quote proof, checked without the content")
    believed = parser.add_mutually_exclusive_group(required=True)
    believed.add_argument(
        "--rpc",
        metavar="URL",
        action="append",
        help="an Ethereum JSON-RPC endpoint of the chain; given several times, all are asked and compared",
    )
    believed.add_argument(
        "--block-hash",
        metavar="0x…",
        help="hash of the proof file's block, from elsewhere than the file: nobody is asked anything",
    )
    parser.add_argument("--file", metavar="PATH", help="the content, exactly as attested")
    parser.add_argument(
        "--other-registry",
        metavar="0x…",
        action="append",
        default=[],
        help="another registry on the chain, in which corrections are looked for too",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")
    return parser


def _options(argv: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = _parser()
    options = parser.parse_args(argv)
    if options.quote and options.file:
        parser.error("--quote and --file exclude each other")
    if options.block_hash and not options.proof:
        parser.error("--block-hash is of a --proof")
    if options.block_hash and not re.fullmatch("0x[0-9a-fA-F]{64}", options.block_hash):
        parser.error("--block-hash must be 0x and 64 hexadecimal digits")
    return options


def _read_bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _judge(options: argparse.Namespace) -> tuple[Reference, Verdict, tuple[str, ...]]:
    """What is verified, the verdict, and the quoted pieces."""
    others = [parse_address("a registry", address) for address in options.other_registry]
    # With its byte order mark and its line endings: they are part of what was attested.
    text = None if options.file is None else _read_bytes(options.file).decode("utf-8")
    if options.quote:
        quote = parse_quote_proof(_read_bytes(options.quote))
        return quote.reference, verify_quote(quote, options.rpc, others), quote.pieces
    if options.reference:
        reference = parse_reference(options.reference)
        return reference, verify(reference, options.rpc, text, others), ()
    proof = parse_proof_file(_read_bytes(options.proof))
    if options.block_hash:
        return proof.reference, verify_offline(proof, options.block_hash.lower(), text), ()
    return proof.reference, against_proof(verify(proof.reference, options.rpc, text, others), proof), ()


def _run(argv: Optional[Sequence[str]]) -> int:
    options = _options(argv)
    try:
        reference, verdict, quoted = _judge(options)
    except QuoteProofInvalidError as error:
        # A forged proof is an answer, and no bad usage.
        print(json.dumps({"verified": False, "reason": str(error)}) if options.json else f"not verified: {error}")
        return 1
    if options.json:
        print(json.dumps(present_json(reference, verdict, quoted)))
    else:
        print(present_text(reference, verdict, quoted))
    return exit_code(verdict)


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Runs the command, and gives its exit code."""
    try:
        return _run(argv)
    except UnicodeDecodeError:
        problem = "--file: it is not UTF-8 text"
    except OSError as error:
        problem = f"{error.filename}: {error.strerror}"
    except (ProofInvalidError, ReferenceInvalidError, RpcUrlInvalidError) as error:
        problem = str(error)
    except Exception:
        traceback.print_exc()
        return 2
    print(f"error: {problem}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
