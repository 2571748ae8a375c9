// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AttestationRegistry} from "../src/AttestationRegistry.sol";
import {IAttestationRegistry} from "../src/IAttestationRegistry.sol";
import {Member, batchCalldata, batchHashOf} from "../test/batch/Batches.sol";
import {vm} from "../test/Vm.sol";

/// @dev A batch of one member, or of two with the same authority or content, equals single reveals in another registry.
contract BatchProof {
    address private constant SENDER = address(0xB01);
    AttestationRegistry private batched;
    AttestationRegistry private single;

    function setUp() public {
        vm.warp(1_800_000_000);
        batched = new AttestationRegistry(60);
        single = new AttestationRegistry(60);
    }

    function send(IAttestationRegistry registry, address sender, bytes memory data) private returns (bool success) {
        vm.prank(sender);
        (success,) = address(registry).call(data);
    }

    function delegateAtBoth(address authority) private {
        bytes memory call = abi.encodeCall(IAttestationRegistry.delegate, (SENDER));
        assert(send(batched, authority, call) && send(single, authority, call));
    }

    function commitSingly(Member memory member, uint256 salt) private {
        bytes32 hash = keccak256(abi.encodePacked(member.ipfsHash, bytes32(bytes20(SENDER)), salt));
        assert(send(single, SENDER, abi.encodeCall(IAttestationRegistry.commit, (hash))));
    }

    function revealSingly(Member memory member, uint256 salt) private {
        if (member.bare) return;
        bytes32 hash = keccak256(abi.encodePacked(member.ipfsHash, bytes32(bytes20(SENDER)), salt));
        send(
            single,
            SENDER,
            abi.encodeCall(
                IAttestationRegistry.reveal,
                (hash, bytes32(salt), member.ipfsHash, member.qvHash, 0, member.authority)
            )
        );
    }

    function assertSame(bytes memory call) private view {
        (bool success, bytes memory data) = address(batched).staticcall(call);
        (bool expected, bytes memory expectedData) = address(single).staticcall(call);
        assert(success == expected && data.length == expectedData.length);
        for (uint256 offset = 0x20; offset <= data.length; offset += 0x20) {
            bytes32 word;
            bytes32 expectedWord;
            assembly ("memory-safe") {
                word := mload(add(data, offset))
                expectedWord := mload(add(expectedData, offset))
            }
            assert(word == expectedWord);
        }
    }

    function proveSame(Member[] memory members, bool mayAct) private {
        for (uint256 i = 0; i < members.length; ++i) {
            vm.assume(members[i].authority != address(0));
            if (mayAct && (i == 0 || members[i].authority != members[0].authority)) {
                delegateAtBoth(members[i].authority);
            }
            commitSingly(members[i], i);
        }
        assert(send(batched, SENDER, abi.encodeCall(IAttestationRegistry.commit, (batchHashOf(members, SENDER)))));
        vm.warp(1_800_000_060);
        assert(send(batched, SENDER, batchCalldata(members)));
        for (uint256 i = 0; i < members.length; ++i) {
            revealSingly(members[i], i);
        }
        for (uint256 id = 0; id <= members.length + 1; ++id) {
            assertSame(abi.encodeCall(IAttestationRegistry.attestations, (id)));
        }
        for (uint256 i = 0; i < members.length; ++i) {
            (address authority, bytes32 digest) = (members[i].authority, members[i].ipfsHash);
            assertSame(abi.encodeCall(IAttestationRegistry.cidAndAddressToAttestationIndices, (digest, authority)));
            assertSame(abi.encodeCall(IAttestationRegistry.cidToAttestationIndices, (digest, i)));
        }
    }

    function check_revealBatch_ofOneIsASingleReveal(
        address authority,
        bytes32 salt,
        bytes32 ipfsHash,
        bytes32 qvHash,
        bool mayAct
    ) public {
        Member[] memory members = new Member[](1);
        members[0] = Member(authority, salt, ipfsHash, qvHash, false);
        proveSame(members, mayAct);
    }

    /// @dev Two contents, which may be equal.
    function check_revealBatch_ofTwoOfAnAuthorityIsTwoSingleReveals(
        address authority,
        bytes32[2] memory ipfsHashes,
        bytes32[2] memory qvHashes
    ) public {
        Member[] memory members = new Member[](2);
        members[0] = Member(authority, "salt", ipfsHashes[0], qvHashes[0], false);
        members[1] = Member(authority, "other salt", ipfsHashes[1], qvHashes[1], false);
        proveSame(members, true);
    }

    /// @dev Two authorities, which may be equal.
    function check_revealBatch_ofTwoOfAContentIsTwoSingleReveals(
        address[2] memory authorities,
        bytes32 ipfsHash,
        bytes32[2] memory qvHashes
    ) public {
        Member[] memory members = new Member[](2);
        members[0] = Member(authorities[0], "salt", ipfsHash, qvHashes[0], false);
        members[1] = Member(authorities[1], "other salt", ipfsHash, qvHashes[1], false);
        proveSame(members, true);
    }

    /// @dev A withheld member is not attested, and can be revealed later.
    function check_revealBatch_attestsNothingThatIsWithheld(
        address authority,
        bytes32[2] memory ipfsHashes,
        bytes32[2] memory qvHashes
    ) public {
        vm.assume(ipfsHashes[0] != ipfsHashes[1]);
        Member[] memory members = new Member[](2);
        members[0] = Member(authority, "salt", ipfsHashes[0], qvHashes[0], true);
        members[1] = Member(authority, "other salt", ipfsHashes[1], qvHashes[1], false);
        vm.assume(authority != address(0));
        delegateAtBoth(authority);
        assert(send(batched, SENDER, abi.encodeCall(IAttestationRegistry.commit, (batchHashOf(members, SENDER)))));
        vm.warp(1_800_000_060);
        assert(send(batched, SENDER, batchCalldata(members)));
        assert(batched.cidAndAddressToAttestationIndices(ipfsHashes[0], authority) == 0);
        assert(batched.cidAndAddressToAttestationIndices(ipfsHashes[1], authority) == 1);
        members[0].bare = false;
        assert(send(batched, SENDER, batchCalldata(members)));
        assert(batched.cidAndAddressToAttestationIndices(ipfsHashes[0], authority) == 2);
        (bytes32 ipfsHash, bytes32 qvHash,,,,,) = batched.attestations(2);
        assert(ipfsHash == ipfsHashes[0] && qvHash == qvHashes[0]);
    }
}
