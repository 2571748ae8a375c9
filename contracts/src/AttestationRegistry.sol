// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {DelegationSignatures} from "./DelegationSignatures.sol";
import {IAttestationRegistry} from "./IAttestationRegistry.sol";
import {BATCH_MAX_MEMBER_COUNT, authorityOfRun, countOfRun, leavesOf, saltedHashOfBatch} from "./Leaves.sol";
import {Origin, packOrigin} from "./Origin.sol";
import {Pages} from "./Pages.sol";
import {saltedHashOf} from "./SaltedHash.sol";

/// @title Attestation registry
/// @dev The layout minimizes the cost of writing. Almost every content has only one authority, so the first attestation
/// needs a single slot for both look-ups (content → indices, content and authority → index), authority and time. Only
/// later authorities of the same content have their own slots. Digest and quote root are stored by index: those of a
/// single attestation in storage, those of a batch in a page.
contract AttestationRegistry is IAttestationRegistry, DelegationSignatures, Pages {
    /// @dev A struct, so that a storage reference to it saves a second look-up.
    struct Commit {
        uint256 timestamp;
    }

    struct FirstSlot {
        Origin origin;
    }

    /// @dev Data by index. A zero parent is never written. A batch's members have zero in the first two.
    struct Attestation {
        bytes32 ipfsHash;
        bytes32 qvHash;
        bytes32 parentIpfsHash;
        bytes32 childIpfsHash;
        /// @dev One slot. The first attestation of a content has `authority` and `timestamp` in its `Origin` instead.
        address authority;
        uint48 timestamp;
        uint48 revokedAt;
    }

    /// @dev One slot.
    struct Delegation {
        address delegateAddress;
        uint48 timestamp;
        uint48 nonce;
    }

    uint256 private constant REVOCATION_PERIOD_SECONDS = 7 days;
    uint256 private immutable REVEAL_DELAY_SECONDS;

    mapping(address committer => mapping(bytes32 saltedHash => Commit)) private _commits;
    mapping(bytes32 ipfsHash => FirstSlot) private _firsts;
    /// @dev Entry 0 counts the other entries, in one slot with the first few. Entry k is the index of the
    /// content's attestation number k, from 0; `_firsts` has that of number 0.
    mapping(bytes32 ipfsHash => uint48[2 ** 48]) private _laterIds;
    mapping(bytes32 ipfsHash => mapping(address authority => uint256 attestationId)) private _laterIdOf;
    mapping(uint256 attestationId => Attestation) private _attestations;
    mapping(address authority => Delegation) private _delegations;
    uint256 private _lastAttestationId;

    /// @dev Repeats `_mayActFor`, whose call would cost every reveal 27 gas.
    modifier onlyFor(address authority) {
        if (msg.sender != authority && msg.sender != _delegations[authority].delegateAddress) {
            revert SenderUnauthorized(msg.sender, authority);
        }
        _;
    }

    /// @param revealDelaySeconds_ the minimum time between commit and reveal, in seconds: 60 in production, less for tests
    constructor(uint48 revealDelaySeconds_) {
        REVEAL_DELAY_SECONDS = revealDelaySeconds_;
    }

    /// @inheritdoc IAttestationRegistry
    function commit(bytes32 saltedHash) external {
        Commit storage entry = _commits[msg.sender][saltedHash];
        if (entry.timestamp != 0) revert CommitRepeated(msg.sender, saltedHash);
        entry.timestamp = block.timestamp;
        emit Committed(saltedHash);
    }

    /// @inheritdoc IAttestationRegistry
    function reveal(
        bytes32 saltedHash,
        bytes32 salt,
        bytes32 ipfsHash,
        bytes32 qvHash,
        bytes32 parentIpfsHash,
        address authority
    ) external onlyFor(authority) {
        bytes32 expected = saltedHashOf(ipfsHash, msg.sender, salt);
        if (saltedHash != expected) revert SaltedHashMismatched(saltedHash, expected);
        Commit storage entry = _revealableCommit(saltedHash);
        // A commit can be revealed once.
        entry.timestamp = 0;
        uint256 attestationId = _nextAttestationId();
        FirstSlot storage first = _firsts[ipfsHash];
        Origin origin = first.origin;
        if (!origin.exists()) {
            first.origin = packOrigin(authority, block.timestamp, attestationId);
        } else {
            uint256 existingId = _registerLater(origin, attestationId, ipfsHash, authority);
            if (existingId != 0) revert ContentAlreadyAttested(existingId);
        }
        Attestation storage attestation = _attestations[attestationId];
        attestation.ipfsHash = ipfsHash;
        attestation.qvHash = qvHash;
        if (parentIpfsHash != 0) attestation.parentIpfsHash = parentIpfsHash;
        emit Attested(authority, ipfsHash);
    }

    /// @inheritdoc IAttestationRegistry
    function revealBatch(uint256[] calldata runs, Record[] calldata records, bytes32[] calldata bareLeaves) external {
        _revealableCommit(saltedHashOfBatch(leavesOf(runs, records, bareLeaves), msg.sender));
        Page memory page = _openPage(_lastAttestationId + 1, records.length);
        uint256 position = 0;
        for (uint256 r = 0; r < runs.length; ++r) {
            (address authority, uint256 count) = (authorityOfRun(runs[r]), countOfRun(runs[r]));
            if (authority != address(0)) {
                _revealRun(page, position, authority, records[:count]);
                records = records[count:];
            }
            position += count;
        }
        if (page.nextId == page.firstId) return;
        _lastAttestationId = page.nextId - 1;
        _closePage(page);
    }

    /// @inheritdoc IAttestationRegistry
    function setChildIpfsHash(uint256 attestationId, bytes32 childIpfsHash)
        external
        onlyFor(_authorityOf(attestationId))
    {
        _setChild(attestationId, childIpfsHash);
    }

    /// @inheritdoc IAttestationRegistry
    function setChildIpfsHashes(uint256[] calldata attestationIds, bytes32[] calldata childIpfsHashes) external {
        if (attestationIds.length != childIpfsHashes.length) revert ChildrenMismatched();
        for (uint256 position = 0; position < attestationIds.length; ++position) {
            uint256 attestationId = attestationIds[position];
            (address authority, uint256 timestamp) = _findOrigin(attestationId);
            if (timestamp == 0) {
                emit MemberSkipped(position, abi.encodeWithSelector(AttestationUnknown.selector, attestationId));
            } else if (!_mayActFor(authority)) {
                emit MemberSkipped(position, _unauthorized(authority));
            } else {
                _setChild(attestationId, childIpfsHashes[position]);
            }
        }
    }

    /// @inheritdoc IAttestationRegistry
    function delegate(address delegateAddress) external {
        if (delegateAddress == address(0)) revert DelegateZero();
        _setDelegate(msg.sender, delegateAddress);
    }

    /// @inheritdoc IAttestationRegistry
    function revokeDelegation() external {
        _setDelegate(msg.sender, address(0));
    }

    /// @inheritdoc IAttestationRegistry
    function delegateBySig(
        address authority,
        address delegateAddress,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) external {
        if (block.timestamp > deadline) revert SignatureExpired(deadline);
        if (nonce != nonceOf(authority)) revert NonceMismatched(authority, nonceOf(authority));
        if (!_isSigned(authority, delegateAddress, nonce, deadline, signature)) revert SignatureInvalid(authority);
        _setDelegate(authority, delegateAddress);
    }

    /// @inheritdoc IAttestationRegistry
    function revokeAttestation(uint256 attestationId) external onlyFor(_authorityOf(attestationId)) {
        (, uint256 timestamp) = _findOrigin(attestationId);
        Attestation storage attestation = _attestations[attestationId];
        if (attestation.revokedAt != 0) revert AttestationAlreadyRevoked(attestationId);
        uint256 closedAt = timestamp + REVOCATION_PERIOD_SECONDS;
        if (block.timestamp > closedAt) revert RevocationPeriodOver(closedAt);
        attestation.revokedAt = uint48(block.timestamp);
        emit AttestationRevoked(attestationId);
    }

    /// @inheritdoc IAttestationRegistry
    function attestations(uint256 attestationId)
        external
        view
        returns (
            bytes32 ipfsHash,
            bytes32 qvHash,
            bytes32 parentIpfsHash,
            address authority,
            uint256 timestamp,
            uint256 revokedAt,
            bytes32 childIpfsHash
        )
    {
        if (attestationId > _lastAttestationId) revert AttestationUnknown(attestationId);
        Attestation storage attestation = _attestations[attestationId];
        (authority, timestamp) = _findOrigin(attestationId);
        (ipfsHash, qvHash) = (attestation.ipfsHash, attestation.qvHash);
        // An attestation outside a batch may have two zero hashes. It is on no page, so they stay zero.
        if (ipfsHash == 0 && qvHash == 0) (ipfsHash, qvHash) = _readPage(attestationId);
        return (
            ipfsHash,
            qvHash,
            attestation.parentIpfsHash,
            authority,
            timestamp,
            attestation.revokedAt,
            attestation.childIpfsHash
        );
    }

    /// @inheritdoc IAttestationRegistry
    function cidToAttestationIndices(bytes32 ipfsHash, uint256 k) external view returns (uint256) {
        Origin first = _firsts[ipfsHash].origin;
        uint48[2 ** 48] storage laterIds = _laterIds[ipfsHash];
        if (!first.exists() || k > laterIds[0]) revert AttestationIndexMissing(ipfsHash, k);
        return k == 0 ? first.attestationIdOf() : laterIds[k];
    }

    /// @inheritdoc IAttestationRegistry
    function cidAndAddressToAttestationIndices(bytes32 ipfsHash, address authority) external view returns (uint256) {
        Origin first = _firsts[ipfsHash].origin;
        return first.authorityOf() == authority ? first.attestationIdOf() : _laterIdOf[ipfsHash][authority];
    }

    /// @inheritdoc IAttestationRegistry
    function delegations(address authority) external view returns (address delegateAddress, uint256 timestamp) {
        Delegation storage delegation = _delegations[authority];
        return (delegation.delegateAddress, delegation.timestamp);
    }

    /// @inheritdoc IAttestationRegistry
    function revealDelaySeconds() external view returns (uint256) {
        return REVEAL_DELAY_SECONDS;
    }

    /// @inheritdoc IAttestationRegistry
    function batchMaxMemberCount() external pure returns (uint256) {
        return BATCH_MAX_MEMBER_COUNT;
    }

    /// @inheritdoc IAttestationRegistry
    function revocationPeriodSeconds() external pure returns (uint256) {
        return REVOCATION_PERIOD_SECONDS;
    }

    /// @inheritdoc IAttestationRegistry
    function nonceOf(address authority) public view returns (uint256) {
        return _delegations[authority].nonce;
    }

    /// @dev Requires a commit of the sender that is old enough.
    function _revealableCommit(bytes32 saltedHash) private view returns (Commit storage entry) {
        entry = _commits[msg.sender][saltedHash];
        uint256 committedAt = entry.timestamp;
        // A missing commit reads as time 0, for which the comparison would always pass.
        if (committedAt == 0) revert CommitMissing(msg.sender, saltedHash);
        unchecked {
            uint256 revealableAt = committedAt + REVEAL_DELAY_SECONDS;
            if (block.timestamp < revealableAt) revert RevealTooEarly(revealableAt);
        }
    }

    /// @dev Reveals members of one authority, starting at this position of the batch.
    function _revealRun(Page memory page, uint256 position, address authority, Record[] calldata records) private {
        bool mayAct = _mayActFor(authority);
        for (uint256 i = 0; i < records.length; ++i) {
            if (!mayAct) {
                emit MemberSkipped(position + i, _unauthorized(authority));
                continue;
            }
            uint256 existingId = _revealMember(page, authority, records[i]);
            if (existingId != 0) {
                emit MemberSkipped(position + i, abi.encodeWithSelector(ContentAlreadyAttested.selector, existingId));
            }
        }
    }

    /// @return existingId the result of `_registerLater`
    function _revealMember(Page memory page, address authority, Record calldata record)
        private
        returns (uint256 existingId)
    {
        bytes32 ipfsHash = record.ipfsHash;
        FirstSlot storage first = _firsts[ipfsHash];
        Origin origin = first.origin;
        if (!origin.exists()) {
            first.origin = packOrigin(authority, block.timestamp, page.nextId);
        } else {
            existingId = _registerLater(origin, page.nextId, ipfsHash, authority);
            if (existingId != 0) return existingId;
        }
        _append(page, ipfsHash, record.qvHash);
        emit Attested(authority, ipfsHash);
    }

    /// @dev Indices start at 1. Reaching 2^48 would take three days at one per nanosecond.
    function _nextAttestationId() private returns (uint256) {
        unchecked {
            return ++_lastAttestationId;
        }
    }

    /// @dev Writes both look-ups, authority and time, unless the authority has attested the content, revoked or not.
    /// @return existingId the index of the authority's existing attestation, or zero
    function _registerLater(Origin first, uint256 attestationId, bytes32 ipfsHash, address authority)
        private
        returns (uint256 existingId)
    {
        if (first.authorityOf() == authority) return first.attestationIdOf();
        existingId = _laterIdOf[ipfsHash][authority];
        if (existingId != 0) return existingId;

        _laterIdOf[ipfsHash][authority] = attestationId;
        uint48[2 ** 48] storage laterIds = _laterIds[ipfsHash];
        laterIds[++laterIds[0]] = uint48(attestationId);
        Attestation storage attestation = _attestations[attestationId];
        attestation.authority = authority;
        attestation.timestamp = uint48(block.timestamp);
    }

    function _setChild(uint256 attestationId, bytes32 childIpfsHash) private {
        _attestations[attestationId].childIpfsHash = childIpfsHash;
        emit ChildSet(attestationId, childIpfsHash);
    }

    /// @dev Every change increments the nonce, which invalidates earlier signatures.
    function _setDelegate(address authority, address delegateAddress) private {
        uint48 timestamp = delegateAddress == address(0) ? 0 : uint48(block.timestamp);
        _delegations[authority] = Delegation(delegateAddress, timestamp, _delegations[authority].nonce + 1);
        emit DelegateSet(authority, delegateAddress);
    }

    function _mayActFor(address authority) private view returns (bool) {
        return msg.sender == authority || msg.sender == _delegations[authority].delegateAddress;
    }

    function _unauthorized(address authority) private view returns (bytes memory) {
        return abi.encodeWithSelector(SenderUnauthorized.selector, msg.sender, authority);
    }

    /// @dev Requires that the attestation exists.
    function _authorityOf(uint256 attestationId) private view returns (address authority) {
        uint256 timestamp;
        (authority, timestamp) = _findOrigin(attestationId);
        if (timestamp == 0) revert AttestationUnknown(attestationId);
    }

    /// @dev Returns zeros if no attestation has this index: its digest reads as zero, and the first attestation of the
    /// zero digest, if any, has another index.
    function _findOrigin(uint256 attestationId) private view returns (address authority, uint256 timestamp) {
        Attestation storage attestation = _attestations[attestationId];
        bytes32 ipfsHash = attestation.ipfsHash;
        if (ipfsHash == 0) (ipfsHash,) = _readPage(attestationId);
        Origin first = _firsts[ipfsHash].origin;
        if (first.attestationIdOf() == attestationId) return (first.authorityOf(), first.timestampOf());
        return (attestation.authority, attestation.timestamp);
    }
}
