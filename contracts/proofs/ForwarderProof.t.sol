// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {DelegateForwarder} from "../src/DelegateForwarder.sol";
import {IAttestationRegistry} from "../src/IAttestationRegistry.sol";
import {IDelegateForwarder} from "../src/IDelegateForwarder.sol";
import {vm} from "../test/Vm.sol";

/// @dev A registry that accepts any call and stores the hash of the last one.
contract RecordingTarget {
    bytes32 public lastCall;

    fallback(bytes calldata data) external returns (bytes memory) {
        lastCall = keccak256(data);
        return "";
    }
}

contract ForwarderProof {
    address private constant ADMIN = address(0xAD1);
    address private constant PENDING = address(0xAD2);
    address private constant OPERATOR = address(0x0B1);
    RecordingTarget private target;
    DelegateForwarder private forwarder;

    function setUp() public {
        target = new RecordingTarget();
        forwarder = new DelegateForwarder(address(target), ADMIN);
        vm.prank(ADMIN);
        forwarder.addOperator(OPERATOR);
        vm.prank(ADMIN);
        forwarder.transferAdmin(PENDING);
    }

    function isForwardable(bytes4 selector) private pure returns (bool) {
        return selector == IAttestationRegistry.commit.selector || selector == IAttestationRegistry.reveal.selector
            || selector == IAttestationRegistry.revealBatch.selector
            || selector == IAttestationRegistry.setChildIpfsHash.selector
            || selector == IAttestationRegistry.setChildIpfsHashes.selector;
    }

    /// @dev Only an operator's call of one of the five selectors reaches the registry, unchanged.
    function check_execute_forwardsFiveSelectorsOfOperatorsOnly(address sender, bytes4 selector, bytes32 word) public {
        vm.assume(sender != address(0));
        bytes[] memory calls = new bytes[](1);
        calls[0] = abi.encodePacked(selector, word);
        vm.prank(sender);
        (bool success,) = address(forwarder).call(abi.encodeCall(IDelegateForwarder.execute, (calls)));
        assert(success == (sender == OPERATOR && isForwardable(selector)));
        assert(target.lastCall() == (success ? keccak256(calls[0]) : bytes32(0)));
        assert(forwarder.admin() == ADMIN && forwarder.pendingAdmin() == PENDING);
    }

    /// @dev For any call with any argument: only the admin changes operators and offers its role, and only the account to
    /// which it is offered accepts it.
    function check_admin_changesOnlyByOfferAndAcceptance(
        address sender,
        bytes4 selector,
        address argument,
        address account
    ) public {
        // The proof above covers `execute`.
        vm.assume(selector != IDelegateForwarder.execute.selector);
        vm.assume(sender != address(0));
        bool wasOperator = forwarder.isOperator(account);
        vm.prank(sender);
        (bool success,) = address(forwarder).call(abi.encodeWithSelector(selector, argument));
        bool byAdmin = success && sender == ADMIN;
        bool accepted = success && sender == PENDING && selector == IDelegateForwarder.acceptAdmin.selector;
        assert(forwarder.admin() == (accepted ? PENDING : ADMIN));
        if (forwarder.pendingAdmin() != PENDING) {
            assert(accepted || byAdmin && selector == IDelegateForwarder.transferAdmin.selector);
        }
        bool isOperator = forwarder.isOperator(account);
        if (isOperator == wasOperator) return;
        assert(byAdmin && account == argument);
        assert(
            selector
                == (isOperator ? IDelegateForwarder.addOperator.selector : IDelegateForwarder.removeOperator.selector)
        );
    }
}
