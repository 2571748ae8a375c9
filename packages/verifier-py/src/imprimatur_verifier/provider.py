"""A provider's JSON-RPC endpoint: questions to it, and what can be wrong with the answers."""

import http.client
import json
import re
import urllib.request
from typing import Any

from .forms import InvalidError, check, fits, parse_json, read, to_int

QUANTITY = ("0x0*1?[0-9a-fA-F]{1,13}", to_int)  # up to 2^53 - 1
_URL = r"(?i)https?://(?:[^/?#]*@)?((?:\[[0-9a-fA-F:.]+\]|[\w.-]+)(?::[0-9]+)?)(?:[/?#].*)?"
# Some providers turn away the name that Python gives itself.
_HEADERS = {"Content-Type": "application/json", "User-Agent": "imprimatur-verifier"}
_TIMEOUT_SECONDS = 10.0
# The longest answer is a block's header with the hashes of all its transactions; one cut off is no JSON.
_MAX_ANSWER_BYTES = 8 * 1024 * 1024


class ProviderFaultError(Exception):
    """A fault of a provider, which says nothing of the attestation; the message goes on from its name."""


class PassingFaultError(ProviderFaultError):
    """A fault that another look may not have: the chain may have reorganised between two answers."""


class RevertError(PassingFaultError):
    """The error of a contract that reverts."""


class _AnyStatus(urllib.request.HTTPErrorProcessor):
    """Every status is an answer. No redirection is followed: the URL may hold a key, and nobody chose another host."""

    http_response = https_response = lambda self, request, response: response


_opener = urllib.request.build_opener(_AnyStatus)


class Provider:
    """A provider by its URL, of which only host and port are ever shown: the rest may hold a key."""

    def __init__(self, url: str) -> None:
        parts = re.fullmatch(_URL, url)
        check(parts, "an RPC endpoint must be an http or https URL")
        self.name, self._url = parts[1], url

    def ask(self, form: Any, method: str, *params: Any) -> Any:
        """The result, as the form gives it. Raises ProviderFaultError."""
        question = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        try:
            request = urllib.request.Request(self._url, question, _HEADERS)
            with _opener.open(request, timeout=_TIMEOUT_SECONDS) as response:
                answer = parse_json(response.read(_MAX_ANSWER_BYTES), "the answer", _MAX_ANSWER_BYTES)
            if isinstance(answer, dict) and isinstance(answer.get("error"), dict):
                raise _refusal(answer["error"])
            return read({"result": form}, answer, "the answer")["result"]
        except InvalidError:
            raise ProviderFaultError(f"returned no usable answer to {method} (HTTP {response.status})") from None
        except (OSError, http.client.HTTPException, ValueError):
            raise ProviderFaultError("does not answer") from None  # why is told to nobody: it may hold the URL

    def find_block(self, block: str) -> dict[str, Any] | None:
        """Number, hash and timestamp of a block by number or tag; None where the provider has none."""
        return self.ask(_read_block, "eth_getBlockByNumber", block, False)


def _read_block(answer: Any, place: str) -> dict[str, Any] | None:
    form = {"number": QUANTITY, "hash": "0x[0-9a-fA-F]{64}", "timestamp": QUANTITY}
    return None if answer is None else read(form, answer, place)


def _refusal(error: Any) -> PassingFaultError:
    """A node's error, for which there may be a reason in the question; it may be wrapped in others."""
    for _ in range(10):
        if not isinstance(error, dict):
            break
        says_so = fits(r"(?ais).*\b(revert|reverted)\b.*", error.get("message"))
        if error.get("code") == 3 or fits("0x[0-9a-fA-F]+", error.get("data")) or says_so:
            return RevertError("returned a revert")
        error = error.get("cause", error.get("data"))
    return PassingFaultError("returned an error")
