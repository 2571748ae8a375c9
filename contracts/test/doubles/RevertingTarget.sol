// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev A registry that reverts every `commit(n)` with n bytes of revert data. The first 300 are 0xff.
contract RevertingTarget {
    fallback() external {
        uint256 length = uint256(bytes32(msg.data[4:36]));
        bytes memory data = new bytes(length);
        for (uint256 i = 0; i < length && i < 300; ++i) {
            data[i] = 0xff;
        }
        assembly ("memory-safe") {
            revert(add(data, 0x20), length)
        }
    }
}
