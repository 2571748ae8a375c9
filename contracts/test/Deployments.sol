// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "../src/IAttestationRegistry.sol";
import {IDelegateForwarder} from "../src/IDelegateForwarder.sol";
import {vm} from "./Vm.sol";

/// @dev Deploys a contract with the creation code that forge compiled with the settings for production.
function deploy(string memory name, bytes memory arguments) returns (address deployed) {
    bytes memory code = bytes.concat(vm.getCode(name), arguments);
    assembly ("memory-safe") {
        deployed := create(0, add(code, 32), mload(code))
        if iszero(deployed) {
            returndatacopy(0, 0, returndatasize())
            revert(0, returndatasize())
        }
    }
}

function deployRegistry(uint256 revealDelaySeconds) returns (IAttestationRegistry) {
    return IAttestationRegistry(deploy("AttestationRegistry.sol", abi.encode(revealDelaySeconds)));
}

function deployForwarder(address registry, address admin) returns (IDelegateForwarder) {
    return IDelegateForwarder(deploy("DelegateForwarder.sol", abi.encode(registry, admin)));
}
