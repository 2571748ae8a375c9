// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "../../src/IAttestationRegistry.sol";
import {IDelegateForwarder} from "../../src/IDelegateForwarder.sol";
import {deployForwarder, deployRegistry} from "../Deployments.sol";
import {vm} from "../Vm.sol";
import {BatchTest} from "./BatchTest.sol";
import {Member, batchCalldata, batchHashOf} from "./Batches.sol";

contract PagesTest is BatchTest {
    uint256 private constant MAX_MEMBERS = 383;

    function pageAt(uint256 number) private view returns (address) {
        return vm.computeCreateAddress(address(registry), number);
    }

    function attestSingles(uint256 from, uint256 count) private {
        for (uint256 i = 0; i < count; ++i) {
            attest(draftOf(AUTHOR, keccak256(abi.encode("single", from + i))));
        }
    }

    function setLastAttestationId(uint256 attestationId) private {
        vm.store(address(registry), bytes32(uint256(8)), bytes32(attestationId));
    }

    function pageMissing() private pure returns (bytes memory) {
        return abi.encodeWithSelector(IAttestationRegistry.PageMissing.selector);
    }

    /// @dev 65 bytes: STOP and a record.
    function test_constructor_writesAPage() public view {
        vm.assertEq(pageAt(1).code, new bytes(65));
        vm.assertEq(vm.getNonce(address(registry)), 2);
    }

    function test_constructor_revertsIfThePageCannotBeCreated() public {
        address next = vm.computeCreateAddress(address(this), vm.getNonce(address(this)));
        vm.etch(vm.computeCreateAddress(next, 1), hex"00");
        vm.expectRevert(pageMissing());
        deployRegistry(60);
    }

    function test_revealBatch_writesStopAndTheRecords(Member[5] memory fuzzed) public {
        Member[] memory members = new Member[](5);
        bytes memory expected = hex"00";
        for (uint256 i = 0; i < 5; ++i) {
            members[i] = fuzzed[i];
            (members[i].authority, members[i].bare) = (AUTHOR, i == 2);
            members[i].ipfsHash = keccak256(abi.encode(i, members[i].ipfsHash));
            if (i != 2) expected = bytes.concat(expected, members[i].ipfsHash, members[i].qvHash);
        }
        attestBatch(members);
        vm.assertEq(pageAt(2).code, expected);
    }

    /// @dev EIP-3541: no code may begin with 0xEF, so no digest may begin a page.
    function test_revealBatch_acceptsDigestsThatBeginWithEF(bytes31 rest) public {
        Member[] memory members = membersOf(2, 0);
        members[0].ipfsHash = bytes32(bytes.concat(hex"ef", rest));
        attestBatch(members);
        assertRevealed(members[0], 1);
    }

    /// @dev Anyone can call a page's code.
    function test_page_doesNothingWhenCalled(bytes calldata data) public {
        Member[] memory members = membersOf(1, 0);
        // The digest begins with the code CALLER, SELFDESTRUCT.
        members[0].ipfsHash = bytes32(uint256(0x33ff) << 240);
        attestBatch(members);
        (bool success, bytes memory returned) = pageAt(2).call(data);
        vm.assertTrue(success);
        vm.assertEq(returned.length, 0);
        assertRevealed(members[0], 1);
    }

    /// @dev Pages begin and end at any bit of a word, with single attestations around them.
    function test_attestations_findsEachInItsPage(uint16 seed, uint8 size, uint8 between) public {
        uint256 before = seed;
        Member[] memory first = membersOf(1 + size % 20, 0);
        Member[] memory second = membersOf(3, 100);
        setLastAttestationId(before);
        attestSingles(0, 1);
        attestBatch(first);
        uint256 firstAt = vm.getBlockTimestamp();
        attestSingles(1, between % 3);
        attestBatch(second);
        for (uint256 i = 0; i < second.length; ++i) {
            assertRevealed(second[i], before + 2 + first.length + between % 3 + i);
        }
        vm.warp(firstAt);
        for (uint256 i = 0; i < first.length; ++i) {
            assertRevealed(first[i], before + 2 + i);
        }
        vm.assertEq(viewOf(registry, before + 1).ipfsHash, keccak256(abi.encode("single", 0)));
    }

    /// @dev Pages start at several bits of a word, so that the longest page may take three words.
    function test_attestations_findsTheEndsOfTheLongestPage() public {
        for (uint256 before = 0; before < 6; ++before) {
            setLastAttestationId(uint256(2) ** 16 * before + [uint256(0), 1, 128, 129, 254, 255][before]);
            uint256 firstId = uint256(2) ** 16 * before + [uint256(0), 1, 128, 129, 254, 255][before] + 1;
            Member[] memory members = membersOf(MAX_MEMBERS, before * 1000);
            attestBatch(members);
            uint256[7] memory positions = [uint256(0), 1, 126, 127, 255, 381, 382];
            for (uint256 i = 0; i < positions.length; ++i) {
                assertRevealed(members[positions[i]], firstId + positions[i]);
            }
            assertUnknown(firstId + MAX_MEMBERS);
            uint256 next = attest(Draft(AUTHOR, AUTHOR, keccak256(abi.encode("next", before)), 0, 0, 0));
            vm.assertEq(next, firstId + MAX_MEMBERS);
            vm.assertEq(viewOf(registry, next).ipfsHash, keccak256(abi.encode("next", before)));
        }
    }

    function assertUnknown(uint256 attestationId) private {
        vm.expectRevert(attestationUnknown(attestationId));
        registry.attestations(attestationId);
    }

    /// @dev An empty slot reads as the zero digest, in storage and after the end of a page.
    function test_attestations_distinguishesTheZeroDigestFromNothing() public {
        Member[] memory members = membersOf(3, 0);
        members[1].ipfsHash = 0;
        members[1].qvHash = 0;
        attestBatch(members);
        assertRevealed(members[1], 2);
        attest(Draft(OTHER, OTHER, 0, "root", "parent", "salt"));
        assertView(4, View(0, "root", "parent", OTHER, vm.getBlockTimestamp(), 0, 0));
        attest(Draft(THIRD, THIRD, 0, 0, 0, "salt"));
        assertView(5, View(0, 0, 0, THIRD, vm.getBlockTimestamp(), 0, 0));
        vm.assertEq(registry.cidToAttestationIndices(0, 2), 5);
    }

    function test_attestations_readsNoPageAtTheAddressZero() public {
        vm.etch(address(0), abi.encodePacked(bytes1(0), keccak256("digest"), keccak256("root")));
        vm.assertEq(attest(Draft(AUTHOR, AUTHOR, 0, 0, "parent", "salt")), 1);
        assertView(1, View(0, 0, "parent", AUTHOR, vm.getBlockTimestamp(), 0, 0));
        assertView(0, View(0, 0, 0, address(0), 0, 0, 0));
    }

    function test_revealBatch_acceptsTheMaximumNumberOfMembers() public {
        Member[] memory members = membersOf(MAX_MEMBERS, 0);
        attestBatch(members);
        vm.assertEq(pageAt(2).code.length, 24_513);
        vm.assertEq(registry.batchMaxMemberCount(), MAX_MEMBERS);
    }

    function test_revealBatch_revertsAboveTheMaximum(uint256 bareFrom) public {
        Member[] memory members = membersOf(MAX_MEMBERS + 1, 0);
        for (uint256 i = bareFrom % (MAX_MEMBERS + 2); i <= MAX_MEMBERS; ++i) {
            members[i].bare = true;
        }
        commitBatch(members);
        pass(REVEAL_DELAY_SECONDS);
        vm.expectRevert(abi.encodeWithSelector(IAttestationRegistry.BatchTooLong.selector, MAX_MEMBERS + 1));
        revealBatch(members);
    }

    function test_revealBatch_revertsIfThePageCannotBeCreated() public {
        Member[] memory members = membersOf(3, 0);
        commitBatch(members);
        pass(REVEAL_DELAY_SECONDS);
        vm.etch(pageAt(2), hex"00");
        vm.expectRevert(pageMissing());
        revealBatch(members);
        vm.assertEq(indexOf(members[0]), 0);
    }

    /// @dev If the creation of the longest page runs out of gas, enough gas remains to continue without the page. The
    /// reveal must not continue. With a short page, too little gas remains to test this.
    function test_revealBatch_revertsIfThePageRunsOutOfGas() public {
        Member[] memory members = membersOf(MAX_MEMBERS, 0);
        commitBatch(members);
        pass(REVEAL_DELAY_SECONDS);
        uint256 refused = 0;
        bytes memory call = batchCalldata(members);
        for (uint256 gasLimit = 10_000_000;; gasLimit += 200_000) {
            vm.prank(PLATFORM);
            (bool success, bytes memory data) = address(registry).call{gas: gasLimit}(call);
            if (success) break;
            vm.assertEq(indexOf(members[0]), 0);
            if (keccak256(data) == keccak256(pageMissing())) ++refused;
        }
        vm.assertGe(refused, 20);
        assertRevealed(members[MAX_MEMBERS - 1], MAX_MEMBERS);
    }

    function test_execute_revertsIfThePageOfABatchRunsOutOfGas() public {
        IDelegateForwarder forwarder = deployForwarder(address(registry), address(this));
        forwarder.addOperator(address(this));
        delegateTo(AUTHOR, address(forwarder));
        Member[] memory members = membersOf(MAX_MEMBERS, 0);
        bytes[] memory calls = new bytes[](1);
        calls[0] = abi.encodeCall(IAttestationRegistry.commit, (batchHashOf(members, address(forwarder))));
        forwarder.execute(calls);
        pass(REVEAL_DELAY_SECONDS);
        calls[0] = batchCalldata(members);
        uint256 short = 0;
        for (uint256 gasLimit = 10_000_000;; gasLimit += 200_000) {
            (bool success, bytes memory data) =
                address(forwarder).call{gas: gasLimit}(abi.encodeCall(IDelegateForwarder.execute, (calls)));
            if (success) {
                vm.assertEq(abi.decode(data, (bytes[]))[0].length, 0);
                break;
            }
            vm.assertEq(data, abi.encodeWithSelector(IDelegateForwarder.GasShort.selector, 0));
            vm.assertEq(indexOf(members[0]), 0);
            ++short;
        }
        vm.assertGe(short, 20);
        assertRevealed(members[0], 1);
    }
}
