// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "../../src/IAttestationRegistry.sol";

/// @dev A member of a batch; if `bare`, the reveal withholds it.
struct Member {
    address authority;
    bytes32 salt;
    bytes32 ipfsHash;
    bytes32 qvHash;
    bool bare;
}

/// @dev The documented leaf, independent of the contract.
function leafOf(Member memory member, uint256 position) pure returns (bytes32) {
    return keccak256(
        abi.encodePacked("LEAF", uint64(position), member.authority, member.salt, member.ipfsHash, member.qvHash)
    );
}

/// @dev The documented hash, independent of the contract.
function batchHashOf(Member[] memory members, address sender) pure returns (bytes32) {
    bytes32[] memory leaves = new bytes32[](members.length);
    for (uint256 i = 0; i < members.length; ++i) {
        leaves[i] = leafOf(members[i], i);
    }
    return keccak256(abi.encodePacked(keccak256(abi.encodePacked(leaves)), bytes32(bytes20(sender))));
}

/// @dev The arguments of `revealBatch`, with as few runs as possible.
function argumentsOf(Member[] memory members)
    pure
    returns (uint256[] memory runs, IAttestationRegistry.Record[] memory records, bytes32[] memory bareLeaves)
{
    runs = new uint256[](members.length);
    records = new IAttestationRegistry.Record[](members.length);
    bareLeaves = new bytes32[](members.length);
    uint256[3] memory counts;
    address last;
    for (uint256 i = 0; i < members.length; ++i) {
        Member memory member = members[i];
        address authority = member.bare ? address(0) : member.authority;
        if (member.bare) bareLeaves[counts[2]++] = leafOf(member, i);
        else records[counts[1]++] = IAttestationRegistry.Record(member.salt, member.ipfsHash, member.qvHash);
        if (i == 0 || authority != last) runs[counts[0]++] = uint256(uint160(authority)) << 96;
        ++runs[counts[0] - 1];
        last = authority;
    }
    assembly ("memory-safe") {
        mstore(runs, mload(counts))
        mstore(records, mload(add(counts, 0x20)))
        mstore(bareLeaves, mload(add(counts, 0x40)))
    }
}

function batchCalldata(Member[] memory members) pure returns (bytes memory) {
    (uint256[] memory runs, IAttestationRegistry.Record[] memory records, bytes32[] memory bareLeaves) =
        argumentsOf(members);
    return abi.encodeCall(IAttestationRegistry.revealBatch, (runs, records, bareLeaves));
}
