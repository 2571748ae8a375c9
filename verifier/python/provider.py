"""A provider's JSON-RPC endpoint: questions to it, and what can be wrong with the answers."""

from __future__ import annotations

import http.client
import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Iterator, Optional

_ATTEMPTS = 3
_ATTEMPT_SECONDS = 10.0
_PAUSE_SECONDS = 0.25
# The longest answer is a block's header with the hashes of all its transactions.
_MAX_ANSWER_BYTES = 8 * 1024 * 1024
_MAX_LAYERS = 10


class ProviderFaultError(Exception):
    """A fault of a provider, which says nothing of the attestation; the message goes on from its name."""


class ContradictionError(ProviderFaultError):
    """Answers that no registry gives together at one block; the chain may have reorganised between them."""

    def __init__(self, what: str) -> None:
        super().__init__(f"contradicts itself: {what}")


class RefusalError(Exception):
    """A node's error, for which there may be a reason in the question."""

    def __init__(self, error: dict[str, Any]) -> None:
        code = error.get("code")
        is_number = isinstance(code, (int, float)) and not isinstance(code, bool)
        super().__init__(f"answers with the error {code}" if is_number else "answers with an error")
        self.reverted = any(_is_revert(layer) for layer in _layers(error))


class RpcUrlInvalidError(ValueError):
    """A URL that is none, or not of http or https."""


def _layers(error: object) -> Iterator[dict[str, Any]]:
    for _ in range(_MAX_LAYERS):
        if not isinstance(error, dict):
            return
        yield error
        error = error.get("cause", error.get("data"))


def _is_revert(error: dict[str, Any]) -> bool:
    data, message = error.get("data"), error.get("message")
    has_data = isinstance(data, str) and re.fullmatch("0x[0-9a-fA-F]+", data)
    says_so = isinstance(message, str) and re.search(r"\b(revert|reverted)\b", message, re.IGNORECASE | re.ASCII)
    return error.get("code") == 3 or bool(has_data) or bool(says_so)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The URL may hold a key, and the answer of another host is not the provider's."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


def host_of(url: str) -> str:
    """The host and port of a URL, which is all that is shown of it: the rest may hold a key."""
    try:
        parts = urllib.parse.urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise RpcUrlInvalidError("an RPC endpoint must be an http or https URL") from None
    if parts.scheme not in ("http", "https") or not host:
        raise RpcUrlInvalidError("an RPC endpoint must be an http or https URL")
    name = f"[{host}]" if ":" in host else host
    return name if port is None else f"{name}:{port}"


class Provider:
    """A provider, as it is asked in one verification, up to a deadline in the seconds of time.monotonic."""

    def __init__(self, name: str, url: str, deadline: float) -> None:
        self.name = name
        self.asked: list[dict[str, Any]] = []
        self._url = url
        self._deadline = deadline

    def ask(self, method: str, *params: Any) -> Any:
        """The result, or RefusalError, or ProviderFaultError. What was asked is kept."""
        question = {"provider": self.name, "method": method, "params": list(params), "answered": False}
        self.asked.append(question)
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        status, data = self._post_with_retries(body)
        try:
            answer = json.loads(data)
        except (ValueError, RecursionError):
            answer = None
        if isinstance(answer, dict) and isinstance(answer.get("error"), dict):
            raise RefusalError(answer["error"])
        if isinstance(answer, dict) and "result" in answer:
            question["answered"] = True
            return answer["result"]
        is_success = 200 <= status < 300
        raise ProviderFaultError("does not answer as a node does" if is_success else f"answers HTTP {status}")

    def _post_with_retries(self, body: bytes) -> tuple[int, bytes]:
        for attempt in range(1, _ATTEMPTS + 1):
            answer = self._post(body)
            if answer and not (answer[0] == 429 or answer[0] >= 500):
                break
            if attempt < _ATTEMPTS:
                time.sleep(attempt * _PAUSE_SECONDS)
        if answer is None:
            raise ProviderFaultError("does not answer")
        return answer

    def _post(self, body: bytes) -> Optional[tuple[int, bytes]]:
        """Status and body; None for a broken connection, whose error is left out: it may hold the URL."""
        seconds = min(_ATTEMPT_SECONDS, self._deadline - time.monotonic())
        if seconds <= 0:
            raise ProviderFaultError("does not answer in time")
        try:
            with self._open(body, seconds) as response:
                return response.status, self._read(response, time.monotonic() + seconds)
        except (OSError, http.client.HTTPException, ValueError):
            return None

    def _open(self, body: bytes, seconds: float) -> Any:
        # Some providers turn away the name that Python gives itself.
        headers = {"Content-Type": "application/json", "User-Agent": "imprimatur-verifier"}
        try:
            return _opener.open(urllib.request.Request(self._url, body, headers), timeout=seconds)
        except urllib.error.HTTPError as response:
            return response

    def _read(self, response: Any, end: float) -> bytes:
        """The body, which a hostile provider could go on with without end."""
        data = bytearray()
        while part := response.read1(65_536):
            data += part
            if len(data) > _MAX_ANSWER_BYTES:
                return b""
            if time.monotonic() > end:
                raise TimeoutError
        return bytes(data)
