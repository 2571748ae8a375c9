// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "../src/IAttestationRegistry.sol";
import {vm} from "./Vm.sol";
import {RegistryActors} from "./doubles/RegistryActors.sol";

/// @dev What holds after any sequence of calls by any actors.
contract InvariantsTest {
    RegistryActors private actors;

    function setUp() public {
        vm.warp(1_800_000_000);
        actors = new RegistryActors();
    }

    /// @dev Forge calls the functions of these, and of nothing else, at random.
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(actors);
    }

    /// @dev The actors hold the rest: equal revert data and events, commits consumed once, batches reported in full.
    /// One campaign for all: each `invariant_` function would have sequences of its own.
    function invariant_registry_keepsItsPromises() public view {
        attestationsAreThoseOfTheDocumentedLayout();
        lookUpsAreThoseOfTheDocumentedLayout();
        delegationsAreThoseOfTheDocumentedLayout();
        delegationsComeFromTheAuthorityAlone();
        indicesAreGapless();
        attestationsAreOneForEachContentAndAuthority();
    }

    function assertSameView(bytes memory call) private view {
        (bool success, bytes memory data) = address(actors.REGISTRY()).staticcall(call);
        (bool expectedSuccess, bytes memory expectedData) = address(actors.DOCUMENTED()).staticcall(call);
        vm.assertEq(success, expectedSuccess);
        vm.assertEq(data, expectedData);
    }

    function attestationsAreThoseOfTheDocumentedLayout() private view {
        for (uint256 id = 0; id <= actors.attestedCount() + 1; ++id) {
            assertSameView(abi.encodeCall(IAttestationRegistry.attestations, (id)));
        }
    }

    function lookUpsAreThoseOfTheDocumentedLayout() private view {
        for (uint256 c = 0; c < actors.CONTENT_COUNT(); ++c) {
            bytes32 digest = actors.content(c);
            for (uint256 k = 0; k <= actors.ACTOR_COUNT() + 1; ++k) {
                assertSameView(abi.encodeCall(IAttestationRegistry.cidToAttestationIndices, (digest, k)));
                assertSameView(
                    abi.encodeCall(
                        IAttestationRegistry.cidAndAddressToAttestationIndices, (digest, actors.actor(k))
                    )
                );
            }
        }
    }

    function delegationsAreThoseOfTheDocumentedLayout() private view {
        for (uint256 a = 0; a <= actors.ACTOR_COUNT(); ++a) {
            assertSameView(abi.encodeCall(IAttestationRegistry.delegations, (actors.actor(a))));
            assertSameView(abi.encodeCall(IAttestationRegistry.nonceOf, (actors.actor(a))));
        }
    }

    function delegationsComeFromTheAuthorityAlone() private view {
        for (uint256 a = 0; a <= actors.ACTOR_COUNT(); ++a) {
            (address shown,) = actors.REGISTRY().delegations(actors.actor(a));
            vm.assertEq(shown, actors.delegateByOwnWord(actors.actor(a)));
        }
    }

    function indicesAreGapless() private view {
        uint256 count = actors.attestedCount();
        for (uint256 id = 1; id <= count; ++id) {
            (,,,, uint256 timestamp,,) = actors.REGISTRY().attestations(id);
            vm.assertTrue(timestamp != 0);
        }
        try actors.REGISTRY().attestations(count + 1) {
            revert("one too many");
        } catch {}
    }

    /// @dev By index and by both look-ups an attestation is the same one, and no other is of its content and authority.
    function attestationsAreOneForEachContentAndAuthority() private view {
        for (uint256 id = 1; id <= actors.attestedCount(); ++id) {
            (bytes32 digest,,, address authority,,,) = actors.REGISTRY().attestations(id);
            vm.assertEq(actors.REGISTRY().cidAndAddressToAttestationIndices(digest, authority), id);
            uint256 seen = 0;
            for (uint256 k = 0; k <= actors.ACTOR_COUNT() && seen == 0; ++k) {
                if (actors.REGISTRY().cidToAttestationIndices(digest, k) == id) seen = 1;
            }
            vm.assertEq(seen, 1);
        }
    }
}
