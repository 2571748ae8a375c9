// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "../src/IAttestationRegistry.sol";
import {RegistryTest} from "./RegistryTest.sol";
import {vm} from "./Vm.sol";

contract RevealTest is RegistryTest {
    function commitMissing(Draft memory draft) private pure returns (bytes memory) {
        return abi.encodeWithSelector(
            IAttestationRegistry.CommitMissing.selector, draft.sender, saltedHash(draft)
        );
    }

    function alreadyAttested(uint256 attestationId) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IAttestationRegistry.ContentAlreadyAttested.selector, attestationId);
    }

    function test_reveal_recordsAllFields(Draft memory draft, uint32 waitedSeconds) public {
        draft.authority = draft.sender;
        commit(draft);
        pass(REVEAL_DELAY_SECONDS + waitedSeconds);
        vm.expectEmit(address(registry));
        emit IAttestationRegistry.Attested(draft.authority, draft.ipfsHash);
        reveal(draft);
        View memory expected = View(
            draft.ipfsHash, draft.qvHash, draft.parentIpfsHash, draft.authority, vm.getBlockTimestamp(), 0, 0
        );
        assertView(1, expected);
        vm.assertEq(registry.cidToAttestationIndices(draft.ipfsHash, 0), 1);
        vm.assertEq(registry.cidAndAddressToAttestationIndices(draft.ipfsHash, draft.authority), 1);
    }

    function test_reveal_recordsALaterAuthority(Draft memory draft, address first) public {
        draft.authority = draft.sender;
        vm.assume(first != draft.sender);
        attest(draftOf(first, draft.ipfsHash));
        vm.assertEq(attest(draft), 2);
        View memory expected = View(
            draft.ipfsHash, draft.qvHash, draft.parentIpfsHash, draft.authority, vm.getBlockTimestamp(), 0, 0
        );
        assertView(2, expected);
        vm.assertEq(registry.cidToAttestationIndices(draft.ipfsHash, 1), 2);
    }

    function test_reveal_acceptsZeroForEveryHash() public {
        Draft memory draft = Draft(AUTHOR, AUTHOR, 0, 0, 0, 0);
        vm.assertEq(attest(draft), 1);
        assertView(1, View(0, 0, 0, AUTHOR, vm.getBlockTimestamp(), 0, 0));
        assertView(0, View(0, 0, 0, address(0), 0, 0, 0));
    }

    function test_reveal_revertsWithoutCommit(Draft memory draft, uint40 timestamp) public {
        draft.authority = draft.sender;
        vm.warp(timestamp);
        expectRevealRevert(draft, commitMissing(draft));
    }

    function test_reveal_revertsIfOnlyAnotherSenderCommitted(address copier) public {
        vm.assume(copier != AUTHOR);
        Draft memory draft = draftBy(AUTHOR);
        vm.prank(copier);
        registry.commit(saltedHash(draft));
        pass(REVEAL_DELAY_SECONDS);
        expectRevealRevert(draft, commitMissing(draft));
    }

    function test_reveal_consumesTheCommit() public {
        Draft memory draft = draftBy(AUTHOR);
        attest(draft);
        expectRevealRevert(draft, commitMissing(draft));
    }

    function test_reveal_revertsIfAnyPartOfThePreimageDiffers(Draft memory draft, bytes32 other) public {
        draft.authority = draft.sender;
        vm.assume(other != draft.salt && other != draft.ipfsHash);
        bytes32 hash = saltedHash(draft);
        commit(draft);
        pass(REVEAL_DELAY_SECONDS);
        address sender = draft.sender;
        vm.expectRevert(mismatch(hash, keccak256(abi.encodePacked(draft.ipfsHash, bytes20(sender), bytes12(0), other))));
        vm.prank(sender);
        registry.reveal(hash, other, draft.ipfsHash, 0, 0, sender);
        vm.expectRevert(mismatch(hash, keccak256(abi.encodePacked(other, bytes20(sender), bytes12(0), draft.salt))));
        vm.prank(sender);
        registry.reveal(hash, draft.salt, other, 0, 0, sender);
    }

    function mismatch(bytes32 hash, bytes32 expected) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IAttestationRegistry.SaltedHashMismatched.selector, hash, expected);
    }

    function test_reveal_revertsIfTheAuthorityAttestedTheContent(bytes32 salt, bytes32 qvHash) public {
        attest(draftBy(AUTHOR));
        Draft memory again = draftBy(AUTHOR);
        (again.salt, again.qvHash) = (salt, qvHash);
        commit(again);
        pass(REVEAL_DELAY_SECONDS);
        expectRevealRevert(again, alreadyAttested(1));
    }

    function test_reveal_revertsIfALaterAuthorityAttestedTheContent(bytes32 salt, bytes32 qvHash) public {
        attest(draftBy(AUTHOR));
        attest(draftBy(OTHER));
        Draft memory again = draftBy(OTHER);
        (again.salt, again.qvHash) = (salt, qvHash);
        commit(again);
        pass(REVEAL_DELAY_SECONDS);
        expectRevealRevert(again, alreadyAttested(2));
    }

    function test_reveal_keepsCommitAndCountIfItReverts(bytes32 salt) public {
        attest(draftBy(AUTHOR));
        Draft memory again = draftBy(AUTHOR);
        again.salt = salt;
        commit(again);
        pass(REVEAL_DELAY_SECONDS);
        expectRevealRevert(again, alreadyAttested(1));
        vm.expectRevert(
            abi.encodeWithSelector(IAttestationRegistry.CommitRepeated.selector, AUTHOR, saltedHash(again))
        );
        commit(again);
        vm.assertEq(attest(draftOf(AUTHOR, "another")), 2);
    }

    function test_reveal_worksForTwoAuthoritiesOfOneDelegate() public {
        delegateTo(AUTHOR, PLATFORM);
        delegateTo(OTHER, PLATFORM);
        Draft memory draft = draftBy(PLATFORM);
        draft.authority = AUTHOR;
        vm.assertEq(attest(draft), 1);
        draft.authority = OTHER;
        vm.assertEq(attest(draft), 2);
    }
}
