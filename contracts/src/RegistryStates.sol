// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "./IAttestationRegistry.sol";

/// @title Reads the states of many contents in one call
/// @notice Never deployed: `eth_call` runs the creation code, which returns the ABI-encoded states instead of code. It works
/// with every registry of the interface.
contract RegistryStates {
    /// @notice A content under an authority in a registry.
    struct Query {
        IAttestationRegistry registry;
        bytes32 ipfsHash;
        address authority;
    }

    /// @notice Index of the attestation, or 0 if there is none, and the authority's delegate.
    struct State {
        uint256 attestationIndex;
        address delegateAddress;
    }

    /// @param queries at most 300: nodes limit what creation code may return (EIP-170)
    constructor(Query[] memory queries) {
        State[] memory states = new State[](queries.length);
        for (uint256 position = 0; position < queries.length; ++position) {
            Query memory query = queries[position];
            states[position].attestationIndex =
                query.registry.cidAndAddressToAttestationIndices(query.ipfsHash, query.authority);
            (states[position].delegateAddress,) = query.registry.delegations(query.authority);
        }
        bytes memory data = abi.encode(states);
        assembly ("memory-safe") {
            return(add(data, 0x20), mload(data))
        }
    }
}
