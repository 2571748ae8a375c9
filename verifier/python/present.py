"""The verdict as a person and a shell read it. None of it holds anything of the text but what is quoted."""

import json
import time
from typing import Any

from registry import iso_time, is_public

Verdict = dict[str, Any]  # by the names of `--json`

_PRODUCTION_DELAY_SECONDS = 60
_UNCOMPARED = "is the public deployment by its address; its code is not compared with any."
_STALE_SECONDS = 3600  # every chain in use has a block in this time


def exit_code(verdict: Verdict) -> int:
    """0 verified; 1 a check failed; 2 unknown; 3 superseded."""
    code = {"unknown": 2, "superseded": 3, "verified": 0}.get(verdict.get("outcome", ""), 1)
    return 1 if verdict.get("quoteRootHolds") is False and code != 2 else code


def notices(verdict: Verdict, read_at: int) -> list[str]:
    """Sentences that a reader should be told beside the outcome, of a verdict on the state at a block time."""
    told = []
    if time.time() - read_at >= _STALE_SECONDS:
        told.append(f"It was read at a block of {iso_time(read_at)}. What happened since is not known.")
    if not verdict["providers"]:
        told.append("Not checked offline: transactions, the block of the reveal, the publisher, whether it is final.")
    if not verdict["attestedAt"]:
        return told
    if verdict["quoted"]:
        told.append("That the passage is in the text with the CID only that text shows.")
    elif verdict["textIsContent"] is None:
        told.append("The text itself was not given (--file).")
    if verdict["notYetFinal"]:
        told.append("A reorganisation of the chain may still undo it: its block is not known to be final.")
    if first := verdict["firstAttestedBy"]:
        told.append(f"{first['authorityAddress']} attested the same content first, at {iso_time(first['attestedAt'])}.")
    if unfollowed := verdict["corrections"].get("unfollowedCid"):
        told.append(f"The last correction names {unfollowed}, which is not followed: {verdict['corrections']['end']}.")
    delay = verdict["registry"].get("revealDelaySeconds")
    followed = [correction["registryAddress"] for correction in verdict["corrections"]["followed"]]
    if delay is None:
        told.append(f"The registry {_UNCOMPARED}")
    elif delay < _PRODUCTION_DELAY_SECONDS:
        told.append(f"The registry lets content be revealed {delay} seconds after its commit.")
    if delay is not None and any(is_public(verdict["chainId"], address) for address in followed):
        told.append(f"The registry of a correction {_UNCOMPARED}")
    if verdict["textIsContent"] and not verdict["quoteRootHolds"]:
        told.append("The quote root that the registry keeps is not that of this text.")
    return told + [f"{one['name']} {one['says']}." for one in verdict["providers"] if not one["answered"]]


def in_words(verdict: Verdict) -> str:
    """Lines for a person, then the facts by their names in JSON, with nothing that a terminal would act on."""
    words = {"quoted", "outcome", "reason", "notices", "providers", "asked"}
    quoted = [f"quoted  {json.dumps(piece)}" for piece in verdict.get("quoted", [])]
    facts = [f"{name}: {json.dumps(fact)}" for name, fact in verdict.items() if name not in words]
    outcome = verdict.get("outcome", "not verified")
    return "\n".join([*quoted, f"{outcome}: {verdict['reason']}", *verdict.get("notices", []), *facts])
