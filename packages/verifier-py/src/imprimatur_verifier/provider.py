"""An RPC provider and its faults."""

import http.client
import json
import re
import urllib.request
from typing import Any

from .forms import InvalidError, check, fits, parse_json, read, to_int

QUANTITY = ("0x0*1?[0-9a-fA-F]{1,13}", to_int)  # up to 2^53 - 1
_URL = r"(?i)https?://(?:[^/?#]*@)?((?:\[[0-9a-fA-F:.]+\]|[\w.-]+)(?::[0-9]+)?)(?:[/?#].*)?"
# Some providers reject Python's default user agent.
_HEADERS = {"Content-Type": "application/json", "User-Agent": "imprimatur-verifier"}
_TIMEOUT_SECONDS = 10.0
# The longest answer is a block with its transaction hashes; a truncated one is not JSON.
_MAX_ANSWER_BYTES = 8 * 1024 * 1024


class ProviderFaultError(Exception):
    """A fault of a provider, not of the attestation. The message follows the provider's name in a sentence."""


class TransientFaultError(ProviderFaultError):
    """A fault that may be transient: there may have been a reorg between two answers."""


class RevertError(TransientFaultError):
    """A reverted call."""


class _AnyStatus(urllib.request.HTTPErrorProcessor):
    """Accepts every status and follows no redirect, because the URL may contain a key."""

    http_response = https_response = lambda self, request, response: response


_opener = urllib.request.build_opener(_AnyStatus)


class Provider:
    """A provider. Its name is host and port of the URL, because the rest may contain a key."""

    def __init__(self, url: str) -> None:
        parts = re.fullmatch(_URL, url)
        check(parts, "an RPC endpoint must be an http or https URL")
        self.name, self._url = parts[1], url

    def request(self, form: Any, method: str, *params: Any) -> Any:
        """Sends a request and parses the result by the form. Raises ProviderFaultError."""
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        try:
            request = urllib.request.Request(self._url, body, _HEADERS)
            with _opener.open(request, timeout=_TIMEOUT_SECONDS) as response:
                answer = parse_json(response.read(_MAX_ANSWER_BYTES), "the answer", _MAX_ANSWER_BYTES)
            if isinstance(answer, dict) and isinstance(answer.get("error"), dict):
                raise _node_error(answer["error"])
            return read({"result": form}, answer, "the answer")["result"]
        except InvalidError:
            raise ProviderFaultError(f"returned no usable answer to {method} (HTTP {response.status})") from None
        except (OSError, http.client.HTTPException, ValueError):
            raise ProviderFaultError("does not answer") from None  # the cause may contain the URL

    def find_block(self, block: str) -> dict[str, Any] | None:
        """Returns number, hash and timestamp of a block by number or tag; None if the provider does not have it."""
        return self.request(_read_block, "eth_getBlockByNumber", block, False)


def _read_block(answer: Any, path: str) -> dict[str, Any] | None:
    form = {"number": QUANTITY, "hash": "0x[0-9a-fA-F]{64}", "timestamp": QUANTITY}
    return None if answer is None else read(form, answer, path)


def _node_error(error: Any) -> TransientFaultError:
    """Recognizes a revert in a node's error, which other errors may wrap."""
    for _ in range(10):
        if not isinstance(error, dict):
            break
        is_named = fits(r"(?ais).*\b(revert|reverted)\b.*", error.get("message"))
        if error.get("code") == 3 or fits("0x[0-9a-fA-F]+", error.get("data")) or is_named:
            return RevertError("returned a revert")
        error = error.get("cause", error.get("data"))
    return TransientFaultError("returned an error")
