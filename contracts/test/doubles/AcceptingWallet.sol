// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev A contract wallet (EIP-1271) that accepts one signature of one digest.
contract AcceptingWallet {
    bytes32 public digest;
    bytes32 public signatureHash;

    function accept(bytes32 digest_, bytes calldata signature) external {
        digest = digest_;
        signatureHash = keccak256(signature);
    }

    function isValidSignature(bytes32 digest_, bytes calldata signature) external view returns (bytes4) {
        return digest_ == digest && keccak256(signature) == signatureHash
            ? this.isValidSignature.selector
            : bytes4(0xffffffff);
    }
}
