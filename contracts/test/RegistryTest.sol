// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "../src/IAttestationRegistry.sol";
import {deployRegistry} from "./Deployments.sol";
import {vm} from "./Vm.sol";

/// @dev A registry with the production delay, and helpers to attest.
abstract contract RegistryTest {
    /// @dev The input of an attestation; `sender` commits and reveals.
    struct Draft {
        address sender;
        address authority;
        bytes32 ipfsHash;
        bytes32 qvHash;
        bytes32 parentIpfsHash;
        bytes32 salt;
    }

    struct View {
        bytes32 ipfsHash;
        bytes32 qvHash;
        bytes32 parentIpfsHash;
        address authority;
        uint256 timestamp;
        uint256 revokedAt;
        bytes32 childIpfsHash;
    }

    uint256 internal constant REVEAL_DELAY_SECONDS = 60;
    uint256 internal constant START = 1_800_000_000;
    address internal constant AUTHOR = address(0xA01);
    address internal constant OTHER = address(0xA02);
    address internal constant THIRD = address(0xA03);
    address internal constant PLATFORM = address(0xB01);
    address internal constant STRANGER = address(0xC01);

    IAttestationRegistry internal registry;

    function setUp() public virtual {
        vm.warp(START);
        registry = deployRegistry(REVEAL_DELAY_SECONDS);
    }

    function draftBy(address sender) internal pure returns (Draft memory) {
        return Draft(sender, sender, "digest", "root", 0, "salt");
    }

    function draftOf(address sender, bytes32 ipfsHash) internal pure returns (Draft memory) {
        return Draft(sender, sender, ipfsHash, "root", 0, "salt");
    }

    /// @dev The hash of the documented preimage, computed independently of the contract.
    function saltedHash(Draft memory draft) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked(draft.ipfsHash, bytes32(bytes20(draft.sender)), draft.salt));
    }

    function revealCalldata(Draft memory draft) internal pure returns (bytes memory) {
        return abi.encodeCall(
            IAttestationRegistry.reveal,
            (
                saltedHash(draft),
                draft.salt,
                draft.ipfsHash,
                draft.qvHash,
                draft.parentIpfsHash,
                draft.authority
            )
        );
    }

    function commit(Draft memory draft) internal {
        vm.prank(draft.sender);
        registry.commit(saltedHash(draft));
    }

    function reveal(Draft memory draft) internal {
        vm.prank(draft.sender);
        registry.reveal(
            saltedHash(draft), draft.salt, draft.ipfsHash, draft.qvHash, draft.parentIpfsHash, draft.authority
        );
    }

    /// @dev Expects the reveal to revert with this reason.
    function expectRevealRevert(Draft memory draft, bytes memory reason) internal {
        vm.expectRevert(reason);
        reveal(draft);
    }

    function pass(uint256 durationSeconds) internal {
        vm.warp(vm.getBlockTimestamp() + durationSeconds);
    }

    /// @dev Commits, waits for the delay, reveals and returns the index.
    function attest(Draft memory draft) internal returns (uint256) {
        commit(draft);
        pass(REVEAL_DELAY_SECONDS);
        reveal(draft);
        return registry.cidAndAddressToAttestationIndices(draft.ipfsHash, draft.authority);
    }

    function delegateTo(address authority, address delegateAddress) internal {
        vm.prank(authority);
        registry.delegate(delegateAddress);
    }

    function viewOf(IAttestationRegistry from, uint256 attestationId) internal view returns (View memory) {
        (bool success, bytes memory data) =
            address(from).staticcall(abi.encodeCall(IAttestationRegistry.attestations, (attestationId)));
        vm.assertTrue(success);
        return abi.decode(data, (View));
    }

    function assertView(uint256 attestationId, View memory expected) internal view {
        vm.assertEq(abi.encode(viewOf(registry, attestationId)), abi.encode(expected));
    }
}
