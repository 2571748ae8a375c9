// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "../../src/IAttestationRegistry.sol";
import {Member, batchCalldata, batchHashOf} from "./Batches.sol";
import {RegistryTest} from "../RegistryTest.sol";
import {vm} from "../Vm.sol";

/// @dev PLATFORM is the delegate of AUTHOR and OTHER, and sends batches.
abstract contract BatchTest is RegistryTest {
    function setUp() public virtual override {
        super.setUp();
        delegateTo(AUTHOR, PLATFORM);
        delegateTo(OTHER, PLATFORM);
    }

    function memberOf(address authority, uint256 n) internal pure returns (Member memory) {
        bytes32 seed = keccak256(abi.encode(n));
        return Member(authority, ~seed, seed, keccak256(abi.encode("root", n)), false);
    }

    /// @dev Members of AUTHOR with consecutive contents.
    function membersOf(uint256 count, uint256 firstContent) internal pure returns (Member[] memory members) {
        members = new Member[](count);
        for (uint256 i = 0; i < count; ++i) {
            members[i] = memberOf(AUTHOR, firstContent + i);
        }
    }

    function commitBatch(Member[] memory members) internal {
        vm.prank(PLATFORM);
        registry.commit(batchHashOf(members, PLATFORM));
    }

    function revealBatch(Member[] memory members) internal {
        sendBatch(PLATFORM, batchCalldata(members));
    }

    function sendBatch(address sender, bytes memory call) internal {
        vm.prank(sender);
        (bool success, bytes memory data) = address(registry).call(call);
        if (success) return;
        assembly ("memory-safe") {
            revert(add(data, 0x20), mload(data))
        }
    }

    /// @dev Commits, waits for the delay and reveals.
    function attestBatch(Member[] memory members) internal {
        commitBatch(members);
        pass(REVEAL_DELAY_SECONDS);
        revealBatch(members);
    }

    function indexOf(Member memory member) internal view returns (uint256) {
        return registry.cidAndAddressToAttestationIndices(member.ipfsHash, member.authority);
    }

    function assertRevealed(Member memory member, uint256 attestationId) internal view {
        vm.assertEq(indexOf(member), attestationId);
        assertView(
            attestationId, View(member.ipfsHash, member.qvHash, 0, member.authority, vm.getBlockTimestamp(), 0, 0)
        );
    }

    function expectSkipped(uint256 position, bytes memory reason) internal {
        vm.expectEmit(address(registry));
        emit IAttestationRegistry.MemberSkipped(position, reason);
    }

    function expectAttested(Member memory member) internal {
        vm.expectEmit(address(registry));
        emit IAttestationRegistry.Attested(member.authority, member.ipfsHash);
    }

    function unauthorized(address sender, address authority) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IAttestationRegistry.SenderUnauthorized.selector, sender, authority);
    }

    function alreadyAttested(uint256 attestationId) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IAttestationRegistry.ContentAlreadyAttested.selector, attestationId);
    }

    function attestationUnknown(uint256 attestationId) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IAttestationRegistry.AttestationUnknown.selector, attestationId);
    }
}
