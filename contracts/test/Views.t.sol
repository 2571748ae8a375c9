// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {AttestationRegistry} from "../src/AttestationRegistry.sol";
import {IAttestationRegistry} from "../src/IAttestationRegistry.sol";
import {RegistryTest} from "./RegistryTest.sol";
import {vm} from "./Vm.sol";

contract ViewsTest is RegistryTest {
    uint256 private constant LATEST = 2 ** 48 - 1;

    function missing(bytes32 ipfsHash, uint256 k) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IAttestationRegistry.AttestationIndexMissing.selector, ipfsHash, k);
    }

    /// @dev The last of the seven state variables.
    function setLastAttestationId(uint256 attestationId) private {
        vm.store(address(registry), bytes32(uint256(6)), bytes32(attestationId));
    }

    function test_attestations_showsNothingWhereThereIsNone(uint256 attestationId) public {
        attest(draftOf(AUTHOR, 0));
        vm.assume(attestationId != 1);
        assertView(attestationId, View(0, 0, 0, address(0), 0, 0, 0));
    }

    function test_cidToAttestationIndices_revertsPastTheEnd(bytes32 ipfsHash, uint256 k) public {
        vm.expectRevert(missing(ipfsHash, k));
        registry.cidToAttestationIndices(ipfsHash, k);
        attest(draftOf(AUTHOR, ipfsHash));
        attest(draftOf(OTHER, ipfsHash));
        vm.assume(k > 1);
        vm.expectRevert(missing(ipfsHash, k));
        registry.cidToAttestationIndices(ipfsHash, k);
    }

    /// @dev Five indices share a slot, the first of which is the count: twelve fill more than two.
    function test_cidToAttestationIndices_listsAllByOrderOfReveal() public {
        for (uint160 k = 0; k < 12; ++k) {
            address author = address(0x1000 + k);
            attest(draftOf(author, keccak256(abi.encode("between", k))));
            vm.assertEq(attest(draftOf(author, "shared")), 2 * k + 2);
            for (uint160 earlier = 0; earlier <= k; ++earlier) {
                vm.assertEq(registry.cidToAttestationIndices("shared", earlier), 2 * earlier + 2);
            }
            vm.expectRevert(missing("shared", k + 1));
            registry.cidToAttestationIndices("shared", k + 1);
        }
    }

    function test_cidAndAddressToAttestationIndices_givesZeroIfThereIsNone(bytes32 ipfsHash, address authority)
        public
    {
        vm.assertEq(registry.cidAndAddressToAttestationIndices(ipfsHash, authority), 0);
        vm.assume(authority != AUTHOR);
        attest(draftOf(AUTHOR, ipfsHash));
        vm.assertEq(registry.cidAndAddressToAttestationIndices(ipfsHash, authority), 0);
    }

    function test_constants_areThoseGiven(uint48 revealDelaySeconds) public {
        registry = new AttestationRegistry(revealDelaySeconds);
        vm.assertEq(registry.revealDelaySeconds(), revealDelaySeconds);
        vm.assertEq(registry.revocationPeriodSeconds(), 7 days);
    }

    /// @dev Every packed field at its largest, all at once: none runs into another.
    function test_packing_holdsTheLargestValues() public {
        address highest = address(type(uint160).max);
        address second = address(type(uint160).max - 1);
        setLastAttestationId(LATEST - 2);
        vm.warp(LATEST - 2 * REVEAL_DELAY_SECONDS);
        vm.assertEq(attest(draftBy(highest)), LATEST - 1);
        uint256 firstAt = vm.getBlockTimestamp();
        vm.assertEq(attest(draftBy(second)), LATEST);
        delegateTo(highest, second);
        vm.prank(highest);
        registry.revokeAttestation(LATEST - 1);
        vm.prank(second);
        registry.revokeAttestation(LATEST);
        assertView(LATEST - 1, View("digest", "root", 0, highest, firstAt, LATEST, 0));
        assertView(LATEST, View("digest", "root", 0, second, LATEST, LATEST, 0));
        vm.assertEq(registry.cidToAttestationIndices("digest", 0), LATEST - 1);
        vm.assertEq(registry.cidToAttestationIndices("digest", 1), LATEST);
        (address delegateAddress, uint256 since) = registry.delegations(highest);
        vm.assertEq(delegateAddress, second);
        vm.assertEq(since, LATEST);
        vm.assertEq(registry.nonceOf(highest), 1);
    }

    function test_reveal_waitsOutTheLongestDelay() public {
        registry = new AttestationRegistry(type(uint48).max);
        Draft memory draft = draftBy(AUTHOR);
        commit(draft);
        vm.warp(START + LATEST - 1);
        expectRevealRevert(
            draft, abi.encodeWithSelector(IAttestationRegistry.RevealTooEarly.selector, START + LATEST)
        );
    }
}
