// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev What a sender commits to: `keccak256(ipfsHash ‖ bytes32(bytes20(sender)) ‖ salt)`.
function saltedHashOf(bytes32 ipfsHash, address sender, bytes32 salt) pure returns (bytes32 saltedHash) {
    // The same as keccak256(abi.encode(…)), which would also reserve the memory, for 110 gas on every reveal.
    assembly ("memory-safe") {
        let preimage := mload(0x40)
        mstore(preimage, ipfsHash)
        mstore(add(preimage, 0x20), shl(96, sender))
        mstore(add(preimage, 0x40), salt)
        saltedHash := keccak256(preimage, 0x60)
    }
}
