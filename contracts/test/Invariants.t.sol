// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "../src/IAttestationRegistry.sol";
import {vm} from "./Vm.sol";
import {RegistryActors} from "./doubles/RegistryActors.sol";

/// @dev After any sequence of calls by any actors, the registry returns the same as `DocumentedRegistry`.
contract InvariantsTest {
    RegistryActors private actors;

    function setUp() public {
        vm.warp(1_800_000_000);
        actors = new RegistryActors();
    }

    /// @dev Forge calls only the functions of these contracts at random.
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(actors);
    }

    /// @dev The actors compare results and events. This is a single invariant, because each one runs its own sequences.
    function invariant_registry_equalsDocumentedRegistry() public view {
        assertSameAttestations();
        assertSameLookUps();
        assertSameDelegations();
    }

    function assertSameView(bytes memory call) private view {
        (bool success, bytes memory data) = address(actors.REGISTRY()).staticcall(call);
        (bool expectedSuccess, bytes memory expectedData) = address(actors.DOCUMENTED()).staticcall(call);
        vm.assertEq(success, expectedSuccess);
        vm.assertEq(data, expectedData);
    }

    function assertSameAttestations() private view {
        for (uint256 id = 0; id <= actors.attestedCount() + 1; ++id) {
            assertSameView(abi.encodeCall(IAttestationRegistry.attestations, (id)));
        }
    }

    function assertSameLookUps() private view {
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

    function assertSameDelegations() private view {
        for (uint256 a = 0; a <= actors.ACTOR_COUNT(); ++a) {
            assertSameView(abi.encodeCall(IAttestationRegistry.delegations, (actors.actor(a))));
            assertSameView(abi.encodeCall(IAttestationRegistry.nonceOf, (actors.actor(a))));
        }
    }
}
