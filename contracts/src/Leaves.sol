// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "./IAttestationRegistry.sol";

/// @dev Maximum number of members of a batch. One page holds the digest and quote root of each, together 64 bytes:
/// 383 × 64 + 1 ≤ 24,576 (EIP-170).
uint256 constant BATCH_MAX_MEMBER_COUNT = 383;

/// @dev The authority of a run's members, or zero for bare leaves.
function authorityOfRun(uint256 run) pure returns (address) {
    return address(uint160(run >> 96));
}

/// @dev The number of a run's members.
function countOfRun(uint256 run) pure returns (uint256) {
    return uint96(run);
}

/// @dev The hash to commit for a batch: `keccak256(keccak256(leaf_0 ‖ … ‖ leaf_n) ‖ bytes32(bytes20(sender)))`.
/// This preimage has 64 bytes and that of a single attestation 96, so no hash is valid for both.
function saltedHashOfBatch(bytes32[] memory leaves, address sender) pure returns (bytes32 saltedHash) {
    assembly ("memory-safe") {
        mstore(0, keccak256(add(leaves, 0x20), shl(5, mload(leaves))))
        mstore(0x20, shl(96, sender))
        saltedHash := keccak256(0, 0x40)
    }
}

/// @dev The leaves of all members in order: hashed from records, or given as bare leaves.
function leavesOf(
    uint256[] calldata runs,
    IAttestationRegistry.Record[] calldata records,
    bytes32[] calldata bareLeaves
) pure returns (bytes32[] memory leaves) {
    leaves = new bytes32[](records.length + bareLeaves.length);
    if (leaves.length > BATCH_MAX_MEMBER_COUNT) revert IAttestationRegistry.BatchTooLong(leaves.length);
    uint256 recordIndex = 0;
    uint256 bareIndex = 0;
    for (uint256 r = 0; r < runs.length; ++r) {
        (address authority, uint256 count) = (authorityOfRun(runs[r]), countOfRun(runs[r]));
        // Indices stay below the lengths, and a count below 2^96.
        unchecked {
            if (authority == address(0)) {
                if (bareIndex + count > bareLeaves.length) revert IAttestationRegistry.RunsMismatched();
                for (uint256 end = bareIndex + count; bareIndex < end; ++bareIndex) {
                    leaves[recordIndex + bareIndex] = bareLeaves[bareIndex];
                }
            } else {
                if (recordIndex + count > records.length) revert IAttestationRegistry.RunsMismatched();
                for (uint256 end = recordIndex + count; recordIndex < end; ++recordIndex) {
                    leaves[recordIndex + bareIndex] = leafOf(recordIndex + bareIndex, authority, records[recordIndex]);
                }
            }
        }
    }
    if (recordIndex + bareIndex != leaves.length) revert IAttestationRegistry.RunsMismatched();
}

/// @dev `keccak256("LEAF" ‖ uint64 position ‖ authority ‖ salt ‖ ipfsHash ‖ qvHash)`: 128 bytes.
function leafOf(uint256 position, address authority, IAttestationRegistry.Record calldata record)
    pure
    returns (bytes32 leaf)
{
    assembly ("memory-safe") {
        let preimage := mload(0x40)
        mstore(preimage, or("LEAF", or(shl(160, position), authority)))
        calldatacopy(add(preimage, 0x20), record, 0x60)
        leaf := keccak256(preimage, 0x80)
    }
}
