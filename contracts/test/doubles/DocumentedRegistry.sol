// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "../../src/IAttestationRegistry.sol";

/// @dev A reference registry that stores the documented fields without packing. `AttestationRegistry` must return the
/// same results and events. `delegateBySig` does not check signatures.
contract DocumentedRegistry is IAttestationRegistry {
    struct Attestation {
        bytes32 ipfsHash;
        bytes32 qvHash;
        bytes32 parentIpfsHash;
        address authority;
        uint256 timestamp;
        uint256 revokedAt;
        bytes32 childIpfsHash;
    }

    struct Delegation {
        address delegateAddress;
        uint256 timestamp;
    }

    uint256 public immutable revealDelaySeconds;
    uint256 public constant revocationPeriodSeconds = 7 days;
    uint256 public constant batchMaxMemberCount = 383;

    mapping(address => mapping(bytes32 => bool)) private _committed;
    mapping(address => mapping(bytes32 => uint256)) private _committedAt;
    Attestation[] private _attestations;
    mapping(bytes32 => uint256[]) private _indices;
    mapping(bytes32 => mapping(address => uint256)) public cidAndAddressToAttestationIndices;
    mapping(address => Delegation) public delegations;
    mapping(address => uint256) public nonceOf;

    constructor(uint256 revealDelaySeconds_) {
        revealDelaySeconds = revealDelaySeconds_;
        _attestations.push();
    }

    function commit(bytes32 saltedHash) external {
        if (_committed[msg.sender][saltedHash]) revert CommitRepeated(msg.sender, saltedHash);
        _committed[msg.sender][saltedHash] = true;
        _committedAt[msg.sender][saltedHash] = block.timestamp;
        emit Committed(saltedHash);
    }

    function reveal(
        bytes32 saltedHash,
        bytes32 salt,
        bytes32 ipfsHash,
        bytes32 qvHash,
        bytes32 parentIpfsHash,
        address authority
    ) external {
        _requireActsFor(authority);
        bytes32 expected = keccak256(bytes.concat(ipfsHash, bytes32(bytes20(msg.sender)), salt));
        if (saltedHash != expected) revert SaltedHashMismatched(saltedHash, expected);
        _requireRevealable(saltedHash);
        uint256 existing = cidAndAddressToAttestationIndices[ipfsHash][authority];
        if (existing != 0) revert ContentAlreadyAttested(existing);

        delete _committed[msg.sender][saltedHash];
        _add(ipfsHash, qvHash, parentIpfsHash, authority);
    }

    function revealBatch(uint256[] calldata runs, Record[] calldata records, bytes32[] calldata bareLeaves) external {
        if (records.length + bareLeaves.length > batchMaxMemberCount) {
            revert BatchTooLong(records.length + bareLeaves.length);
        }
        address[] memory authorities = _authoritiesOf(runs, records.length, bareLeaves.length);
        bytes memory leaves;
        uint256 bare = 0;
        for (uint256 i = 0; i < authorities.length; ++i) {
            if (authorities[i] == address(0)) leaves = bytes.concat(leaves, bareLeaves[bare++]);
            else leaves = bytes.concat(leaves, _leafOf(i, authorities[i], records[i - bare]));
        }
        _requireRevealable(keccak256(bytes.concat(keccak256(leaves), bytes32(bytes20(msg.sender)))));

        bare = 0;
        for (uint256 i = 0; i < authorities.length; ++i) {
            if (authorities[i] == address(0)) ++bare;
            else _tryAdd(i, authorities[i], records[i - bare]);
        }
    }

    function setChildIpfsHash(uint256 attestationId, bytes32 childIpfsHash) public {
        Attestation storage attestation = _own(attestationId);
        attestation.childIpfsHash = childIpfsHash;
        emit ChildSet(attestationId, childIpfsHash);
    }

    /// @dev Calls `setChildIpfsHash` for each member, and reports the revert data.
    function setChildIpfsHashes(uint256[] calldata attestationIds, bytes32[] calldata childIpfsHashes) external {
        if (attestationIds.length != childIpfsHashes.length) revert ChildrenMismatched();
        for (uint256 i = 0; i < attestationIds.length; ++i) {
            bytes memory call = abi.encodeCall(this.setChildIpfsHash, (attestationIds[i], childIpfsHashes[i]));
            (bool success, bytes memory revertData) = address(this).delegatecall(call);
            if (!success) emit MemberSkipped(i, revertData);
        }
    }

    function delegate(address delegateAddress) external {
        if (delegateAddress == address(0)) revert DelegateZero();
        _setDelegate(msg.sender, delegateAddress, block.timestamp);
    }

    function revokeDelegation() external {
        _setDelegate(msg.sender, address(0), 0);
    }

    function delegateBySig(
        address authority,
        address delegateAddress,
        uint256 nonce,
        uint256 deadline,
        bytes calldata
    ) external {
        if (block.timestamp > deadline) revert SignatureExpired(deadline);
        if (nonce != nonceOf[authority]) revert NonceMismatched(authority, nonceOf[authority]);
        _setDelegate(authority, delegateAddress, delegateAddress == address(0) ? 0 : block.timestamp);
    }

    function revokeAttestation(uint256 attestationId) external {
        Attestation storage attestation = _own(attestationId);
        if (attestation.revokedAt != 0) revert AttestationAlreadyRevoked(attestationId);
        uint256 closedAt = attestation.timestamp + revocationPeriodSeconds;
        if (block.timestamp > closedAt) revert RevocationPeriodOver(closedAt);
        attestation.revokedAt = block.timestamp;
        emit AttestationRevoked(attestationId);
    }

    function attestations(uint256 attestationId)
        external
        view
        returns (bytes32, bytes32, bytes32, address, uint256, uint256, bytes32)
    {
        if (attestationId >= _attestations.length) revert AttestationUnknown(attestationId);
        Attestation storage a = _attestations[attestationId];
        return (a.ipfsHash, a.qvHash, a.parentIpfsHash, a.authority, a.timestamp, a.revokedAt, a.childIpfsHash);
    }

    function cidToAttestationIndices(bytes32 ipfsHash, uint256 k) external view returns (uint256) {
        if (k >= _indices[ipfsHash].length) revert AttestationIndexMissing(ipfsHash, k);
        return _indices[ipfsHash][k];
    }

    function _requireRevealable(bytes32 saltedHash) private view {
        if (!_committed[msg.sender][saltedHash]) revert CommitMissing(msg.sender, saltedHash);
        uint256 revealableAt = _committedAt[msg.sender][saltedHash] + revealDelaySeconds;
        if (block.timestamp < revealableAt) revert RevealTooEarly(revealableAt);
    }

    /// @dev Returns the authorities by position; zero for a bare leaf.
    function _authoritiesOf(uint256[] calldata runs, uint256 recordCount, uint256 bareCount)
        private
        pure
        returns (address[] memory authorities)
    {
        uint256[2] memory counts;
        for (uint256 r = 0; r < runs.length; ++r) {
            counts[runs[r] >> 96 == 0 ? 1 : 0] += uint96(runs[r]);
        }
        if (counts[0] != recordCount || counts[1] != bareCount) revert RunsMismatched();
        authorities = new address[](recordCount + bareCount);
        uint256 position = 0;
        for (uint256 r = 0; r < runs.length; ++r) {
            for (uint256 i = 0; i < uint96(runs[r]); ++i) {
                authorities[position++] = address(uint160(runs[r] >> 96));
            }
        }
    }

    function _leafOf(uint256 position, address authority, Record calldata record) private pure returns (bytes32) {
        return keccak256(
            abi.encodePacked("LEAF", uint64(position), authority, record.salt, record.ipfsHash, record.qvHash)
        );
    }

    function _tryAdd(uint256 position, address authority, Record calldata record) private {
        uint256 existing = cidAndAddressToAttestationIndices[record.ipfsHash][authority];
        if (msg.sender != authority && msg.sender != delegations[authority].delegateAddress) {
            emit MemberSkipped(
                position, abi.encodeWithSelector(SenderUnauthorized.selector, msg.sender, authority)
            );
        } else if (existing != 0) {
            emit MemberSkipped(position, abi.encodeWithSelector(ContentAlreadyAttested.selector, existing));
        } else {
            _add(record.ipfsHash, record.qvHash, 0, authority);
        }
    }

    function _add(bytes32 ipfsHash, bytes32 qvHash, bytes32 parentIpfsHash, address authority) private {
        _indices[ipfsHash].push(_attestations.length);
        cidAndAddressToAttestationIndices[ipfsHash][authority] = _attestations.length;
        _attestations.push(Attestation(ipfsHash, qvHash, parentIpfsHash, authority, block.timestamp, 0, 0));
        emit Attested(authority, ipfsHash);
    }

    function _own(uint256 attestationId) private view returns (Attestation storage attestation) {
        if (attestationId == 0 || attestationId >= _attestations.length) revert AttestationUnknown(attestationId);
        attestation = _attestations[attestationId];
        _requireActsFor(attestation.authority);
    }

    function _requireActsFor(address authority) private view {
        if (msg.sender == authority || msg.sender == delegations[authority].delegateAddress) return;
        revert SenderUnauthorized(msg.sender, authority);
    }

    function _setDelegate(address authority, address delegateAddress, uint256 timestamp) private {
        delegations[authority] = Delegation(delegateAddress, timestamp);
        ++nonceOf[authority];
        emit DelegateSet(authority, delegateAddress);
    }
}
