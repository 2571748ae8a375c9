#!/usr/bin/env python3
"""Verifies an attestation from the chain alone, without the service that made it, and without any package."""

import sys

# An exit code of 1 is an answer, and so an error of an old Python must not end with it.
if sys.version_info < (3, 10):
    print("error: Python 3.10 or later is needed", file=sys.stderr)
    sys.exit(2)

import argparse
import json
import traceback
from pathlib import Path

from forms import InvalidError, fits, read
from offline import verify_offline
from present import Verdict, exit_code, in_words
from proof_file import parse_proof_file
from quote import parse_quote_proof
from reference import REFERENCE_FORM, parse_address, parse_reference
from verdict import Subject, verify

_EPILOG = """exit code: 0 verified; 1 not found, altered, revoked, a quote proof that proves nothing, or a quote root
that is not the text's; 2 unknown, or bad usage; 3 superseded"""
_RPC = "an Ethereum JSON-RPC endpoint of the chain; given several times, all are asked and compared"
_BLOCK_HASH = "hash of the proof file's block, from elsewhere than the file: nobody is asked anything"
_OTHER = "a registry in which corrections are looked for, beside the published ones of the chain"


def _options(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, epilog=_EPILOG, allow_abbrev=False)
    subject = parser.add_mutually_exclusive_group(required=True)
    subject.add_argument("--reference", metavar="R", help=REFERENCE_FORM)
    subject.add_argument("--proof", metavar="PATH", help="a proof file, which names its attestation")
    subject.add_argument("--quote", metavar="PATH", help="a quote proof, checked without the content")
    believed = parser.add_mutually_exclusive_group(required=True)
    believed.add_argument("--rpc", metavar="URL", action="append", help=_RPC)
    believed.add_argument("--block-hash", metavar="0x…", help=_BLOCK_HASH)
    parser.add_argument("--file", metavar="PATH", help="the content, exactly as attested")
    parser.add_argument("--other-registry", metavar="0x…", action="append", default=[], help=_OTHER)
    parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")
    options = parser.parse_args(argv)
    if options.quote and options.file:
        parser.error("--quote and --file exclude each other")
    if options.block_hash and not options.proof:
        parser.error("--block-hash is of a --proof")
    if options.block_hash and options.other_registry:
        parser.error("--other-registry is for --rpc: with --block-hash nobody is asked")
    if options.block_hash and not fits("0x[0-9a-fA-F]{64}", options.block_hash):
        parser.error("--block-hash must be 0x and 64 hexadecimal digits")
    return options


def _judge(options: argparse.Namespace) -> Verdict:
    others = [read(parse_address, address, "--other-registry") for address in options.other_registry]
    # With its byte order mark and its line endings: they are part of what was attested.
    text = None if options.file is None else Path(options.file).read_bytes().decode("utf-8")
    if options.quote:
        data = Path(options.quote).read_bytes()
        try:
            quote = parse_quote_proof(data)
        except InvalidError as error:
            return {"reason": f"{error}."}  # an answer, and no bad usage
        return verify(Subject(quote.reference, quote=quote), options.rpc, others)
    if options.reference:
        return verify(Subject(parse_reference(options.reference), text), options.rpc, others)
    proof = parse_proof_file(Path(options.proof).read_bytes())
    subject = Subject(proof["reference"], text, proof=proof)
    if options.block_hash:
        return verify_offline(subject, options.block_hash.lower())
    return verify(subject, options.rpc, others)


def main(argv: list[str] | None = None) -> int:
    """Runs the command, and gives its exit code."""
    options = _options(argv)
    try:
        verdict = _judge(options)
        code = exit_code(verdict)
        print(json.dumps({"verified": code in (0, 3), **verdict}) if options.json else in_words(verdict))
        return code
    except UnicodeDecodeError:
        problem = "--file: it is not UTF-8 text"
    except OSError as error:
        problem = f"{error.filename}: {error.strerror}"
    except InvalidError as error:
        problem = str(error)
    except Exception:
        traceback.print_exc()
        return 2
    print(f"error: {problem}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
