// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title A public record of who attested which content, and when
/// @notice The TAANQ interface (timestamped authorship attestation with native quote verification), with events and
/// custom errors. An authority, or its one delegate, first commits to a salted hash. It reveals the content after
/// `revealDelaySeconds`, so nobody who sees a pending reveal can attest the content first.
/// @dev All times are block timestamps in seconds since 1970, because some chains report another chain's block numbers.
/// The registry trusts no caller, has no owner and holds no ether. Zero is a valid value of every hash.
interface IAttestationRegistry {
    /// @notice A revealed member of a batch. Its run names its authority; a member has no parent.
    struct Record {
        bytes32 salt;
        bytes32 ipfsHash;
        bytes32 qvHash;
    }

    event Committed(bytes32 saltedHash);

    /// @notice `authority` attested content with the digest `ipfsHash`. `attestations` returns the rest.
    event Attested(address indexed authority, bytes32 ipfsHash);

    /// @notice The attestation now has the successor `childIpfsHash`, or none if it is zero.
    event ChildSet(uint256 indexed attestationId, bytes32 indexed childIpfsHash);

    /// @notice Only `delegateAddress` may now act for `authority`, or nobody if it is zero.
    event DelegateSet(address indexed authority, address indexed delegateAddress);

    event AttestationRevoked(uint256 indexed attestationId);

    /// @notice The member or link at this position of the call, from 0, was skipped. `revertData` is the ABI-encoded error
    /// of this interface with which a call for only that one would have reverted.
    event MemberSkipped(uint256 indexed position, bytes revertData);

    /// @notice The sender has already committed to this hash, and no `reveal` has used the commit, which stays valid.
    error CommitRepeated(address committer, bytes32 saltedHash);

    /// @notice The sender has no valid commit to this hash.
    error CommitMissing(address committer, bytes32 saltedHash);

    /// @notice The salted hash is not that of this digest, sender and salt.
    error SaltedHashMismatched(bytes32 saltedHash, bytes32 expectedSaltedHash);

    /// @notice The commit is too new. A reveal is possible from this timestamp on.
    error RevealTooEarly(uint256 revealableAt);

    /// @notice The sender is neither the authority nor its delegate.
    error SenderUnauthorized(address sender, address authority);

    /// @notice The authority has already attested this content, and may have revoked the attestation.
    error ContentAlreadyAttested(uint256 attestationId);

    error AttestationUnknown(uint256 attestationId);
    error AttestationAlreadyRevoked(uint256 attestationId);

    /// @notice Revocation was possible until this time.
    error RevocationPeriodOver(uint256 closedAt);

    /// @notice A batch has at most `batchMaxMemberCount` members, including bare leaves.
    error BatchTooLong(uint256 memberCount);

    /// @notice The runs do not account for every record and every bare leaf.
    error RunsMismatched();

    /// @notice The numbers of attestations and children differ.
    error ChildrenMismatched();

    /// @notice The chain did not create the contract that stores the records, usually because the gas ran out.
    error PageMissing();

    /// @notice The zero address cannot be a delegate. Use `revokeDelegation` to remove the delegate.
    error DelegateZero();

    /// @notice The signature was valid until this time.
    error SignatureExpired(uint256 deadline);

    /// @notice The authority's next signature needs this nonce. It increases with each change of the delegation.
    error NonceMismatched(address authority, uint256 currentNonce);

    /// @notice The authority has not signed this.
    error SignatureInvalid(address authority);

    /// @notice The content has `k` attestations or fewer.
    error AttestationIndexMissing(bytes32 ipfsHash, uint256 k);

    /// @notice Commits to a salted hash.
    /// @dev Commits are stored by sender, so a copy of someone's commit neither blocks nor replaces it.
    /// @param saltedHash `keccak256(ipfsHash ‖ bytes32(bytes20(sender)) ‖ salt)`
    /// @custom:throws CommitRepeated
    function commit(bytes32 saltedHash) external;

    /// @notice Attests content for `authority`, and uses up the sender's commit.
    /// @param saltedHash hash to which this sender committed at least `revealDelaySeconds` ago
    /// @param ipfsHash sha2-256 digest in the content's CID (CIDv1, codec raw)
    /// @param qvHash root of the content's quote tree
    /// @param parentIpfsHash digest of the content that precedes this one, or zero
    /// @param authority the sender, or an authority whose delegate is the sender
    /// @custom:throws SaltedHashMismatched, CommitMissing, RevealTooEarly, SenderUnauthorized, ContentAlreadyAttested
    function reveal(
        bytes32 saltedHash,
        bytes32 salt,
        bytes32 ipfsHash,
        bytes32 qvHash,
        bytes32 parentIpfsHash,
        address authority
    ) external;

