// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "../src/IAttestationRegistry.sol";
import {IDelegateForwarder} from "../src/IDelegateForwarder.sol";
import {deployForwarder} from "./Deployments.sol";
import {RegistryTest} from "./RegistryTest.sol";
import {vm} from "./Vm.sol";

/// @dev A forwarder to the registry with one operator. AUTHOR and OTHER delegate to the forwarder.
abstract contract ForwarderTest is RegistryTest {
    address internal constant ADMIN = address(0xAD1);
    address internal constant OPERATOR = address(0x0B1);

    IDelegateForwarder internal forwarder;

    function setUp() public virtual override {
        super.setUp();
        forwarder = forwarderTo(address(registry));
        delegateTo(AUTHOR, address(forwarder));
        delegateTo(OTHER, address(forwarder));
    }

    function forwarderTo(address target) internal returns (IDelegateForwarder made) {
        made = deployForwarder(target, ADMIN);
        vm.prank(ADMIN);
        made.addOperator(OPERATOR);
    }

    function forwardedDraft(bytes32 ipfsHash) internal view returns (Draft memory draft) {
        draft = draftOf(address(forwarder), ipfsHash);
        draft.authority = AUTHOR;
    }

    function commitCalldata(bytes32 hash) internal pure returns (bytes memory) {
        return abi.encodeCall(IAttestationRegistry.commit, (hash));
    }

    function batch(bytes memory call) internal pure returns (bytes[] memory calls) {
        calls = new bytes[](1);
        calls[0] = call;
    }

    function batch(bytes memory first, bytes memory second) internal pure returns (bytes[] memory calls) {
        calls = new bytes[](2);
        (calls[0], calls[1]) = (first, second);
    }

    function batch(bytes memory first, bytes memory second, bytes memory third)
        internal
        pure
        returns (bytes[] memory calls)
    {
        calls = new bytes[](3);
        (calls[0], calls[1], calls[2]) = (first, second, third);
    }

    function execute(bytes[] memory calls) internal returns (bytes[] memory) {
        vm.prank(OPERATOR);
        return forwarder.execute(calls);
    }
}
