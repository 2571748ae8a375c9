"""A chain as one provider has it: headers of blocks, and state at one block."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Callable, Optional, TypeVar

from provider import ContradictionError, Provider, ProviderFaultError, RefusalError

_ATTEMPTS = 3
_MAX_NUMBER = 2**53 - 1
_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class Block:
    """A block's header, as far as a verification needs it. The timestamp is in seconds since 1970."""

    number: int
    hash: str
    timestamp: int


def malformed(method: str) -> ProviderFaultError:
    """The fault of a provider that gives an answer no node gives."""
    return ProviderFaultError(f"gives no usable answer to {method}")


def quantity_in(answer: Any, method: str) -> int:
    """A number as JSON-RPC writes it."""
    is_hex = isinstance(answer, str) and re.fullmatch("0x[0-9a-fA-F]{1,64}", answer)
    if not is_hex or int(answer, 16) > _MAX_NUMBER:
        raise malformed(method)
    return int(answer, 16)


def find_block(provider: Provider, block: int | str) -> Optional[Block]:
    """A block's header by number or tag; None where the provider has none."""
    method = "eth_getBlockByNumber"
    answer = provider.ask(method, hex(block) if isinstance(block, int) else block, False)
    if answer is None:
        return None
    if not isinstance(answer, dict) or not re.fullmatch("0x[0-9a-fA-F]{64}", str(answer.get("hash"))):
        raise malformed(method)
    number = quantity_in(answer.get("number"), method)
    return Block(number, answer["hash"], quantity_in(answer.get("timestamp"), method))


class BlockView:
    """State at one block: by its hash (EIP-1898), or by its number for a node that does not take hashes."""

    def __init__(self, provider: Provider, block: Block) -> None:
        self.block = block
        self._provider = provider
        self._param: dict[str, str] | str = {"blockHash": block.hash}

    def code(self, address: str) -> bytes:
        """A contract's code. The first read of a view: it finds out whether the node takes a block by its hash."""
        try:
            return self._read("eth_getCode", address)
        except RefusalError:
            if isinstance(self._param, str):
                raise
            self._param = hex(self.block.number)
            return self._read("eth_getCode", address)

    def call(self, to: str, data: bytes) -> Optional[bytes]:
        """What a contract answers; None when it reverts."""
        try:
            return self._read("eth_call", {"to": to, "data": "0x" + data.hex()})
        except RefusalError as refusal:
            if refusal.reverted:
                return None
            raise

    def stands(self) -> bool:
        """Whether the block still is the one with its number."""
        found = find_block(self._provider, self.block.number)
        return found is not None and found.hash == self.block.hash

    def _read(self, method: str, param: Any) -> bytes:
        answer = self._provider.ask(method, param, self._param)
        if isinstance(answer, str) and re.fullmatch("0x([0-9a-fA-F]{2})*", answer):
            return bytes.fromhex(answer[2:])
        raise malformed(method)


def read_at_newest(provider: Provider, read: Callable[[BlockView], _Answer]) -> _Answer:
    """Reads at the newest block; again where the provider loses that meanwhile, as when the chain reorganises."""
    fault = ProviderFaultError("gives another block at each look")
    for _ in range(_ATTEMPTS):
        try:
            block = find_block(provider, "latest")
            if block is None:
                raise malformed("eth_getBlockByNumber")
            view = BlockView(provider, block)
            answer = read(view)
            if view.stands():
                return answer
            fault = ProviderFaultError("gives another block at each look")
        except (RefusalError, ContradictionError) as error:
            fault = ProviderFaultError(str(error))
    raise fault


def last_block_at(provider: Provider, timestamp: int, newest: Block) -> Optional[Block]:
    """The last block from 1 on whose time is not after this one; None where the provider lacks blocks."""
    if newest.timestamp <= timestamp:
        return newest
    low, high = find_block(provider, 1), newest
    if low is None or low.timestamp > timestamp:
        return None
    while high.number - low.number > 1:
        number = (low.number + high.number) // 2
        middle = find_block(provider, number)
        if middle is None:
            return None
        if middle.number != number:
            raise malformed("eth_getBlockByNumber")
        low, high = (middle, high) if middle.timestamp <= timestamp else (low, middle)
    return low
