// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev A registry that burns all gas of a `commit` of zero and accepts any other call.
contract BurningTarget {
    uint256 public taken;

    fallback(bytes calldata data) external returns (bytes memory) {
        if (bytes32(data[4:36]) == 0) {
            assembly ("memory-safe") {
                invalid()
            }
        }
        ++taken;
        return "";
    }
}
