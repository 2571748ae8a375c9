"""A provider's JSON-RPC endpoint: questions to it, and what can be wrong with the answers."""

import http.client
import json
import time
import urllib.parse
import urllib.request
from contextlib import suppress
from typing import Any

from forms import Form, InvalidError, check, fits, parse_json, read

# Some providers turn away the name that Python gives itself.
_HEADERS = {"Content-Type": "application/json", "User-Agent": "imprimatur-verifier"}
_ATTEMPT_SECONDS = 10.0
_PAUSES_SECONDS = (0.25, 0.5, 0.0)
# The longest answer is a block's header with the hashes of all its transactions; one cut off is no JSON.
_MAX_ANSWER_BYTES = 8 * 1024 * 1024


class ProviderFaultError(Exception):
    """A fault of a provider, which says nothing of the attestation; the message goes on from its name."""


class PassingFaultError(ProviderFaultError):
    """A fault that another look may not have: the chain may have reorganised between two answers."""

    reverted = False


class _AnyStatus(urllib.request.HTTPErrorProcessor):
    """Every status is an answer. No redirection is followed: the URL may hold a key, and another host was not chosen."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


_opener = urllib.request.build_opener(_AnyStatus)


def host_of(url: str) -> str:
    """The host and port of a URL, which is all that is shown of it: the rest may hold a key."""
    try:
        parts = urllib.parse.urlsplit(url)
        check(parts.scheme in ("http", "https") and parts.hostname and parts.port != 0, "it has another form")
    except ValueError:
        raise InvalidError("an RPC endpoint must be an http or https URL") from None
    return parts.netloc.rpartition("@")[2]


class Provider:
    """A provider, as it is asked in one verification, up to a deadline in the seconds of time.monotonic."""

    def __init__(self, url: str, deadline: float) -> None:
        self.name = host_of(url)
        self.answer: Any = "does not answer in time"  # or evidence, once there is some
        self.asked: list[dict[str, Any]] = []
        self._url = url
        self._deadline = deadline

    def ask(self, form: Form, method: str, *params: Any) -> Any:
        """The result, as the form gives it, or ProviderFaultError. What was asked is kept."""
        question = {"provider": self.name, "method": method, "params": list(params), "answered": False}
        self.asked.append(question)
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        status, data = self._post(body)
        answer: Any = None
        with suppress(InvalidError):
            answer = parse_json(data, "the answer", _MAX_ANSWER_BYTES)
        answer = answer if isinstance(answer, dict) else {}
        if isinstance(answer.get("error"), dict):
            raise _refusal(answer["error"])
        if "result" not in answer:
            raise ProviderFaultError("does not answer as a node does" if status < 300 else f"answers HTTP {status}")
        question["answered"] = True
        try:
            return read(form, answer["result"], method)
        except InvalidError:
            raise ProviderFaultError(f"gives no usable answer to {method}") from None

    def _post(self, body: bytes) -> tuple[int, bytes]:
        """Status and data of the answer; asked again where the provider is busy or the connection breaks."""
        answer = None
        for pause in _PAUSES_SECONDS:
            seconds = min(_ATTEMPT_SECONDS, self._deadline - time.monotonic())
            if seconds <= 0:
                raise ProviderFaultError("does not answer in time")
            # An error of the connection is told to nobody: it may hold the URL.
            with suppress(OSError, http.client.HTTPException, ValueError):
                request = urllib.request.Request(self._url, body, _HEADERS)
                with _opener.open(request, timeout=seconds) as response:
                    answer = response.status, response.read(_MAX_ANSWER_BYTES)
                if answer[0] != 429 and answer[0] < 500:
                    return answer
            time.sleep(pause)
        if answer is None:
            raise ProviderFaultError("does not answer")
        return answer


def _refusal(error: dict[str, Any]) -> PassingFaultError:
    """A node's error, for which there may be a reason in the question; it may be wrapped in others."""
    code = error.get("code")
    words = f"answers with the error {code:.0f}" if isinstance(code, float) else "answers with an error"
    fault = PassingFaultError(words)
    layer: Any = error
    for _ in range(10):
        if not isinstance(layer, dict):
            break
        says_so = fits(r"(?ais).*\b(revert|reverted)\b.*", layer.get("message"))
        if layer.get("code") == 3 or fits("0x[0-9a-fA-F]+", layer.get("data")) or says_so:
            fault.reverted = True
        layer = layer.get("cause", layer.get("data"))
    return fault
