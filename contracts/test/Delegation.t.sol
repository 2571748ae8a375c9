// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "../src/IAttestationRegistry.sol";
import {RegistryTest} from "./RegistryTest.sol";
import {vm} from "./Vm.sol";

contract DelegationTest is RegistryTest {
    function assertDelegation(address authority, address delegateAddress, uint256 timestamp) private view {
        (address delegateFound, uint256 since) = registry.delegations(authority);
        vm.assertEq(delegateFound, delegateAddress);
        vm.assertEq(since, timestamp);
    }

    function unauthorized(address sender, address authority) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IAttestationRegistry.SenderUnauthorized.selector, sender, authority);
    }

    function draftFor(address authority) private pure returns (Draft memory draft) {
        draft = draftBy(PLATFORM);
        draft.authority = authority;
    }

    function expectRevoked(address authority) private {
        vm.expectEmit(address(registry));
        emit IAttestationRegistry.DelegateSet(authority, address(0));
        vm.prank(authority);
        registry.revokeDelegation();
        assertDelegation(authority, address(0), 0);
    }

    /// @dev Only the authorization is missing: the sender has committed and waited.
    function expectUnauthorized(address sender, address authority) private {
        Draft memory draft = draftBy(sender);
        draft.authority = authority;
        commit(draft);
        pass(REVEAL_DELAY_SECONDS);
        expectRevealRevert(draft, unauthorized(sender, authority));
    }

    function test_delegate_storesTheDelegateAndTheTime(address authority, address delegateAddress) public {
        vm.assume(delegateAddress != address(0));
        vm.expectEmit(address(registry));
        emit IAttestationRegistry.DelegateSet(authority, delegateAddress);
        delegateTo(authority, delegateAddress);
        assertDelegation(authority, delegateAddress, START);
    }

    function test_delegate_replacesTheDelegate(address first, address second) public {
        vm.assume(first != address(0) && second != address(0));
        delegateTo(AUTHOR, first);
        pass(10);
        delegateTo(AUTHOR, second);
        assertDelegation(AUTHOR, second, START + 10);
    }

    function test_delegate_revertsIfZero() public {
        vm.expectRevert(abi.encodeWithSelector(IAttestationRegistry.DelegateZero.selector));
        delegateTo(AUTHOR, address(0));
    }

    function test_delegate_changesOnlyTheSendersDelegation(address authority, address other) public {
        vm.assume(authority != other);
        delegateTo(authority, PLATFORM);
        assertDelegation(other, address(0), 0);
    }

    function test_delegate_incrementsTheNonce() public {
        vm.assertEq(registry.nonceOf(AUTHOR), 0);
        delegateTo(AUTHOR, PLATFORM);
        vm.assertEq(registry.nonceOf(AUTHOR), 1);
        vm.prank(AUTHOR);
        registry.revokeDelegation();
        vm.assertEq(registry.nonceOf(AUTHOR), 2);
    }

    function test_revokeDelegation_removesTheDelegateAndCanBeRepeated() public {
        delegateTo(AUTHOR, PLATFORM);
        expectRevoked(AUTHOR);
        expectRevoked(AUTHOR);
    }

    function test_reveal_worksForTheDelegate(address authority) public {
        vm.assume(authority != address(0) && authority != PLATFORM);
        delegateTo(authority, PLATFORM);
        vm.assertEq(attest(draftFor(authority)), 1);
        vm.assertEq(viewOf(registry, 1).authority, authority);
        vm.assertEq(registry.cidAndAddressToAttestationIndices("digest", PLATFORM), 0);
    }

    function test_reveal_revertsForAnyoneElse(address sender, address authority) public {
        vm.assume(sender != authority && sender != PLATFORM);
        delegateTo(authority, PLATFORM);
        expectUnauthorized(sender, authority);
    }

    function test_reveal_revertsForAnyoneElseIfThereIsNoDelegate(address sender, address authority) public {
        // The address zero sends no transactions, and means "no delegate".
        vm.assume(sender != authority && sender != address(0));
        expectUnauthorized(sender, authority);
        Draft memory draft = draftBy(sender);
        draft.authority = address(0);
        expectRevealRevert(draft, unauthorized(sender, address(0)));
    }

    function test_reveal_revertsIfTheDelegationEndsAfterTheCommit() public {
        delegateTo(AUTHOR, PLATFORM);
        commit(draftFor(AUTHOR));
        delegateTo(AUTHOR, THIRD);
        pass(REVEAL_DELAY_SECONDS);
        expectRevealRevert(draftFor(AUTHOR), unauthorized(PLATFORM, AUTHOR));
        vm.prank(AUTHOR);
        registry.revokeDelegation();
        expectRevealRevert(draftFor(AUTHOR), unauthorized(PLATFORM, AUTHOR));
    }

    function test_reveal_worksIfTheDelegationBeginsAfterTheCommit() public {
        commit(draftFor(AUTHOR));
        delegateTo(AUTHOR, PLATFORM);
        pass(REVEAL_DELAY_SECONDS);
        reveal(draftFor(AUTHOR));
        vm.assertEq(viewOf(registry, 1).authority, AUTHOR);
    }

    function test_reveal_revertsForADelegatesDelegate() public {
        delegateTo(AUTHOR, OTHER);
        delegateTo(OTHER, PLATFORM);
        commit(draftFor(AUTHOR));
        pass(REVEAL_DELAY_SECONDS);
        expectRevealRevert(draftFor(AUTHOR), unauthorized(PLATFORM, AUTHOR));
    }

    function test_reveal_worksForTheAuthorityThatDelegated() public {
        delegateTo(AUTHOR, PLATFORM);
        vm.assertEq(attest(draftBy(AUTHOR)), 1);
    }
}
