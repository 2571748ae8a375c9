// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC5267} from "@openzeppelin/contracts/interfaces/IERC5267.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title Hashes and checks signed delegations
/// @dev EIP-712. OpenZeppelin's `EIP712` stores the chain ID in immutables, so the registry's code would differ between
/// chains, but verifiers compare code. Hashing the domain each time costs about 500 gas.
abstract contract DelegationSignatures is IERC5267 {
    string private constant NAME = "AttestationRegistry";
    string private constant VERSION = "1";
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant DELEGATION_TYPEHASH =
        keccak256("Delegation(address authority,address delegateAddress,uint256 nonce,uint256 deadline)");
    bytes32 private constant NAME_HASH = keccak256(bytes(NAME));
    bytes32 private constant VERSION_HASH = keccak256(bytes(VERSION));

    /// @inheritdoc IERC5267
    /// @dev The first byte has a bit for each field of the domain that is used: name, version, chainId and
    /// verifyingContract. The domain never changes, so `EIP712DomainChanged` is never emitted.
    function eip712Domain()
        external
        view
        returns (
            bytes1 fields,
            string memory name,
            string memory version,
            uint256 chainId,
            address verifyingContract,
            bytes32 salt,
            uint256[] memory extensions
        )
    {
        return (hex"0f", NAME, VERSION, block.chainid, address(this), 0, new uint256[](0));
    }

    /// @dev Checks the key before the code. An account with a key and code (EIP-7702) may always sign with its key, which
    /// can replace the code anyway, and a contract has no key.
    function _isSigned(
        address authority,
        address delegateAddress,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) internal view returns (bool) {
        bytes32 structHash = keccak256(abi.encode(DELEGATION_TYPEHASH, authority, delegateAddress, nonce, deadline));
        bytes32 digest = MessageHashUtils.toTypedDataHash(_domainSeparator(), structHash);
        (address recovered, ECDSA.RecoverError problem,) = ECDSA.tryRecoverCalldata(digest, signature);
        if (problem == ECDSA.RecoverError.NoError && recovered == authority) return true;
        return SignatureChecker.isValidERC1271SignatureNowCalldata(authority, digest, signature);
    }

    function _domainSeparator() private view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_TYPEHASH, NAME_HASH, VERSION_HASH, block.chainid, address(this)));
    }
}
