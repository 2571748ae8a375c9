// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AttestationRegistry} from "../src/AttestationRegistry.sol";
import {IAttestationRegistry} from "../src/IAttestationRegistry.sol";
import {vm} from "../test/Vm.sol";

contract RegistryProof {
    AttestationRegistry private registry;

    function setUp() public {
        registry = new AttestationRegistry(60);
    }

    struct Draft {
        address sender;
        address authority;
        bytes32 ipfsHash;
        bytes32 qvHash;
        bytes32 parentIpfsHash;
        bytes32 salt;
    }

    function call(address sender, bytes memory data) private returns (bool success) {
        vm.prank(sender);
        (success,) = address(registry).call(data);
    }

    function delegateTo(address authority, address delegateAddress) private {
        call(authority, abi.encodeCall(IAttestationRegistry.delegate, (delegateAddress)));
    }

    function hashOf(Draft memory draft) private pure returns (bytes32) {
        return keccak256(abi.encodePacked(draft.ipfsHash, bytes32(bytes20(draft.sender)), draft.salt));
    }

    function reveal(address sender, bytes32 saltedHash, Draft memory draft) private returns (bool) {
        return call(
            sender,
            abi.encodeCall(
                IAttestationRegistry.reveal,
                (saltedHash, draft.salt, draft.ipfsHash, draft.qvHash, draft.parentIpfsHash, draft.authority)
            )
        );
    }

    /// @dev A reveal needs an authorized sender, its commit and the delay. The registry records all revealed fields.
    function check_reveal_succeedsIfAndOnlyIfAllowed(
        Draft memory draft,
        address delegateAddress,
        address revealer,
        bytes32 revealedHash,
        uint40 committedAt,
        uint40 revealedAt
    ) public {
        vm.assume(committedAt > 0 && revealedAt >= committedAt);
        vm.assume(draft.sender != address(0) && revealer != address(0));
        delegateTo(draft.authority, delegateAddress);
        vm.warp(committedAt);
        assert(call(draft.sender, abi.encodeCall(IAttestationRegistry.commit, (hashOf(draft)))));
        vm.warp(revealedAt);
        bool success = reveal(revealer, revealedHash, draft);
        bool allowed = revealer == draft.authority || revealer == delegateAddress;
        bool due = uint256(revealedAt) >= uint256(committedAt) + 60;
        assert(success == (allowed && due && revealer == draft.sender && revealedHash == hashOf(draft)));
        if (!success) return;
        (bytes32 ipfsHash, bytes32 qvHash, bytes32 parent, address authority, uint256 timestamp, uint256 revokedAt,) =
            registry.attestations(1);
        assert(ipfsHash == draft.ipfsHash && qvHash == draft.qvHash && parent == draft.parentIpfsHash);
        assert(authority == draft.authority && timestamp == revealedAt && revokedAt == 0);
        assert(registry.cidAndAddressToAttestationIndices(ipfsHash, authority) == 1);
        assert(!reveal(revealer, revealedHash, draft));
    }

    function check_revokeAttestation_succeedsInTheWindowOnly(
        Draft memory draft,
        address delegateAddress,
        address revoker,
        uint40 revealedAt,
        uint40 revokedAt
    ) public {
        vm.assume(revealedAt >= 100 && revokedAt >= revealedAt);
        vm.assume(draft.authority != address(0) && revoker != address(0));
        draft.sender = draft.authority;
        vm.warp(uint256(revealedAt) - 60);
        assert(call(draft.sender, abi.encodeCall(IAttestationRegistry.commit, (hashOf(draft)))));
        vm.warp(revealedAt);
        assert(reveal(draft.sender, hashOf(draft), draft));
        delegateTo(draft.authority, delegateAddress);
        vm.warp(revokedAt);
        bool success = call(revoker, abi.encodeCall(IAttestationRegistry.revokeAttestation, (1)));
        bool allowed = revoker == draft.authority || revoker == delegateAddress;
        assert(success == (allowed && uint256(revokedAt) <= uint256(revealedAt) + 7 days));
        (,,,,, uint256 shown,) = registry.attestations(1);
        assert(shown == (success ? revokedAt : 0));
    }
}
