#!/usr/bin/env python3
"""Verifies an attestation from the chain alone, without the service that made it, and without any package."""

from __future__ import annotations

import sys

# An exit code of 1 is an answer, and so an error of Python must not end with it.
if sys.version_info < (3, 10):
    print("error: Python 3.10 or later is needed", file=sys.stderr)
    sys.exit(2)

import argparse
import json
import traceback
from typing import Optional, Sequence

from present import exit_code, present_json, present_text
from provider import RpcUrlInvalidError
from reference import ReferenceInvalidError, parse_address, parse_reference
from verdict import verify

_EPILOG = """exit code: 0 verified; 1 not found, altered, revoked, or the registry's quote root is not the text's;
2 unknown, or bad usage; 3 superseded"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, epilog=_EPILOG, allow_abbrev=False)
    parser.add_argument(
        "--rpc",
        metavar="URL",
        action="append",
        required=True,
        help="an Ethereum JSON-RPC endpoint of the chain; given several times, all are asked and compared",
    )
    parser.add_argument(
        "--reference",
        metavar="R",
        required=True,
        help="eip155:<chainId>:<registryAddress>/<attestationIndex>/<authorityAddress>/<contentCid>",
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


def _read_text(path: str) -> str:
    """The file's text, with its byte order mark and its line endings: they are part of what was attested."""
    with open(path, "rb") as file:
        return file.read().decode("utf-8")


def _run(argv: Optional[Sequence[str]]) -> int:
    options = _parser().parse_args(argv)
    reference = parse_reference(options.reference)
    others = [parse_address("a registry", address) for address in options.other_registry]
    text = None if options.file is None else _read_text(options.file)
    verdict = verify(reference, options.rpc, text, others)
    print(json.dumps(present_json(reference, verdict)) if options.json else present_text(reference, verdict))
    return exit_code(verdict)


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Runs the command, and gives its exit code."""
    try:
        return _run(argv)
    except UnicodeDecodeError:
        problem = "--file: it is not UTF-8 text"
    except OSError as error:
        problem = f"--file: {error.strerror}"
    except (ReferenceInvalidError, RpcUrlInvalidError) as error:
        problem = str(error)
    except Exception:
        traceback.print_exc()
        return 2
    print(f"error: {problem}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
