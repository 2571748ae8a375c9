// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "../src/IAttestationRegistry.sol";
import {IDelegateForwarder} from "../src/IDelegateForwarder.sol";
import {Member, batchCalldata, batchHashOf} from "./batch/Batches.sol";
import {ForwarderTest} from "./ForwarderTest.sol";
import {vm} from "./Vm.sol";
import {ReentrantTarget} from "./doubles/ReentrantTarget.sol";
import {RevertingTarget} from "./doubles/RevertingTarget.sol";

contract ForwarderExecuteTest is ForwarderTest {
    function commitRepeated(bytes32 hash) private view returns (bytes memory) {
        return abi.encodeWithSelector(IAttestationRegistry.CommitRepeated.selector, address(forwarder), hash);
    }

    function test_execute_attestsForAnAuthority(bytes32 ipfsHash, bytes32 child) public {
        Draft memory draft = forwardedDraft(ipfsHash);
        execute(batch(commitCalldata(saltedHash(draft))));
        pass(REVEAL_DELAY_SECONDS);
        bytes memory link = abi.encodeCall(IAttestationRegistry.setChildIpfsHash, (1, child));
        execute(batch(revealCalldata(draft), link));
        assertView(1, View(ipfsHash, draft.qvHash, 0, AUTHOR, vm.getBlockTimestamp(), 0, child));
    }

    function test_execute_revealsABatchAndLinksIt(bytes32 child) public {
        Member[] memory members = new Member[](2);
        members[0] = Member(AUTHOR, "salt", "digest", "root", false);
        members[1] = Member(OTHER, "other salt", "other digest", "other root", false);
        execute(batch(commitCalldata(batchHashOf(members, address(forwarder)))));
        pass(REVEAL_DELAY_SECONDS);
        uint256[] memory ids = new uint256[](2);
        bytes32[] memory children = new bytes32[](2);
        (ids[0], ids[1], children[0], children[1]) = (1, 2, child, ~child);
        bytes memory links = abi.encodeCall(IAttestationRegistry.setChildIpfsHashes, (ids, children));
        bytes[] memory outcomes = execute(batch(batchCalldata(members), links));
        vm.assertEq(outcomes[0], "");
        vm.assertEq(outcomes[1], "");
        assertView(1, View("digest", "root", 0, AUTHOR, vm.getBlockTimestamp(), 0, child));
        assertView(2, View("other digest", "other root", 0, OTHER, vm.getBlockTimestamp(), 0, ~child));
    }

    function test_execute_acceptsAnEmptyBatch() public {
        vm.expectEmit(address(forwarder));
        emit IDelegateForwarder.Executed(OPERATOR, 0, 0);
        vm.assertEq(execute(new bytes[](0)).length, 0);
    }

    function test_execute_reportsEachOutcomeIndependently(bytes32 first, bytes32 last) public {
        vm.assume(first != last);
        vm.expectEmit(address(forwarder));
        emit IDelegateForwarder.CallFailed(1, commitRepeated(first));
        vm.expectEmit(address(forwarder));
        emit IDelegateForwarder.Executed(OPERATOR, 3, 1);
        bytes[] memory outcomes =
            execute(batch(commitCalldata(first), commitCalldata(first), commitCalldata(last)));
        vm.assertEq(outcomes.length, 3);
        vm.assertEq(outcomes[0], "");
        vm.assertEq(outcomes[1], commitRepeated(first));
        vm.assertEq(outcomes[2], "");
        outcomes = execute(batch(commitCalldata(first), commitCalldata(last)));
        vm.assertEq(outcomes[0], commitRepeated(first));
        vm.assertEq(outcomes[1], commitRepeated(last));
    }

    function test_execute_revertsForAnyoneButAnOperator(address sender) public {
        vm.assume(sender != OPERATOR);
        expectNotOperator(sender);
        expectNotOperator(ADMIN);
        vm.prank(ADMIN);
        forwarder.removeOperator(OPERATOR);
        expectNotOperator(OPERATOR);
    }

    function expectNotOperator(address sender) private {
        vm.expectRevert(abi.encodeWithSelector(IDelegateForwarder.SenderNotOperator.selector, sender));
        vm.prank(sender);
        forwarder.execute(batch(commitCalldata(0)));
    }

    function test_execute_forwardsFiveSelectorsOnly(bytes4 selector, bytes calldata arguments) public {
        vm.assume(selector != IAttestationRegistry.commit.selector);
        vm.assume(selector != IAttestationRegistry.reveal.selector);
        vm.assume(selector != IAttestationRegistry.setChildIpfsHash.selector);
        vm.assume(selector != IAttestationRegistry.revealBatch.selector);
        vm.assume(selector != IAttestationRegistry.setChildIpfsHashes.selector);
        assertForbidden(selector, bytes.concat(selector, arguments));
    }

    function assertForbidden(bytes4 selector, bytes memory call) private {
        vm.expectRevert(abi.encodeWithSelector(IDelegateForwarder.SelectorForbidden.selector, 1, selector));
        execute(batch(commitCalldata("first"), call));
    }

    function test_execute_forbidsDelegationsAndRevocations() public {
        assertForbidden(
            IAttestationRegistry.delegate.selector, abi.encodeCall(IAttestationRegistry.delegate, (STRANGER))
        );
        assertForbidden(
            IAttestationRegistry.revokeDelegation.selector,
            abi.encodeCall(IAttestationRegistry.revokeDelegation, ())
        );
        assertForbidden(
            IAttestationRegistry.revokeAttestation.selector,
            abi.encodeCall(IAttestationRegistry.revokeAttestation, (1))
        );
        assertForbidden(
            IAttestationRegistry.delegateBySig.selector,
            abi.encodeCall(IAttestationRegistry.delegateBySig, (AUTHOR, STRANGER, 0, 0, ""))
        );
    }

    function test_execute_forbidsCallsWithoutASelector() public {
        assertForbidden(0, "");
        assertForbidden(0xf14fcb00, hex"f14fcb");
        // The permitted first call was not executed.
        vm.assertEq(execute(batch(commitCalldata("first")))[0], "");
    }

    function test_execute_reportsCalldataThatTheRegistryCannotRead() public {
        bytes[] memory outcomes = execute(
            batch(abi.encodePacked(IAttestationRegistry.commit.selector), commitCalldata("second"))
        );
        vm.assertEq(outcomes[0], abi.encodeWithSelector(IDelegateForwarder.RevertDataMissing.selector));
        vm.assertEq(outcomes[1], "");
    }

    function test_execute_copiesAtMost256BytesOfRevertData(uint16 length) public {
        forwarder = forwarderTo(address(new RevertingTarget()));
        bytes memory outcome = execute(batch(commitCalldata(bytes32(uint256(length)))))[0];
        if (length == 0) {
            vm.assertEq(outcome, abi.encodeWithSelector(IDelegateForwarder.RevertDataMissing.selector));
            return;
        }
        vm.assertEq(outcome.length, length < 256 ? length : 256);
        for (uint256 i = 0; i < outcome.length; ++i) {
            vm.assertEq(uint8(outcome[i]), 0xff);
        }
    }

    function test_execute_keepsOutcomesApart() public {
        forwarder = forwarderTo(address(new RevertingTarget()));
        bytes[] memory outcomes = execute(
            batch(
                commitCalldata(bytes32(uint256(33))),
                commitCalldata(bytes32(uint256(0))),
                commitCalldata(bytes32(uint256(1)))
            )
        );
        bytes32 all = bytes32(type(uint256).max);
        vm.assertEq(outcomes[0], bytes.concat(all, hex"ff"));
        vm.assertEq(outcomes[1], abi.encodeWithSelector(IDelegateForwarder.RevertDataMissing.selector));
        vm.assertEq(outcomes[2], hex"ff");
    }

    function test_execute_rejectsAReentrantRegistry() public {
        ReentrantTarget target = new ReentrantTarget();
        forwarder = forwarderTo(address(target));
        target.set(abi.encodeCall(IDelegateForwarder.execute, (batch(commitCalldata(0)))));
        vm.assertEq(
            execute(batch(commitCalldata(0)))[0],
            abi.encodeWithSelector(IDelegateForwarder.SenderNotOperator.selector, address(target))
        );
        target.set(abi.encodeCall(IDelegateForwarder.addOperator, (address(target))));
        vm.assertEq(
            execute(batch(commitCalldata(0)))[0],
            abi.encodeWithSelector(IDelegateForwarder.SenderNotAdmin.selector, address(target))
        );
    }
}
