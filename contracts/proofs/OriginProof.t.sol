// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Origin, packOrigin} from "../src/Origin.sol";

/// @dev Halmos proves the properties in this folder for all arguments: `npm run test:deep --workspace contracts`.
contract OriginProof {
    function check_packOrigin_losesNothing(address authority, uint48 timestamp, uint48 attestationId) public pure {
        Origin origin = packOrigin(authority, timestamp, attestationId);
        assert(origin.authorityOf() == authority);
        assert(origin.timestampOf() == timestamp);
        assert(origin.attestationIdOf() == attestationId);
        assert(origin.exists() || attestationId == 0);
    }
}
