#!/usr/bin/env python3
"""Verify an attestation with only the chain, without the service and without dependencies."""

import sys

# Exit code 1 is a negative result, so an old Python must not end with it.
if sys.version_info < (3, 10):
    print("error: Python 3.10 or later is needed", file=sys.stderr)
    sys.exit(2)

import argparse
import json
import traceback
from pathlib import Path
from typing import Any

from .forms import InvalidError, read
from .proof_file import parse_proof_file
from .quote import parse_quote_proof
from .reference import REFERENCE_FORM, Subject, parse_address, parse_reference
from .verdict import exit_code, verify, verify_offline

_EPILOG = """exit code: 0 verified; 1 not found, altered, revoked, or an invalid quote proof or quote root; 2 unknown or
wrong usage; 3 superseded"""


def _options(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="imprimatur-verify-py", description=__doc__, epilog=_EPILOG, allow_abbrev=False)
    subject = parser.add_mutually_exclusive_group(required=True)
    subject.add_argument("--reference", metavar="R", help=REFERENCE_FORM)
    subject.add_argument("--proof", metavar="PATH", help="proof file; it names its attestation")
    subject.add_argument("--quote", metavar="PATH", help="quote proof, checked without the content")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--rpc", metavar="URL", action="append", help="RPC endpoint of the chain; repeatable, answers are compared")
    source.add_argument("--block-hash", metavar="HASH", help="hash of the proof's block; checks offline")
    parser.add_argument("--file", metavar="PATH", help="exact content")
    other_help = "another registry to search for corrections; repeatable"
    parser.add_argument("--other-registry", metavar="ADDRESS", action="append", default=[], help=other_help)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(argv)
    if options.quote and options.file:
        parser.error("--quote cannot be used with --file")
    if options.block_hash and (options.other_registry or not options.proof):
        parser.error("--block-hash needs --proof, and cannot be used with --other-registry")
    return options


def _judge(options: argparse.Namespace) -> dict[str, Any]:
    other_registries = [parse_address(address, "--other-registry") for address in options.other_registry]
    # Byte order mark and line endings are part of the content.
    text = None if options.file is None else Path(options.file).read_bytes().decode("utf-8")
    if options.quote is not None:
        data = Path(options.quote).read_bytes()
        try:
            subject = parse_quote_proof(data)
        except InvalidError as error:
            return {"reason": f"{error}."}  # a negative result, not wrong usage
    elif options.reference is not None:
        subject = Subject(parse_reference(options.reference), text)
    else:
        proof = parse_proof_file(Path(options.proof).read_bytes())
        subject = Subject(proof["reference"], text, proof)
    if options.block_hash is not None:
        return verify_offline(subject, read("0x[0-9a-fA-F]{64}", options.block_hash, "--block-hash").lower())
    return verify(subject, options.rpc, other_registries)


def main(argv: list[str] | None = None) -> int:
    """Runs the command and returns its exit code."""
    options = _options(argv)
    try:
        verdict = _judge(options)
        code = exit_code(verdict)
        output = {"verified": code in (0, 3), **verdict}
        print(json.dumps(output) if options.json else "\n".join(f"{name}: {json.dumps(output[name])}" for name in output))
        return code
    except (InvalidError, OSError, UnicodeDecodeError) as error:
        print(f"error: {error}", file=sys.stderr)
    except Exception:
        traceback.print_exc()
    return 2


if __name__ == "__main__":
    sys.exit(main())