    /// @notice Attests the contents of a batch with one commit, each like `reveal` without a parent. The commit stays
    /// valid: omitted members can be revealed later, and members that are already revealed are skipped.
    /// @dev The sender committed to `keccak256(keccak256(leaf_0 ‖ … ‖ leaf_n) ‖ bytes32(bytes20(sender)))`, where `leaf_i`
    /// is `keccak256("LEAF" ‖ uint64 i ‖ authority ‖ salt ‖ ipfsHash ‖ qvHash)`. To omit a member, pass its leaf, which
    /// discloses nothing. A batch may have members that exclude each other, such as two quote roots of one content. Then
    /// the sender can choose one of them at the reveal, so the length of a batch is limited.
    /// Skips a member, with `MemberSkipped`, if the sender may not act for its authority, or the authority has already
    /// attested the content. The member is disclosed anyway. Any other error reverts the call.
    /// @param runs all members in order, one word for each run of members of one authority: `authority << 96 | count`. A
    /// run of bare leaves has the authority zero.
    /// @param records members of the runs with an authority, in order
    /// @param bareLeaves members of the runs without one, in order
    /// @custom:throws BatchTooLong, RunsMismatched, CommitMissing, RevealTooEarly, PageMissing
    function revealBatch(uint256[] calldata runs, Record[] calldata records, bytes32[] calldata bareLeaves) external;

    /// @notice Sets or replaces the content that supersedes an attestation; zero removes it.
    /// @dev Also works after a revocation, because readers of revoked content need its successor most.
    /// @custom:throws AttestationUnknown, SenderUnauthorized
    function setChildIpfsHash(uint256 attestationId, bytes32 childIpfsHash) external;

    /// @notice Calls `setChildIpfsHash` for each attestation, in order. Emits `MemberSkipped` instead of a revert.
    /// @custom:throws ChildrenMismatched
    function setChildIpfsHashes(uint256[] calldata attestationIds, bytes32[] calldata childIpfsHashes) external;

    /// @notice Sets or replaces the delegate, which may act for the sender.
    /// @custom:throws DelegateZero
    function delegate(address delegateAddress) external;

    /// @notice Removes the sender's delegate, if any.
    function revokeDelegation() external;

    /// @notice Sets the delegate of an authority that has signed this, or removes it with the zero address. Anyone may
    /// send it, so an authority needs no gas.
    /// @dev EIP-712, domain (name "AttestationRegistry", version "1", chainId, verifyingContract), struct
    /// `Delegation(address authority,address delegateAddress,uint256 nonce,uint256 deadline)`. An ECDSA signature (65
    /// bytes, low s) by the authority's key is valid, even if the account has code (EIP-7702). Otherwise, the authority's
    /// code decides (EIP-1271).
    /// @param nonce `nonceOf(authority)`; each change of the delegation increments it
    /// @param deadline last time at which this may be sent, in seconds since 1970
    /// @custom:throws SignatureExpired, NonceMismatched, SignatureInvalid
    function delegateBySig(
        address authority,
        address delegateAddress,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) external;

    /// @notice Revokes an attestation that is at most `revocationPeriodSeconds` old, permanently. Its index stays taken.
    /// @custom:throws AttestationUnknown, SenderUnauthorized, AttestationAlreadyRevoked, RevocationPeriodOver
    function revokeAttestation(uint256 attestationId) external;

    /// @notice Returns an attestation; all fields are zero for index 0, which no attestation has.
    /// @return ipfsHash sha2-256 digest of the content
    /// @return qvHash root of its quote tree
    /// @return parentIpfsHash digest of the content that precedes it, or zero
    /// @return authority the authority that attested it
    /// @return timestamp time of the reveal; never zero for an attestation that exists
    /// @return revokedAt time of the revocation, or zero
    /// @return childIpfsHash digest of the content that supersedes it, or zero
    /// @custom:throws AttestationUnknown
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
        );

    /// @notice Returns the index of a content's attestation number `k`, from 0, in the order of reveals.
    /// @custom:throws AttestationIndexMissing
    function cidToAttestationIndices(bytes32 ipfsHash, uint256 k) external view returns (uint256);

    /// @notice Returns the index of an authority's attestation of a content, even if revoked; zero without one.
    function cidAndAddressToAttestationIndices(bytes32 ipfsHash, address authority) external view returns (uint256);

    /// @notice Returns an authority's delegate and the time of the delegation; both are zero without a delegate.
    function delegations(address authority) external view returns (address delegateAddress, uint256 timestamp);

    /// @notice Returns the nonce for the authority's next signature.
    function nonceOf(address authority) external view returns (uint256);

    /// @notice Returns the minimum time between commit and reveal.
    function revealDelaySeconds() external view returns (uint256);

    /// @notice Returns the maximum number of members of a batch.
    function batchMaxMemberCount() external view returns (uint256);

    /// @notice Returns how long after its reveal an attestation can be revoked.
    function revocationPeriodSeconds() external view returns (uint256);
}
