// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IAttestationRegistry} from "./IAttestationRegistry.sol";

/// @title Stores digests and quote roots of batches as the code of contracts that do nothing
/// @dev A byte of code costs 200 gas and a byte of storage 690. A page is a STOP byte and the records of consecutive
/// indices: digest and quote root. With the STOP, no record is executed and no page begins with 0xEF (EIP-3541).
abstract contract Pages {
    /// @dev A page that is being filled.
    struct Page {
        uint256 firstId;
        uint256 nextId;
        /// @dev Long enough for all records.
        bytes content;
    }

    uint256 private constant RECORD_BYTES = 64;
    /// @dev `PUSH2 0, DUP1, PUSH1 10, RETURNDATASIZE, CODECOPY, RETURNDATASIZE, RETURN`: returns the bytes after it,
    /// with the length that is filled in. The last byte is the page's STOP.
    uint256 private constant INIT_CODE = 0x610000_80_600a_3d_39_3d_f3_00;
    uint256 private constant INIT_CODE_BYTES = 11;
    uint256 private constant INIT_CODE_LENGTH_SHIFT = 64;

    /// @dev By index / 256: a bit for each index at which a page starts.
    mapping(uint256 word => uint256 bits) private _pageStarts;
    mapping(uint256 firstId => address page) private _pages;

    /// @dev Creates a page, so that the registry cannot exist where pages cannot be created.
    constructor() {
        _create(new bytes(RECORD_BYTES), 1);
    }

    /// @dev Starts a page at index `firstId`, for at most `maxRecordCount` records.
    function _openPage(uint256 firstId, uint256 maxRecordCount) internal pure returns (Page memory) {
        return Page(firstId, firstId, new bytes(maxRecordCount * RECORD_BYTES));
    }

    function _append(Page memory page, bytes32 ipfsHash, bytes32 qvHash) internal pure {
        bytes memory content = page.content;
        uint256 offset;
        unchecked {
            offset = (page.nextId++ - page.firstId) * RECORD_BYTES;
        }
        assembly ("memory-safe") {
            let record := add(add(content, 0x20), offset)
            mstore(record, ipfsHash)
            mstore(add(record, 0x20), qvHash)
        }
    }

    function _closePage(Page memory page) internal {
        uint256 firstId = page.firstId;
        _pages[firstId] = _create(page.content, page.nextId - firstId);
        _pageStarts[firstId >> 8] |= 1 << (firstId & 0xff);
    }

    /// @dev Returns zeros if no page has this index, because code reads as zeros after its end.
    function _readPage(uint256 attestationId) internal view returns (bytes32 ipfsHash, bytes32 qvHash) {
        uint256 firstId = _startUpTo(attestationId);
        address page = _pages[firstId];
        // Returns zeros even if the address zero has code.
        if (page == address(0)) return (0, 0);
        uint256 offset = 1 + (attestationId - firstId) * RECORD_BYTES;
        assembly ("memory-safe") {
            extcodecopy(page, 0, offset, RECORD_BYTES)
            ipfsHash := mload(0)
            qvHash := mload(0x20)
        }
    }

    /// @dev Returns the last index up to this one at which a page starts. A page has at most 383 records, so its bit is in
    /// the index's word or one of the two below. Otherwise no page has the index, and any result reads as zeros.
    function _startUpTo(uint256 attestationId) private view returns (uint256) {
        uint256 word = attestationId >> 8;
        uint256 bits = _pageStarts[word] & (type(uint256).max >> (0xff - (attestationId & 0xff)));
        for (uint256 i = 0; i < 2 && bits == 0 && word > 0; ++i) {
            bits = _pageStarts[--word];
        }
        return word << 8 | Math.log2(bits);
    }

    /// @dev The init code overwrites the length word of `content`, directly before the records.
    function _create(bytes memory content, uint256 recordCount) private returns (address page) {
        uint256 size = recordCount * RECORD_BYTES;
        uint256 initCode = INIT_CODE | (size + 1) << INIT_CODE_LENGTH_SHIFT;
        assembly ("memory-safe") {
            mstore(content, initCode)
            page := create(0, add(content, sub(0x20, INIT_CODE_BYTES)), add(size, INIT_CODE_BYTES))
        }
        // If the creation runs out of gas, the remaining gas may be enough to continue without the page.
        if (page == address(0)) revert IAttestationRegistry.PageMissing();
    }
}
