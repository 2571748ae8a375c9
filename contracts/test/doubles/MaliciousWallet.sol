// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "../../src/IAttestationRegistry.sol";

/// @dev A contract wallet (EIP-1271) whose answers could be mistaken for an approval.
contract MaliciousWallet {
    enum Answer {
        Reverts,
        ReturnsNothing,
        ReturnsTrue,
        ReturnsShort,
        ReturnsSelectorAndMore,
        ReturnsMegabyte,
        BurnsAllGas,
        Reenters
    }

    Answer private _answer;

    function set(Answer answer) external {
        _answer = answer;
    }

    fallback() external {
        Answer answer = _answer;
        if (answer == Answer.ReturnsNothing) return;
        if (answer == Answer.ReturnsTrue) _give(1, 32);
        if (answer == Answer.ReturnsShort) _give(_selectorWord(), 31);
        if (answer == Answer.ReturnsSelectorAndMore) _give(_selectorWord() | 1, 32);
        if (answer == Answer.ReturnsMegabyte) _give(0, 2 ** 20);
        if (answer == Answer.BurnsAllGas) _burn();
        if (answer == Answer.Reenters) {
            IAttestationRegistry(msg.sender).delegate(address(this));
            _give(_selectorWord(), 32);
        }
        revert("no");
    }

    function _selectorWord() private pure returns (uint256) {
        return uint256(uint32(0x1626ba7e)) << 224;
    }

    function _give(uint256 word, uint256 length) private pure {
        assembly ("memory-safe") {
            mstore(0, word)
            return(0, length)
        }
    }

    function _burn() private pure {
        assembly ("memory-safe") {
            invalid()
        }
    }
}
