// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDelegateForwarder} from "../src/IDelegateForwarder.sol";
import {ForwarderTest} from "./ForwarderTest.sol";
import {vm} from "./Vm.sol";
import {BurningTarget} from "./doubles/BurningTarget.sol";

/// @dev With any gas limit, a reported outcome is the same as with more gas.
contract ForwarderGasTest is ForwarderTest {
    function executeWith(uint256 gasLimit, bytes[] memory calls) private returns (bool, bytes memory) {
        vm.prank(OPERATOR);
        return address(forwarder).call{gas: gasLimit}(abi.encodeCall(IDelegateForwarder.execute, (calls)));
    }

    function reveals(uint256 count) private returns (bytes[] memory calls) {
        bytes[] memory commits = new bytes[](count);
        calls = new bytes[](count);
        for (uint256 i = 0; i < count; ++i) {
            Draft memory draft = forwardedDraft(keccak256(abi.encode(i)));
            commits[i] = commitCalldata(saltedHash(draft));
            calls[i] = revealCalldata(draft);
        }
        execute(commits);
        pass(REVEAL_DELAY_SECONDS);
    }

    function test_execute_reportsAllOrNothingWhateverTheGas(uint256 gasLimit) public {
        bytes[] memory calls = reveals(3);
        gasLimit = gasLimit % 500_000;
        (bool success, bytes memory data) = executeWith(gasLimit, calls);
        if (success) {
            bytes[] memory outcomes = abi.decode(data, (bytes[]));
            for (uint256 i = 0; i < 3; ++i) {
                vm.assertEq(outcomes[i], "");
            }
        }
        bytes32 last = keccak256(abi.encode(2));
        vm.assertEq(registry.cidAndAddressToAttestationIndices(last, AUTHOR), success ? 3 : 0);
    }

    /// @dev Tries gas limits up to the first that is enough.
    function test_execute_revertsUntilTheGasIsEnough() public {
        bytes[] memory calls = reveals(1);
        uint256 reverted = 0;
        for (uint256 gasLimit = 20_000; gasLimit < 110_000; gasLimit += 333) {
            (bool success,) = executeWith(gasLimit, calls);
            if (success) break;
            ++reverted;
            vm.assertEq(registry.cidAndAddressToAttestationIndices(keccak256(abi.encode(0)), AUTHOR), 0);
        }
        vm.assertGe(reverted, 100);
        vm.assertEq(registry.cidAndAddressToAttestationIndices(keccak256(abi.encode(0)), AUTHOR), 1);
    }

    function test_execute_revertsIfACallBurnsAllItsGas() public {
        BurningTarget target = new BurningTarget();
        forwarder = forwarderTo(address(target));
        (bool success, bytes memory data) =
            executeWith(10_000_000, batch(commitCalldata("taken"), commitCalldata(0)));
        vm.assertEq(success, false);
        vm.assertEq(data, abi.encodeWithSelector(IDelegateForwarder.GasShort.selector, 1));
        vm.assertEq(target.taken(), 0);
    }

    function test_execute_reportsAFailureThatLeavesMostOfTheGas() public {
        bytes[] memory calls = batch(commitCalldata("hash"), commitCalldata("hash"));
        (bool success, bytes memory data) = executeWith(120_000, calls);
        vm.assertTrue(success);
        vm.assertEq(abi.decode(data, (bytes[]))[1].length, 68);
    }
}
