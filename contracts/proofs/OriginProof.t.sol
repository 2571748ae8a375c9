// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Origin, packOrigin} from "../src/Origin.sol";

/// @dev Each property here and beside holds for all arguments, not for some: `npm run test:deep --workspace contracts` has halmos prove it.
contract OriginProof {
    function check_origin_givesBackWhatWasPacked(address authority, uint48 timestamp, uint48 attestationId) public pure {
        Origin origin = packOrigin(authority, timestamp, attestationId);
        assert(origin.authorityOf() == authority);
        assert(origin.timestampOf() == timestamp);
        assert(origin.attestationIdOf() == attestationId);
        assert(origin.exists() || attestationId == 0);
    }
}
