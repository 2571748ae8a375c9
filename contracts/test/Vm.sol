// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The cheat codes of forge that the tests use: forge-std has no official package.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function addr(uint256 privateKey) external pure returns (address);
    function assertEq(address left, address right) external pure;
    function assertEq(bool left, bool right) external pure;
    function assertEq(bytes calldata left, bytes calldata right) external pure;
    function assertEq(bytes32 left, bytes32 right) external pure;
    function assertEq(uint256 left, uint256 right) external pure;
    function assertGe(uint256 left, uint256 right) external pure;
    function assertLe(uint256 left, uint256 right) external pure;
    function assertTrue(bool condition) external pure;
    function assume(bool condition) external pure;
    function chainId(uint256 newChainId) external;
    function computeCreateAddress(address deployer, uint256 nonce) external pure returns (address);
    function etch(address target, bytes calldata code) external;
    function expectEmit() external;
    function expectEmit(address emitter) external;
    function expectRevert(bytes calldata revertData) external;
    /// @dev `block.timestamp` after `warp`. With via_ir, as for coverage, the compiler may read `block.timestamp` only once.
    function getBlockTimestamp() external view returns (uint256 timestamp);
    function getCode(string calldata artifact) external view returns (bytes memory creationCode);
    function getNonce(address account) external view returns (uint64 nonce);
    function getRecordedLogs() external returns (Log[] memory logs);
    function load(address target, bytes32 slot) external view returns (bytes32 value);
    function prank(address sender) external;
    function recordLogs() external;
    function setEvmVersion(string calldata evmVersion) external;
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function store(address target, bytes32 slot, bytes32 value) external;
    function warp(uint256 timestamp) external;
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
