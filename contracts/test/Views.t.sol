// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "../src/IAttestationRegistry.sol";
import {deployRegistry} from "./Deployments.sol";
import {RegistryTest} from "./RegistryTest.sol";
import {vm} from "./Vm.sol";

contract ViewsTest is RegistryTest {
    uint256 private constant LATEST = 2 ** 48 - 1;

    /// @dev The last of the nine state variables.
    function setLastAttestationId(uint256 attestationId) private {
        vm.store(address(registry), bytes32(uint256(8)), bytes32(attestationId));
    }

    function expectMissing(bytes32 ipfsHash, uint256 k) private {
        vm.expectRevert(
            abi.encodeWithSelector(IAttestationRegistry.AttestationIndexMissing.selector, ipfsHash, k)
        );
        registry.cidToAttestationIndices(ipfsHash, k);
    }

    /// @dev Attestations 1, 2 and 4 are of one content, by three authorities; 3 is of the zero digest.
    function attestFour() private {
        attest(Draft(AUTHOR, AUTHOR, "digest", "root", "parent", "salt"));
        attest(Draft(OTHER, OTHER, "digest", "other root", 0, "salt"));
        attest(Draft(AUTHOR, AUTHOR, 0, "root", 0, "salt"));
        attest(Draft(THIRD, THIRD, "digest", "third root", "third parent", "salt"));
    }

    function expectUnknown(uint256 attestationId) private {
        vm.expectRevert(abi.encodeWithSelector(IAttestationRegistry.AttestationUnknown.selector, attestationId));
        registry.attestations(attestationId);
    }

    function test_attestations_returnsTheRevealedFields() public {
        attestFour();
        assertView(1, View("digest", "root", "parent", AUTHOR, START + 60, 0, 0));
        assertView(2, View("digest", "other root", 0, OTHER, START + 120, 0, 0));
        assertView(3, View(0, "root", 0, AUTHOR, START + 180, 0, 0));
        assertView(4, View("digest", "third root", "third parent", THIRD, START + 240, 0, 0));
    }

    function test_attestations_returnsZerosForIndexZero() public {
        assertView(0, View(0, 0, 0, address(0), 0, 0, 0));
        attestFour();
        assertView(0, View(0, 0, 0, address(0), 0, 0, 0));
    }

    /// @dev Zeros would look like an attestation that was never revoked.
    function test_attestations_revertsAboveTheLast(uint256 attestationId) public {
        expectUnknown(1);
        attestFour();
        vm.assume(attestationId > 4);
        expectUnknown(attestationId);
        expectUnknown(5);
        expectUnknown(2 ** 48 + 3);
        expectUnknown(type(uint256).max);
    }

    function test_cidToAttestationIndices_revertsPastTheEnd(bytes32 ipfsHash, uint256 k) public {
        expectMissing(ipfsHash, k);
        attest(draftOf(AUTHOR, ipfsHash));
        attest(draftOf(OTHER, ipfsHash));
        vm.assume(k > 1);
        expectMissing(ipfsHash, k);
    }

    function test_cidToAttestationIndices_separatesContents() public {
        attestFour();
        vm.assertEq(registry.cidToAttestationIndices("digest", 0), 1);
        vm.assertEq(registry.cidToAttestationIndices("digest", 1), 2);
        vm.assertEq(registry.cidToAttestationIndices("digest", 2), 4);
        vm.assertEq(registry.cidToAttestationIndices(0, 0), 3);
        expectMissing("digest", 3);
        expectMissing("digest", type(uint256).max);
        expectMissing(0, 1);
        expectMissing("unknown", 0);
    }

    /// @dev Five values share a slot, and the first is the count, so twelve indices need more than two slots.
    function test_cidToAttestationIndices_listsAllInOrderOfReveal() public {
        for (uint160 k = 0; k < 12; ++k) {
            address author = address(0x1000 + k);
            attest(draftOf(author, keccak256(abi.encode("between", k))));
            vm.assertEq(attest(draftOf(author, "shared")), 2 * k + 2);
            for (uint160 earlier = 0; earlier <= k; ++earlier) {
                vm.assertEq(registry.cidToAttestationIndices("shared", earlier), 2 * earlier + 2);
            }
            expectMissing("shared", k + 1);
        }
    }

    function test_cidAndAddressToAttestationIndices_returnsZeroIfThereIsNone(bytes32 ipfsHash, address authority)
        public
    {
        vm.assertEq(registry.cidAndAddressToAttestationIndices(ipfsHash, authority), 0);
        vm.assume(authority != AUTHOR);
        attest(draftOf(AUTHOR, ipfsHash));
        vm.assertEq(registry.cidAndAddressToAttestationIndices(ipfsHash, authority), 0);
    }

    function test_cidAndAddressToAttestationIndices_findsByContentAndAuthority() public {
        attestFour();
        vm.assertEq(registry.cidAndAddressToAttestationIndices("digest", AUTHOR), 1);
        vm.assertEq(registry.cidAndAddressToAttestationIndices("digest", OTHER), 2);
        vm.assertEq(registry.cidAndAddressToAttestationIndices(0, AUTHOR), 3);
        vm.assertEq(registry.cidAndAddressToAttestationIndices("digest", THIRD), 4);
        vm.assertEq(registry.cidAndAddressToAttestationIndices("digest", STRANGER), 0);
        vm.assertEq(registry.cidAndAddressToAttestationIndices("digest", address(0)), 0);
        vm.assertEq(registry.cidAndAddressToAttestationIndices(0, OTHER), 0);
        vm.assertEq(registry.cidAndAddressToAttestationIndices("unknown", AUTHOR), 0);
        vm.assertEq(registry.cidAndAddressToAttestationIndices("unknown", address(0)), 0);
    }

    function test_constants_haveTheGivenValues(uint48 revealDelaySeconds) public {
        vm.assertEq(registry.revealDelaySeconds(), 60);
        registry = deployRegistry(revealDelaySeconds);
        vm.assertEq(registry.revealDelaySeconds(), revealDelaySeconds);
        vm.assertEq(registry.revocationPeriodSeconds(), 7 days);
    }

    /// @dev Packed fields, except the nonce, have about their largest values, and none overflows into another.
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
}
