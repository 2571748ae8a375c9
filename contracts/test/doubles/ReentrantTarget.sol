// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDelegateForwarder} from "../../src/IDelegateForwarder.sol";

/// @dev A registry that calls its caller back. If that call reverts, the registry reverts with the same data.
contract ReentrantTarget {
    bytes private _callback;

    function set(bytes calldata callback) external {
        _callback = callback;
    }

    fallback() external {
        (bool success, bytes memory data) = msg.sender.call(_callback);
        if (success) return;
        assembly ("memory-safe") {
            revert(add(data, 0x20), mload(data))
        }
    }
}
