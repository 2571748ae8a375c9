// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "../src/IAttestationRegistry.sol";
import {RegistryTest} from "./RegistryTest.sol";
import {vm} from "./Vm.sol";

contract RevocationTest is RegistryTest {
    uint256 private constant PERIOD_SECONDS = 604_800;
    uint256 private attestedAt;
    uint256 private laterAttestedAt;

    function setUp() public override {
        super.setUp();
        attest(draftBy(AUTHOR));
        attestedAt = vm.getBlockTimestamp();
        attest(draftBy(OTHER));
        laterAttestedAt = vm.getBlockTimestamp();
    }

    function revoke(address sender, uint256 attestationId) private {
        vm.prank(sender);
        registry.revokeAttestation(attestationId);
    }

    function expectOver(address sender, uint256 attestationId, uint256 timestamp) private {
        vm.expectRevert(
            abi.encodeWithSelector(
                IAttestationRegistry.RevocationPeriodOver.selector, timestamp + PERIOD_SECONDS
            )
        );
        revoke(sender, attestationId);
    }

    function expectUnknown(uint256 attestationId, address sender) private {
        vm.expectRevert(abi.encodeWithSelector(IAttestationRegistry.AttestationUnknown.selector, attestationId));
        revoke(sender, attestationId);
    }

    function test_revokeAttestation_setsOnlyTheTime(uint256 waitedSeconds) public {
        View memory expected = viewOf(registry, 1);
        View memory untouched = viewOf(registry, 2);
        vm.warp(attestedAt + waitedSeconds % (PERIOD_SECONDS + 1));
        expected.revokedAt = vm.getBlockTimestamp();
        vm.expectEmit(address(registry));
        emit IAttestationRegistry.AttestationRevoked(1);
        revoke(AUTHOR, 1);
        assertView(1, expected);
        assertView(2, untouched);
    }

    function test_revokeAttestation_worksForALaterAuthority() public {
        View memory expected = viewOf(registry, 2);
        expected.revokedAt = vm.getBlockTimestamp();
        revoke(OTHER, 2);
        assertView(2, expected);
        vm.assertEq(viewOf(registry, 1).revokedAt, 0);
    }

    function test_revokeAttestation_worksForTheDelegate() public {
        delegateTo(AUTHOR, PLATFORM);
        revoke(PLATFORM, 1);
        vm.assertEq(viewOf(registry, 1).revokedAt, vm.getBlockTimestamp());
    }

    function test_revokeAttestation_succeedsUntilTheLastSecond() public {
        vm.warp(attestedAt + PERIOD_SECONDS);
        revoke(AUTHOR, 1);
        vm.warp(laterAttestedAt + PERIOD_SECONDS);
        revoke(OTHER, 2);
        vm.assertEq(viewOf(registry, 2).revokedAt, laterAttestedAt + PERIOD_SECONDS);
    }

    function test_revokeAttestation_revertsAfterTheLastSecond(uint32 laterSeconds) public {
        vm.warp(attestedAt + PERIOD_SECONDS + 1);
        expectOver(AUTHOR, 1, attestedAt);
        vm.warp(laterAttestedAt + PERIOD_SECONDS + 1);
        expectOver(AUTHOR, 1, attestedAt);
        expectOver(OTHER, 2, laterAttestedAt);
        pass(laterSeconds);
        expectOver(AUTHOR, 1, attestedAt);
        expectOver(OTHER, 2, laterAttestedAt);
    }

    function test_revokeAttestation_revertsIfRepeated() public {
        revoke(AUTHOR, 1);
        vm.expectRevert(abi.encodeWithSelector(IAttestationRegistry.AttestationAlreadyRevoked.selector, 1));
        revoke(AUTHOR, 1);
    }

    function test_revokeAttestation_revertsForAnyoneElse(address sender) public {
        // The address zero sends no transactions, and means "no delegate".
        vm.assume(sender != AUTHOR && sender != address(0));
        vm.expectRevert(
            abi.encodeWithSelector(IAttestationRegistry.SenderUnauthorized.selector, sender, AUTHOR)
        );
        revoke(sender, 1);
    }

    function test_revokeAttestation_revertsIfUnknown(uint256 attestationId, address sender) public {
        vm.assume(attestationId != 1 && attestationId != 2);
        expectUnknown(attestationId, sender);
        expectUnknown(attestationId, AUTHOR);
        expectUnknown(0, AUTHOR);
        expectUnknown(3, AUTHOR);
    }

    function test_revokeAttestation_preventsAnotherAttestationOfTheContent(bytes32 salt) public {
        revoke(AUTHOR, 1);
        revoke(OTHER, 2);
        for (uint256 index = 1; index <= 2; ++index) {
            Draft memory again = draftBy(index == 1 ? AUTHOR : OTHER);
            again.salt = salt;
            commit(again);
            pass(REVEAL_DELAY_SECONDS);
            bytes memory already =
                abi.encodeWithSelector(IAttestationRegistry.ContentAlreadyAttested.selector, index);
            expectRevealRevert(again, already);
            vm.assertEq(registry.cidAndAddressToAttestationIndices("digest", again.authority), index);
        }
    }
}
