// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "../../src/IAttestationRegistry.sol";
import {BatchTest} from "./BatchTest.sol";
import {Member} from "./Batches.sol";
import {vm} from "../Vm.sol";

/// @dev Links of many attestations at once, and links and revocations of a batch's members, which pages store.
contract BatchLinksTest is BatchTest {
    uint256[] private ids;
    bytes32[] private children;

    function add(uint256 attestationId, bytes32 child) private {
        ids.push(attestationId);
        children.push(child);
    }

    /// @dev Attestation 1 by AUTHOR, 2 to 4 in a batch of AUTHOR, OTHER and STRANGER; 4 has the content of 1.
    function attestFour() private {
        attest(draftOf(AUTHOR, memberOf(AUTHOR, 2).ipfsHash));
        Member[] memory members = membersOf(3, 0);
        members[1].authority = OTHER;
        members[2].authority = STRANGER;
        delegateTo(STRANGER, PLATFORM);
        attestBatch(members);
        vm.prank(STRANGER);
        registry.revokeDelegation();
    }

    function childOf(uint256 attestationId) private view returns (bytes32) {
        return viewOf(registry, attestationId).childIpfsHash;
    }

    function setChildren(address sender) private {
        vm.prank(sender);
        registry.setChildIpfsHashes(ids, children);
    }

    function test_setChildren_setsTheAllowedAndSkipsTheRest(bytes32 child, uint256 missing) public {
        attestFour();
        vm.assume(missing > 4);
        add(1, child);
        add(4, "stranger's");
        add(3, ~child);
        add(missing, "missing");
        add(0, "none");
        add(2, "child");
        vm.expectEmit(address(registry));
        emit IAttestationRegistry.ChildSet(1, child);
        expectSkipped(1, unauthorized(PLATFORM, STRANGER));
        vm.expectEmit(address(registry));
        emit IAttestationRegistry.ChildSet(3, ~child);
        expectSkipped(3, attestationUnknown(missing));
        expectSkipped(4, attestationUnknown(0));
        vm.expectEmit(address(registry));
        emit IAttestationRegistry.ChildSet(2, "child");
        setChildren(PLATFORM);
        vm.assertEq(childOf(1), child);
        vm.assertEq(childOf(2), "child");
        vm.assertEq(childOf(3), ~child);
        vm.assertEq(childOf(4), bytes32(0));
    }

    function test_setChildren_appliesTheLastChildOfAnAttestation() public {
        attestFour();
        add(2, "first");
        add(2, "last");
        setChildren(AUTHOR);
        vm.assertEq(childOf(2), "last");
    }

    function test_setChildren_revertsUnlessTheLengthsMatch() public {
        attestFour();
        add(1, "child");
        children.push("one more");
        vm.expectRevert(abi.encodeWithSelector(IAttestationRegistry.ChildrenMismatched.selector));
        setChildren(AUTHOR);
        ids.push(2);
        ids.push(3);
        vm.expectRevert(abi.encodeWithSelector(IAttestationRegistry.ChildrenMismatched.selector));
        setChildren(AUTHOR);
    }

    function test_setChild_checksTheAuthorityOfAMember(address sender) public {
        attestFour();
        vm.assume(sender != OTHER && sender != PLATFORM && sender != address(0));
        View memory expected = viewOf(registry, 3);
        expected.childIpfsHash = "child";
        vm.prank(OTHER);
        registry.setChildIpfsHash(3, "child");
        assertView(3, expected);
        vm.expectRevert(unauthorized(sender, OTHER));
        vm.prank(sender);
        registry.setChildIpfsHash(3, "other");
    }

    function test_revokeAttestation_worksForMembersUntilTheLastSecond() public {
        attestFour();
        uint256 revealedAt = vm.getBlockTimestamp();
        for (uint256 id = 2; id <= 4; ++id) {
            View memory expected = viewOf(registry, id);
            vm.warp(revealedAt + 7 days + 1);
            vm.expectRevert(
                abi.encodeWithSelector(IAttestationRegistry.RevocationPeriodOver.selector, revealedAt + 7 days)
            );
            vm.prank(expected.authority);
            registry.revokeAttestation(id);
            vm.warp(revealedAt + 7 days);
            expected.revokedAt = vm.getBlockTimestamp();
            vm.prank(expected.authority);
            registry.revokeAttestation(id);
            assertView(id, expected);
        }
    }

    function test_revokeAttestation_preventsAnotherAttestationOfAMember() public {
        Member[] memory members = membersOf(2, 0);
        attestBatch(members);
        vm.prank(AUTHOR);
        registry.revokeAttestation(2);
        expectSkipped(1, alreadyAttested(2));
        revealBatch(members);
        Draft memory again = draftOf(AUTHOR, members[1].ipfsHash);
        commit(again);
        pass(REVEAL_DELAY_SECONDS);
        expectRevealRevert(again, alreadyAttested(2));
    }
}
