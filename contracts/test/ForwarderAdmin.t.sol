// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDelegateForwarder} from "../src/IDelegateForwarder.sol";
import {deployForwarder} from "./Deployments.sol";
import {ForwarderTest} from "./ForwarderTest.sol";
import {vm} from "./Vm.sol";

contract ForwarderAdminTest is ForwarderTest {
    function senderNotAdmin(address sender) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IDelegateForwarder.SenderNotAdmin.selector, sender);
    }

    function test_constructor_setsRegistryAndAdmin(address admin) public {
        vm.assume(admin != address(0));
        vm.expectEmit();
        emit IDelegateForwarder.AdminTransferred(address(0), admin);
        forwarder = deployForwarder(address(registry), admin);
        vm.assertEq(forwarder.registry(), address(registry));
        vm.assertEq(forwarder.admin(), admin);
        vm.assertEq(forwarder.pendingAdmin(), address(0));
    }

    function test_constructor_revertsIfThereIsNoRegistry(address missing) public {
        vm.assume(missing.code.length == 0);
        vm.expectRevert(abi.encodeWithSelector(IDelegateForwarder.RegistryMissing.selector, missing));
        deployForwarder(missing, ADMIN);
    }

    function test_constructor_revertsIfTheAdminIsZero() public {
        vm.expectRevert(abi.encodeWithSelector(IDelegateForwarder.AdminZero.selector));
        deployForwarder(address(registry), address(0));
    }

    function test_addOperator_letsTheOperatorExecute(address operator) public {
        vm.expectEmit(address(forwarder));
        emit IDelegateForwarder.OperatorAdded(operator);
        vm.prank(ADMIN);
        forwarder.addOperator(operator);
        vm.assertTrue(forwarder.isOperator(operator));
        vm.prank(operator);
        forwarder.execute(batch(commitCalldata("hash")));
    }

    function test_addOperator_keepsOtherOperators(address operator, address other) public {
        vm.assume(other != operator && other != OPERATOR);
        vm.prank(ADMIN);
        forwarder.addOperator(operator);
        vm.assertTrue(forwarder.isOperator(OPERATOR));
        vm.assertEq(forwarder.isOperator(other), false);
    }

    function test_removeOperator_stopsTheOperatorAtOnce() public {
        vm.expectEmit(address(forwarder));
        emit IDelegateForwarder.OperatorRemoved(OPERATOR);
        vm.prank(ADMIN);
        forwarder.removeOperator(OPERATOR);
        vm.assertEq(forwarder.isOperator(OPERATOR), false);
    }

    function test_transferAdmin_keepsTheAdminUntilAccepted(address newAdmin) public {
        vm.assume(newAdmin != ADMIN);
        vm.expectEmit(address(forwarder));
        emit IDelegateForwarder.AdminTransferStarted(ADMIN, newAdmin);
        vm.prank(ADMIN);
        forwarder.transferAdmin(newAdmin);
        vm.assertEq(forwarder.admin(), ADMIN);
        vm.assertEq(forwarder.pendingAdmin(), newAdmin);
        vm.expectRevert(senderNotAdmin(newAdmin));
        vm.prank(newAdmin);
        forwarder.addOperator(STRANGER);
    }

    function test_adminFunctions_revertForAnyoneButTheAdmin(address sender) public {
        vm.assume(sender != ADMIN);
        vm.expectRevert(senderNotAdmin(sender));
        vm.prank(sender);
        forwarder.addOperator(STRANGER);
        vm.expectRevert(senderNotAdmin(sender));
        vm.prank(sender);
        forwarder.removeOperator(OPERATOR);
        vm.expectRevert(senderNotAdmin(sender));
        vm.prank(sender);
        forwarder.transferAdmin(sender);
    }

    function test_acceptAdmin_transfersTheRole(address newAdmin) public {
        vm.assume(newAdmin != ADMIN && newAdmin != address(0));
        vm.prank(ADMIN);
        forwarder.transferAdmin(newAdmin);
        vm.expectEmit(address(forwarder));
        emit IDelegateForwarder.AdminTransferred(ADMIN, newAdmin);
        vm.prank(newAdmin);
        forwarder.acceptAdmin();
        vm.assertEq(forwarder.admin(), newAdmin);
        vm.assertEq(forwarder.pendingAdmin(), address(0));
        vm.expectRevert(senderNotAdmin(ADMIN));
        vm.prank(ADMIN);
        forwarder.addOperator(STRANGER);
    }

    function test_acceptAdmin_revertsForAnyoneElse(address sender, address newAdmin) public {
        vm.assume(sender != newAdmin);
        vm.prank(ADMIN);
        forwarder.transferAdmin(newAdmin);
        vm.expectRevert(abi.encodeWithSelector(IDelegateForwarder.SenderNotPendingAdmin.selector, sender));
        vm.prank(sender);
        forwarder.acceptAdmin();
    }

    function test_acceptAdmin_revertsIfTheOfferIsWithdrawn() public {
        vm.prank(ADMIN);
        forwarder.transferAdmin(STRANGER);
        vm.prank(ADMIN);
        forwarder.transferAdmin(address(0));
        vm.expectRevert(abi.encodeWithSelector(IDelegateForwarder.SenderNotPendingAdmin.selector, STRANGER));
        vm.prank(STRANGER);
        forwarder.acceptAdmin();
    }
}
