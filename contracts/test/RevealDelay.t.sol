// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "../src/IAttestationRegistry.sol";
import {deployRegistry} from "./Deployments.sol";
import {RegistryTest} from "./RegistryTest.sol";
import {vm} from "./Vm.sol";

contract RevealDelayTest is RegistryTest {
    function tooEarly(uint256 revealableAt) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IAttestationRegistry.RevealTooEarly.selector, revealableAt);
    }

    function test_reveal_revertsUntilTheDelayIsOver() public {
        Draft memory draft = draftBy(AUTHOR);
        commit(draft);
        for (uint256 waitedSeconds = 0; waitedSeconds < 60; ++waitedSeconds) {
            vm.warp(START + waitedSeconds);
            expectRevealRevert(draft, tooEarly(START + 60));
        }
        vm.warp(START + 60);
        reveal(draft);
        assertView(1, View(draft.ipfsHash, draft.qvHash, 0, AUTHOR, START + 60, 0, 0));
    }

    function test_reveal_enforcesTheLongestDelay() public {
        registry = deployRegistry(type(uint48).max);
        Draft memory draft = draftBy(AUTHOR);
        commit(draft);
        vm.warp(START + type(uint48).max - 1);
        expectRevealRevert(draft, tooEarly(START + type(uint48).max));
    }
}
