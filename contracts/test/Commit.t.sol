// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "../src/IAttestationRegistry.sol";
import {RegistryTest} from "./RegistryTest.sol";
import {vm} from "./Vm.sol";

contract CommitTest is RegistryTest {
    function commitRepeated(address sender, bytes32 hash) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IAttestationRegistry.CommitRepeated.selector, sender, hash);
    }

    function test_commit_emitsTheHash(bytes32 hash, address sender) public {
        vm.expectEmit(address(registry));
        emit IAttestationRegistry.Committed(hash);
        vm.prank(sender);
        registry.commit(hash);
    }

    function test_commit_revertsIfRepeated(bytes32 hash, address sender, uint32 later) public {
        vm.prank(sender);
        registry.commit(hash);
        pass(later);
        vm.expectRevert(commitRepeated(sender, hash));
        vm.prank(sender);
        registry.commit(hash);
    }

    function test_commit_acceptsTheZeroHash() public {
        registry.commit(0);
        vm.expectRevert(commitRepeated(address(this), 0));
        registry.commit(0);
    }

    function test_commit_doesNotRestartTheClockIfRepeated() public {
        Draft memory draft = draftBy(AUTHOR);
        commit(draft);
        pass(REVEAL_DELAY_SECONDS - 1);
        vm.expectRevert(commitRepeated(AUTHOR, saltedHash(draft)));
        commit(draft);
        pass(1);
        reveal(draft);
        vm.assertEq(registry.cidAndAddressToAttestationIndices(draft.ipfsHash, AUTHOR), 1);
    }

    function test_commit_isNotBlockedByACopy(address copier) public {
        vm.assume(copier != AUTHOR);
        Draft memory draft = draftBy(AUTHOR);
        vm.prank(copier);
        registry.commit(saltedHash(draft));
        vm.assertEq(attest(draft), 1);
    }

    function test_commit_cannotBeRevealedByACopier(address copier) public {
        vm.assume(copier != AUTHOR);
        Draft memory draft = draftBy(AUTHOR);
        bytes32 copiedHash = saltedHash(draft);
        vm.prank(copier);
        registry.commit(copiedHash);
        pass(REVEAL_DELAY_SECONDS);
        bytes32 ownHash = keccak256(abi.encodePacked(draft.ipfsHash, bytes32(bytes20(copier)), draft.salt));
        vm.expectRevert(
            abi.encodeWithSelector(IAttestationRegistry.SaltedHashMismatched.selector, copiedHash, ownHash)
        );
        vm.prank(copier);
        registry.reveal(copiedHash, draft.salt, draft.ipfsHash, draft.qvHash, 0, copier);
    }

    function test_commit_isAcceptedAgainAfterItsReveal() public {
        Draft memory draft = draftBy(AUTHOR);
        attest(draft);
        commit(draft);
        vm.expectRevert(commitRepeated(AUTHOR, saltedHash(draft)));
        commit(draft);
    }
}
