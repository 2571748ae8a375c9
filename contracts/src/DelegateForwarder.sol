// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "./IAttestationRegistry.sol";
import {IDelegateForwarder} from "./IDelegateForwarder.sol";

/// @title Delegate forwarder
contract DelegateForwarder is IDelegateForwarder {
    /// @dev The registry's longest error has 68 bytes. The limit keeps a registry from making failures expensive.
    uint256 private constant REVERT_DATA_MAX_BYTES = 256;
    address private immutable REGISTRY;

    /// @inheritdoc IDelegateForwarder
    address public admin;
    /// @inheritdoc IDelegateForwarder
    address public pendingAdmin;
    /// @inheritdoc IDelegateForwarder
    mapping(address account => bool) public isOperator;

    modifier onlyAdmin() {
        if (msg.sender != admin) revert SenderNotAdmin(msg.sender);
        _;
    }

    /// @param registry_ the contract to call, which must exist
    /// @param admin_ the first admin; not the sender, which may be a CREATE2 proxy
    constructor(address registry_, address admin_) {
        if (registry_.code.length == 0) revert RegistryMissing(registry_);
        if (admin_ == address(0)) revert AdminZero();
        REGISTRY = registry_;
        admin = admin_;
        emit AdminTransferred(address(0), admin_);
    }

    /// @inheritdoc IDelegateForwarder
    function execute(bytes[] calldata calls) external returns (bytes[] memory revertData) {
        if (!isOperator[msg.sender]) revert SenderNotOperator(msg.sender);
        revertData = new bytes[](calls.length);
        uint256 failureCount = 0;
        for (uint256 position = 0; position < calls.length; ++position) {
            if (_forward(position, calls[position])) continue;
            revertData[position] = _boundedRevertData();
            emit CallFailed(position, revertData[position]);
            ++failureCount;
        }
        emit Executed(msg.sender, calls.length, failureCount);
    }

    /// @inheritdoc IDelegateForwarder
    function addOperator(address operator) external onlyAdmin {
        isOperator[operator] = true;
        emit OperatorAdded(operator);
    }

    /// @inheritdoc IDelegateForwarder
    function removeOperator(address operator) external onlyAdmin {
        isOperator[operator] = false;
        emit OperatorRemoved(operator);
    }

    /// @inheritdoc IDelegateForwarder
    function transferAdmin(address newAdmin) external onlyAdmin {
        pendingAdmin = newAdmin;
        emit AdminTransferStarted(msg.sender, newAdmin);
    }

    /// @inheritdoc IDelegateForwarder
    function acceptAdmin() external {
        if (msg.sender != pendingAdmin) revert SenderNotPendingAdmin(msg.sender);
        emit AdminTransferred(admin, msg.sender);
        admin = msg.sender;
        pendingAdmin = address(0);
    }

    /// @inheritdoc IDelegateForwarder
    function registry() external view returns (address) {
        return REGISTRY;
    }

    /// @dev A call gets 63/64 of the available gas, and uses nearly all of it when it or its callee runs out of gas. So a
    /// failure counts only if half of the gas is left. This rule does not depend on the gas costs of opcodes.
    function _forward(uint256 position, bytes calldata data) private returns (bool success) {
        if (!_isForwardable(bytes4(data))) revert SelectorForbidden(position, bytes4(data));
        uint256 gasBefore = gasleft();
        success = _call(data);
        if (!success && gasleft() < gasBefore / 2) revert GasShort(position);
    }

    /// @dev Uses assembly, because Solidity's call copies all return data, and allocates memory for each call.
    function _call(bytes calldata data) private returns (bool success) {
        address target = REGISTRY;
        assembly ("memory-safe") {
            let free := mload(0x40)
            calldatacopy(free, data.offset, data.length)
            success := call(gas(), target, 0, free, data.length, 0, 0)
        }
    }

    /// @dev Returns the revert data of the last call. Never returns empty data, which means success.
    function _boundedRevertData() private pure returns (bytes memory data) {
        assembly ("memory-safe") {
            let length := returndatasize()
            if gt(length, REVERT_DATA_MAX_BYTES) { length := REVERT_DATA_MAX_BYTES }
            data := mload(0x40)
            mstore(data, length)
            returndatacopy(add(data, 0x20), 0, length)
            mstore(0x40, add(data, and(add(length, 0x3f), not(0x1f))))
        }
        if (data.length == 0) return abi.encodeWithSelector(RevertDataMissing.selector);
    }

    function _isForwardable(bytes4 selector) private pure returns (bool) {
        return selector == IAttestationRegistry.commit.selector || selector == IAttestationRegistry.reveal.selector
            || selector == IAttestationRegistry.setChildIpfsHash.selector
            || selector == IAttestationRegistry.revealBatch.selector
            || selector == IAttestationRegistry.setChildIpfsHashes.selector;
    }
}
