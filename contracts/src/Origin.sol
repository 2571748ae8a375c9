// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The first attestation of a content in one word: from the top, 48 bits of index, 48 of timestamp, 160 of authority.
/// Packed manually, because the compiler reads and writes each field of a packed struct separately.
type Origin is uint256;

using {exists, authorityOf, timestampOf, attestationIdOf} for Origin global;

/// @dev The caller keeps `attestationId` below 2^48; timestamps reach that in nine million years.
function packOrigin(address authority, uint256 timestamp, uint256 attestationId) pure returns (Origin) {
    return Origin.wrap(uint160(authority) | timestamp << 160 | attestationId << 208);
}

/// @dev No attestation has index 0, so no origin is zero.
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
