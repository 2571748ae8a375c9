// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev Who attested a content first, when, and under which index, in one word: from the top 48 bits of index, 48 of
/// timestamp, 160 of address. Packed by hand, because the compiler reads and writes a packed struct piece by piece.
type Origin is uint256;

using {exists, authorityOf, timestampOf, attestationIdOf} for Origin global;

/// @dev The caller keeps `attestationId` below 2^48; a timestamp gets there in nine million years.
function packOrigin(address authority, uint256 timestamp, uint256 attestationId) pure returns (Origin) {
    return Origin.wrap(uint160(authority) | timestamp << 160 | attestationId << 208);
}

/// @dev No attestation has index 0, so none packs to zero.
function exists(Origin origin) pure returns (bool) {
    return Origin.unwrap(origin) != 0;
}

function authorityOf(Origin origin) pure returns (address) {
    return address(uint160(Origin.unwrap(origin)));
}

function timestampOf(Origin origin) pure returns (uint256) {
    return uint48(Origin.unwrap(origin) >> 160);
}

function attestationIdOf(Origin origin) pure returns (uint256) {
    return Origin.unwrap(origin) >> 208;
}
