// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "../../src/IAttestationRegistry.sol";
import {deployRegistry} from "../Deployments.sol";
import {Vm, vm} from "../Vm.sol";
import {BatchTest} from "./BatchTest.sol";
import {Member, argumentsOf, batchCalldata, batchHashOf} from "./Batches.sol";

contract BatchRevealTest is BatchTest {
    function assertUnrevealed(Member[] memory members) private view {
        for (uint256 i = 0; i < members.length; ++i) {
            vm.assertEq(indexOf(members[i]), 0);
        }
        vm.assertEq(registry.cidAndAddressToAttestationIndices(0, AUTHOR), 0);
    }

    /// @dev Reduces fuzzed members to few authorities and contents, so that they collide.
    function withFewValues(Member[] memory members) private pure returns (Member[] memory) {
        address[4] memory authorities = [AUTHOR, OTHER, PLATFORM, STRANGER];
        for (uint256 i = 0; i < members.length; ++i) {
            members[i].authority = authorities[uint160(members[i].authority) % 4];
            uint256 content = uint256(members[i].ipfsHash) % 8;
            members[i].ipfsHash = content == 0 ? bytes32(0) : keccak256(abi.encode(content));
            members[i].bare = false;
        }
        return members;
    }

    /// @dev Commits and reveals each member separately, and returns the events.
    function attestSingly(Member[] memory members) private returns (Vm.Log[] memory logs) {
        for (uint256 i = 0; i < members.length; ++i) {
            // Different salts, because equal members would have equal commits.
            commit(draftFor(members[i], i));
        }
        pass(REVEAL_DELAY_SECONDS);
        vm.recordLogs();
        for (uint256 i = 0; i < members.length; ++i) {
            vm.prank(PLATFORM);
            (bool success, bytes memory data) = address(registry).call(revealCalldata(draftFor(members[i], i)));
            if (!success) emit IAttestationRegistry.MemberSkipped(i, data);
        }
        return vm.getRecordedLogs();
    }

    function draftFor(Member memory member, uint256 salt) private pure returns (Draft memory) {
        return Draft(PLATFORM, member.authority, member.ipfsHash, member.qvHash, 0, bytes32(salt));
    }

    function assertSameEvents(Vm.Log[] memory logs, Vm.Log[] memory expected) private pure {
        vm.assertEq(logs.length, expected.length);
        for (uint256 i = 0; i < logs.length; ++i) {
            vm.assertEq(abi.encode(logs[i].topics), abi.encode(expected[i].topics));
            vm.assertEq(logs[i].data, expected[i].data);
        }
    }

    function resultOf(IAttestationRegistry target, bytes memory call) private view returns (bytes memory) {
        (bool success, bytes memory data) = address(target).staticcall(call);
        return abi.encode(success, data);
    }

    function assertSameResult(IAttestationRegistry other, bytes memory call) private view {
        vm.assertEq(resultOf(registry, call), resultOf(other, call));
    }

    function assertSameViews(IAttestationRegistry other, Member[] memory members) private view {
        for (uint256 i = 0; i <= members.length + 1; ++i) {
            assertSameResult(other, abi.encodeCall(IAttestationRegistry.attestations, (i)));
        }
        for (uint256 i = 0; i < members.length; ++i) {
            bytes32 digest = members[i].ipfsHash;
            for (uint256 k = 0; k < 5; ++k) {
                assertSameResult(other, abi.encodeCall(IAttestationRegistry.cidToAttestationIndices, (digest, k)));
            }
            assertSameResult(
                other,
                abi.encodeCall(
                    IAttestationRegistry.cidAndAddressToAttestationIndices, (digest, members[i].authority)
                )
            );
        }
    }

    /// @dev Has fewer runs, because each reveals up to 100 members in two registries.
    /// forge-config: deep.fuzz.runs = 1000
    function test_revealBatch_equalsSingleReveals(Member[] memory members) public {
        vm.assume(members.length <= 100);
        members = withFewValues(members);
        IAttestationRegistry batched = registry;
        commitBatch(members);
        vm.warp(START);
        registry = deployRegistry(REVEAL_DELAY_SECONDS);
        delegateTo(AUTHOR, PLATFORM);
        delegateTo(OTHER, PLATFORM);
        Vm.Log[] memory expected = attestSingly(members);
        vm.recordLogs();
        vm.prank(PLATFORM);
        (bool success,) = address(batched).call(batchCalldata(members));
        vm.assertTrue(success);
        assertSameEvents(vm.getRecordedLogs(), expected);
        assertSameViews(batched, members);
    }

    function test_revealBatch_acceptsAnySubsetAndTheRestLater(uint256 chosen) public {
        Member[] memory members = membersOf(12, 0);
        members[3].authority = members[4].authority = members[9].authority = OTHER;
        commitBatch(members);
        pass(REVEAL_DELAY_SECONDS);
        uint256 nextId = 1;
        for (uint256 part = 0; part < 2; ++part) {
            for (uint256 i = 0; i < 12; ++i) {
                members[i].bare = chosen >> i & 1 != part;
                if (!members[i].bare) expectAttested(members[i]);
            }
            revealBatch(members);
            for (uint256 i = 0; i < 12; ++i) {
                if (!members[i].bare) assertRevealed(members[i], nextId++);
                else if (part == 0) vm.assertEq(indexOf(members[i]), 0);
            }
        }
        vm.assertEq(nextId, 13);
    }

    function test_revealBatch_skipsRevealedMembers() public {
        Member[] memory members = membersOf(3, 0);
        members[1].bare = true;
        attestBatch(members);
        members[1].bare = false;
        expectSkipped(0, alreadyAttested(1));
        expectAttested(members[1]);
        expectSkipped(2, alreadyAttested(2));
        revealBatch(members);
        assertRevealed(members[1], 3);
        vm.assertEq(attest(draftOf(AUTHOR, "next")), 4);
    }

    function test_revealBatch_addsNothingIfAllIsSkipped() public {
        Member[] memory members = membersOf(2, 0);
        attestBatch(members);
        uint64 nonce = vm.getNonce(address(registry));
        revealBatch(members);
        vm.assertEq(vm.getNonce(address(registry)), nonce);
        vm.assertEq(attest(draftOf(AUTHOR, "next")), 3);
    }

    function test_revealBatch_addsNothingIfAllIsBare() public {
        Member[] memory members = membersOf(2, 0);
        members[0].bare = members[1].bare = true;
        attestBatch(members);
        assertUnrevealed(members);
        vm.assertEq(vm.getNonce(address(registry)), 2);
    }

    function test_revealBatch_skipsMembersWithoutDelegation() public {
        Member[] memory members = membersOf(5, 0);
        members[1].authority = members[2].authority = STRANGER;
        commitBatch(members);
        pass(REVEAL_DELAY_SECONDS);
        expectAttested(members[0]);
        expectSkipped(1, unauthorized(PLATFORM, STRANGER));
        expectSkipped(2, unauthorized(PLATFORM, STRANGER));
        expectAttested(members[3]);
        revealBatch(members);
        assertRevealed(members[4], 3);
        vm.assertEq(indexOf(members[1]), 0);
        delegateTo(STRANGER, PLATFORM);
        revealBatch(members);
        assertRevealed(members[1], 4);
        assertRevealed(members[2], 5);
    }

    function test_revealBatch_worksForTheAuthority() public {
        Member[] memory members = membersOf(2, 0);
        vm.prank(AUTHOR);
        registry.commit(batchHashOf(members, AUTHOR));
        pass(REVEAL_DELAY_SECONDS);
        sendBatch(AUTHOR, batchCalldata(members));
        assertRevealed(members[1], 2);
    }

    /// @dev If members have the same authority and content, the sender chooses at the reveal which one it reveals.
    function test_revealBatch_revealsOneOfTheMembersWithTheSameContent() public {
        Member[] memory members = membersOf(2, 0);
        members[1].ipfsHash = members[0].ipfsHash;
        members[0].bare = true;
        attestBatch(members);
        assertRevealed(members[1], 1);
        members[0].bare = false;
        expectSkipped(0, alreadyAttested(1));
        expectSkipped(1, alreadyAttested(1));
        revealBatch(members);
    }

    function expectMissing(address sender, Member[] memory members) private {
        vm.expectRevert(
            abi.encodeWithSelector(
                IAttestationRegistry.CommitMissing.selector, sender, batchHashOf(members, sender)
            )
        );
        sendBatch(sender, batchCalldata(members));
    }

    function test_revealBatch_revertsWithoutCommit(uint40 timestamp) public {
        vm.warp(timestamp);
        expectMissing(PLATFORM, membersOf(3, 0));
    }

    function test_revealBatch_ignoresACopyOfTheCommit(address copier) public {
        vm.assume(copier != PLATFORM);
        Member[] memory members = membersOf(3, 0);
        vm.prank(copier);
        registry.commit(batchHashOf(members, PLATFORM));
        pass(REVEAL_DELAY_SECONDS);
        expectMissing(PLATFORM, members);
        expectMissing(copier, members);
        attestBatch(members);
        assertRevealed(members[2], 3);
    }

    function test_revealBatch_revertsIfAnyFieldOfAnyMemberDiffers(uint256 index, uint256 field, bytes32 other) public {
        Member[] memory members = membersOf(5, 0);
        commitBatch(members);
        pass(REVEAL_DELAY_SECONDS);
        Member memory member = members[index % 5];
        field %= 4;
        vm.assume(other != member.salt && other != member.ipfsHash && other != member.qvHash);
        vm.assume(address(uint160(uint256(other))) != AUTHOR && uint160(uint256(other)) != 0);
        if (field == 0) member.salt = other;
        if (field == 1) member.ipfsHash = other;
        if (field == 2) member.qvHash = other;
        if (field == 3) member.authority = address(uint160(uint256(other)));
        expectMissing(PLATFORM, members);
    }

    function test_revealBatch_revertsIfMembersChangePositions(uint256 from, uint256 to) public {
        Member[] memory members = membersOf(5, 0);
        commitBatch(members);
        pass(REVEAL_DELAY_SECONDS);
        (from, to) = (from % 5, to % 5);
        vm.assume(from != to);
        (members[from], members[to]) = (members[to], members[from]);
        expectMissing(PLATFORM, members);
    }

    function test_revealBatch_revertsIfAMemberIsLeftOut() public {
        commitBatch(membersOf(5, 0));
        pass(REVEAL_DELAY_SECONDS);
        expectMissing(PLATFORM, membersOf(4, 0));
        expectMissing(PLATFORM, membersOf(4, 1));
        expectMissing(PLATFORM, membersOf(6, 0));
    }

    function test_revealBatch_revertsBeforeTheDelayIsOver() public {
        Member[] memory members = membersOf(3, 0);
        commitBatch(members);
        pass(REVEAL_DELAY_SECONDS - 1);
        vm.expectRevert(abi.encodeWithSelector(IAttestationRegistry.RevealTooEarly.selector, START + 60));
        revealBatch(members);
        assertUnrevealed(members);
        pass(1);
        revealBatch(members);
        assertRevealed(members[0], 1);
    }

    function test_commit_ofABatchRevertsIfRepeatedAfterItsReveal() public {
        Member[] memory members = membersOf(3, 0);
        attestBatch(members);
        vm.expectRevert(
            abi.encodeWithSelector(
                IAttestationRegistry.CommitRepeated.selector, PLATFORM, batchHashOf(members, PLATFORM)
            )
        );
        commitBatch(members);
    }

    function expectMismatch(
        uint256[] memory runs,
        IAttestationRegistry.Record[] memory records,
        bytes32[] memory bareLeaves
    ) private {
        vm.expectRevert(abi.encodeWithSelector(IAttestationRegistry.RunsMismatched.selector));
        vm.prank(PLATFORM);
        registry.revealBatch(runs, records, bareLeaves);
    }

    function test_revealBatch_revertsUnlessTheRunsMatchTheMembers(uint96 count) public {
        Member[] memory members = membersOf(6, 0);
        members[2].bare = members[3].bare = true;
        commitBatch(members);
        pass(REVEAL_DELAY_SECONDS);
        (uint256[] memory runs, IAttestationRegistry.Record[] memory records, bytes32[] memory bareLeaves) =
            argumentsOf(members);
        vm.assertEq(runs.length, 3);
        vm.assume(count != 2);
        for (uint256 r = 0; r < 3; ++r) {
            uint256 right = runs[r];
            for (uint256 wrong = 0; wrong < 4; ++wrong) {
                runs[r] = right >> 96 << 96 | [uint256(count), 1, 3, type(uint96).max][wrong];
                expectMismatch(runs, records, bareLeaves);
            }
            runs[r] = right;
        }
        expectMismatch(runs, new IAttestationRegistry.Record[](5), bareLeaves);
        expectMismatch(runs, new IAttestationRegistry.Record[](3), bareLeaves);
        expectMismatch(runs, records, new bytes32[](3));
        expectMismatch(runs, records, new bytes32[](1));
        expectMismatch(new uint256[](0), records, bareLeaves);
        revealBatch(members);
        assertRevealed(members[5], 4);
    }

    function test_revealBatch_acceptsARunInParts() public {
        Member[] memory members = membersOf(3, 0);
        commitBatch(members);
        pass(REVEAL_DELAY_SECONDS);
        (, IAttestationRegistry.Record[] memory records, bytes32[] memory bareLeaves) = argumentsOf(members);
        uint256[] memory runs = new uint256[](4);
        runs[0] = runs[3] = uint256(uint160(AUTHOR)) << 96 | 1;
        runs[1] = uint256(uint160(AUTHOR)) << 96;
        runs[2] = runs[0];
        vm.prank(PLATFORM);
        registry.revealBatch(runs, records, bareLeaves);
        assertRevealed(members[2], 3);
    }
}
