// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IAttestationRegistry} from "./IAttestationRegistry.sol";

/// @title Attestation registry
/// @dev Written once and read for ever, so the layout saves on writing. Almost every content has one authority only:
/// that first one costs a single slot for both look-ups (content → indices, content and authority → index) and for
/// who and when. Only later authorities of the same content have slots of their own for each.
contract AttestationRegistry is IAttestationRegistry {
    /// @dev One slot: the first attestation of a content.
    struct First {
        address authority;
        uint48 timestamp;
        uint48 attestationId;
    }

    /// @dev What is kept by index. A field that stays zero is never written.
    struct Attestation {
        bytes32 ipfsHash;
        bytes32 qvHash;
        bytes32 parentIpfsHash;
        bytes32 childIpfsHash;
        /// @dev One slot. The first attestation of a content has `authority` and `timestamp` in `First` instead.
        address authority;
        uint48 timestamp;
        uint48 revokedAt;
    }

    /// @dev One slot.
    struct Delegation {
        address delegateAddress;
        uint48 timestamp;
    }

    /// @inheritdoc IAttestationRegistry
    uint256 public constant override REVOCATION_WINDOW = 7 days;

    /// @inheritdoc IAttestationRegistry
    uint256 public immutable override REVEAL_DELAY;

    mapping(address committer => mapping(bytes32 saltedHash => uint256 timestamp)) private _commits;
    mapping(bytes32 ipfsHash => First) private _firsts;
    mapping(bytes32 ipfsHash => uint48[] attestationIds) private _laterIds;
    mapping(bytes32 ipfsHash => mapping(address authority => uint256 attestationId)) private _laterIdOf;
    mapping(uint256 attestationId => Attestation) private _attestations;
    mapping(address authority => Delegation) private _delegations;
    uint256 private _lastAttestationId;

    /// @param revealDelay the least time between commit and reveal, in seconds: 60 in production, less for tests
    constructor(uint256 revealDelay) {
        REVEAL_DELAY = revealDelay;
    }

    /// @inheritdoc IAttestationRegistry
    function commit(bytes32 saltedHash) external override {
        if (_commits[msg.sender][saltedHash] != 0) revert CommitRepeated(msg.sender, saltedHash);
        _commits[msg.sender][saltedHash] = block.timestamp;
        emit Committed(msg.sender, saltedHash);
    }

    /// @inheritdoc IAttestationRegistry
    function reveal(
        bytes32 saltedHash,
        bytes32 salt,
        bytes32 ipfsHash,
        bytes32 qvHash,
        bytes32 parentIpfsHash,
        address authority
    ) external override {
        _consumeCommit(saltedHash, salt, ipfsHash);
        _requireActsFor(authority);
        uint256 attestationId = ++_lastAttestationId;
        _recordOrigin(attestationId, ipfsHash, authority);

        Attestation storage attestation = _attestations[attestationId];
        attestation.ipfsHash = ipfsHash;
        attestation.qvHash = qvHash;
        if (parentIpfsHash != 0) attestation.parentIpfsHash = parentIpfsHash;
        emit Attested(attestationId, ipfsHash, authority, qvHash, parentIpfsHash);
    }

    /// @inheritdoc IAttestationRegistry
    function setChildIpfsHash(uint256 attestationId, bytes32 childIpfsHash) external override {
        (address authority,) = _originOf(attestationId);
        _requireActsFor(authority);
        _attestations[attestationId].childIpfsHash = childIpfsHash;
        emit ChildSet(attestationId, childIpfsHash);
    }

    /// @inheritdoc IAttestationRegistry
    function delegate(address delegateAddress) external override {
        if (delegateAddress == address(0)) revert DelegateZero();
        _delegations[msg.sender] = Delegation(delegateAddress, uint48(block.timestamp));
        emit DelegateSet(msg.sender, delegateAddress);
    }

    /// @inheritdoc IAttestationRegistry
    function revokeDelegation() external override {
        delete _delegations[msg.sender];
        emit DelegateSet(msg.sender, address(0));
    }

    /// @inheritdoc IAttestationRegistry
    function revokeAttestation(uint256 attestationId) external override {
        (address authority, uint256 timestamp) = _originOf(attestationId);
        _requireActsFor(authority);
        Attestation storage attestation = _attestations[attestationId];
        if (attestation.revokedAt != 0) revert AttestationAlreadyRevoked(attestationId);
        uint256 closedAt = timestamp + REVOCATION_WINDOW;
        if (block.timestamp > closedAt) revert RevocationWindowClosed(closedAt);
        attestation.revokedAt = uint48(block.timestamp);
        emit AttestationRevoked(attestationId);
    }

    /// @inheritdoc IAttestationRegistry
    function attestations(uint256 attestationId)
        external
        view
        override
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
        Attestation storage attestation = _attestations[attestationId];
        (authority, timestamp) = _findOrigin(attestationId);
        return (
            attestation.ipfsHash,
            attestation.qvHash,
            attestation.parentIpfsHash,
            authority,
            timestamp,
            attestation.revokedAt,
            attestation.childIpfsHash
        );
    }

    /// @inheritdoc IAttestationRegistry
    function cidToAttestationIndices(bytes32 ipfsHash, uint256 k) external view override returns (uint256) {
        uint256 firstId = _firsts[ipfsHash].attestationId;
        uint48[] storage laterIds = _laterIds[ipfsHash];
        if (firstId == 0 || k > laterIds.length) revert AttestationIndexMissing(ipfsHash, k);
        return k == 0 ? firstId : laterIds[k - 1];
    }

    /// @inheritdoc IAttestationRegistry
    function cidAndAddressToAttestationIndices(bytes32 ipfsHash, address authority)
        external
        view
        override
        returns (uint256)
    {
        First storage first = _firsts[ipfsHash];
        return first.authority == authority ? first.attestationId : _laterIdOf[ipfsHash][authority];
    }

    /// @inheritdoc IAttestationRegistry
    function delegations(address authority)
        external
        view
        override
        returns (address delegateAddress, uint256 timestamp)
    {
        Delegation storage delegation = _delegations[authority];
        return (delegation.delegateAddress, delegation.timestamp);
    }

    /// @dev The commit is deleted, so it serves once.
    function _consumeCommit(bytes32 saltedHash, bytes32 salt, bytes32 ipfsHash) private {
        bytes32 expected = keccak256(abi.encodePacked(ipfsHash, bytes32(bytes20(msg.sender)), salt));
        if (saltedHash != expected) revert SaltedHashMismatched(saltedHash, expected);
        uint256 committedAt = _commits[msg.sender][saltedHash];
        // A missing commit reads as time 0, which every delay has passed: it must never reach the comparison.
        if (committedAt == 0) revert CommitMissing(msg.sender, saltedHash);
        uint256 revealableAt = committedAt + REVEAL_DELAY;
        if (block.timestamp < revealableAt) revert RevealTooEarly(revealableAt);
        delete _commits[msg.sender][saltedHash];
    }

    /// @dev Writes both look-ups, who and when. A revoked attestation keeps its place, so it cannot be made again.
    function _recordOrigin(uint256 attestationId, bytes32 ipfsHash, address authority) private {
        First memory first = _firsts[ipfsHash];
        if (first.attestationId == 0) {
            _firsts[ipfsHash] = First(authority, uint48(block.timestamp), uint48(attestationId));
            return;
        }
        if (first.authority == authority) revert ContentAlreadyAttested(first.attestationId);
        uint256 laterId = _laterIdOf[ipfsHash][authority];
        if (laterId != 0) revert ContentAlreadyAttested(laterId);

        _laterIdOf[ipfsHash][authority] = attestationId;
        _laterIds[ipfsHash].push(uint48(attestationId));
        Attestation storage attestation = _attestations[attestationId];
        attestation.authority = authority;
        attestation.timestamp = uint48(block.timestamp);
    }

    /// @dev The origin of an attestation that must exist.
    function _originOf(uint256 attestationId) private view returns (address authority, uint256 timestamp) {
        (authority, timestamp) = _findOrigin(attestationId);
        if (timestamp == 0) revert AttestationUnknown(attestationId);
    }

    /// @dev Both zero when no attestation has this index: its digest reads as zero, and the first attestation of the
    /// zero digest, if there is one, has another index.
    function _findOrigin(uint256 attestationId) private view returns (address authority, uint256 timestamp) {
        Attestation storage attestation = _attestations[attestationId];
        First memory first = _firsts[attestation.ipfsHash];
        if (first.attestationId == attestationId) return (first.authority, first.timestamp);
        return (attestation.authority, attestation.timestamp);
    }

    function _requireActsFor(address authority) private view {
        if (msg.sender == authority || msg.sender == _delegations[authority].delegateAddress) return;
        revert SenderUnauthorized(msg.sender, authority);
    }
}
