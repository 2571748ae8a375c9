// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "../src/IAttestationRegistry.sol";
import {RegistryTest} from "./RegistryTest.sol";
import {vm} from "./Vm.sol";

contract ChildTest is RegistryTest {
    function setUp() public override {
        super.setUp();
        attest(draftBy(AUTHOR));
        attest(draftBy(OTHER));
    }

    function setChild(address sender, uint256 attestationId, bytes32 child) private {
        vm.prank(sender);
        registry.setChildIpfsHash(attestationId, child);
    }

    function childOf(uint256 attestationId) private view returns (bytes32) {
        return viewOf(registry, attestationId).childIpfsHash;
    }

    function expectUnauthorized(address sender) private {
        vm.expectRevert(
            abi.encodeWithSelector(IAttestationRegistry.SenderUnauthorized.selector, sender, AUTHOR)
        );
        setChild(sender, 1, "child");
    }

    function expectUnknown(uint256 attestationId, address sender) private {
        vm.expectRevert(abi.encodeWithSelector(IAttestationRegistry.AttestationUnknown.selector, attestationId));
        setChild(sender, attestationId, "child");
    }

    function test_setChild_changesOnlyTheChild(bytes32 child) public {
        View memory expected = viewOf(registry, 1);
        View memory untouched = viewOf(registry, 2);
        expected.childIpfsHash = child;
        vm.expectEmit(address(registry));
        emit IAttestationRegistry.ChildSet(1, child);
        setChild(AUTHOR, 1, child);
        assertView(1, expected);
        assertView(2, untouched);
    }

    function test_setChild_replacesTheChild(bytes32 child, bytes32 replacement) public {
        setChild(AUTHOR, 1, child);
        setChild(AUTHOR, 1, replacement);
        vm.assertEq(childOf(1), replacement);
        setChild(AUTHOR, 1, 0);
        vm.assertEq(childOf(1), bytes32(0));
    }

    function test_setChild_worksForALaterAuthority(bytes32 child) public {
        setChild(AUTHOR, 1, "child");
        View memory untouched = viewOf(registry, 1);
        View memory expected = viewOf(registry, 2);
        expected.childIpfsHash = child;
        setChild(OTHER, 2, child);
        assertView(1, untouched);
        assertView(2, expected);
    }

    function test_setChild_worksForTheDelegate(address delegateAddress) public {
        vm.assume(delegateAddress != address(0));
        delegateTo(AUTHOR, delegateAddress);
        setChild(delegateAddress, 1, "child");
        vm.assertEq(childOf(1), "child");
    }

    function test_setChild_revertsForAnyoneElse(address sender) public {
        // The address zero sends no transactions, and means "no delegate". OTHER has attested the same content.
        vm.assume(sender != AUTHOR && sender != address(0));
        expectUnauthorized(sender);
        expectUnauthorized(OTHER);
        vm.assume(sender != PLATFORM);
        delegateTo(AUTHOR, PLATFORM);
        expectUnauthorized(sender);
        expectUnauthorized(OTHER);
    }

    function test_setChild_revertsIfTheAttestationIsUnknown(uint256 attestationId, address sender) public {
        vm.assume(attestationId != 1 && attestationId != 2);
        expectUnknown(attestationId, sender);
        expectUnknown(attestationId, AUTHOR);
        expectUnknown(0, AUTHOR);
        expectUnknown(3, AUTHOR);
    }

    function test_setChild_isAllowedAfterRevocation() public {
        vm.prank(AUTHOR);
        registry.revokeAttestation(1);
        setChild(AUTHOR, 1, "child");
        vm.assertEq(childOf(1), "child");
        vm.prank(OTHER);
        registry.revokeAttestation(2);
        setChild(OTHER, 2, "other child");
        vm.assertEq(childOf(2), "other child");
    }
}
