// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title A public record of who attested which content, and when
/// @notice The TAANQ interface (timestamped authorship attestation with native quote verification), with events and
/// custom errors added. An authority, or the one delegate it has named, first commits to a salted hash and reveals
/// what the hash stands for once `revealDelaySeconds` have passed, so nobody who sees a reveal on its way can be first.
/// @dev All times are block timestamps in seconds since 1970: some chains' block numbers are not their own.
/// No caller is trusted, nothing is owned and no ether is held. Zero is an ordinary value of every hash.
interface IAttestationRegistry {
    /// @notice A member of a batch as it is revealed; its authority is in the run, and its parent is none.
    struct Record {
        bytes32 salt;
        bytes32 ipfsHash;
        bytes32 qvHash;
    }

    /// @notice `committer` has committed to `saltedHash`.
    event Committed(bytes32 saltedHash);

    /// @notice `authority` has attested content with the digest `ipfsHash`. `attestations` has the rest.
    event Attested(address indexed authority, bytes32 ipfsHash);

    /// @notice The attestation now names `childIpfsHash` as its successor; zero: it names none.
    event ChildSet(uint256 indexed attestationId, bytes32 indexed childIpfsHash);

    /// @notice `delegateAddress` may now act for `authority`; the zero address: nobody may.
    event DelegateSet(address indexed authority, address indexed delegateAddress);

    /// @notice The attestation has been withdrawn, for good.
    event AttestationRevoked(uint256 indexed attestationId);

    /// @notice The member at this position of the batch, from 0, was left out for this reason: an error of this interface,
    /// ABI-encoded, with which the call for that member alone would have reverted.
    event MemberSkipped(uint256 indexed position, bytes revertData);

    /// @notice The sender has committed to this hash before and not revealed it since; the first commit stands.
    error CommitRepeated(address committer, bytes32 saltedHash);

    /// @notice The sender has no unrevealed commit to this hash.
    error CommitMissing(address committer, bytes32 saltedHash);

    /// @notice The salted hash is not that of this digest, sender and salt.
    error SaltedHashMismatched(bytes32 saltedHash, bytes32 expectedSaltedHash);

    /// @notice The commit is too young; a block with this timestamp or a later one takes the reveal.
    error RevealTooEarly(uint256 revealableAt);

    /// @notice The sender is neither the authority nor its delegate.
    error SenderUnauthorized(address sender, address authority);

    /// @notice The authority attested this content before, and perhaps revoked it: there is one attestation for each.
    error ContentAlreadyAttested(uint256 attestationId);

    /// @notice No attestation has this index.
    error AttestationUnknown(uint256 attestationId);

    /// @notice The attestation was revoked before.
    error AttestationAlreadyRevoked(uint256 attestationId);

    /// @notice Revocation was possible up to this time.
    error RevocationPeriodOver(uint256 closedAt);

    /// @notice A batch has at most `batchMaxMemberCount` members, bare leaves included.
    error BatchTooLong(uint256 memberCount);

    /// @notice The runs do not account for each record and each bare leaf.
    error RunsMismatched();

    /// @notice There is not one child for each attestation.
    error ChildrenMismatched();

    /// @notice The chain did not create the contract that is to keep the records: as a rule, the gas ran out.
    error PageMissing();

    /// @notice The zero address cannot be a delegate; `revokeDelegation` leaves an authority without one.
    error DelegateZero();

    /// @notice The signature was good up to this time.
    error SignatureExpired(uint256 deadline);

    /// @notice The authority's next signature is to carry this nonce: another delegation or revocation came first.
    error NonceMismatched(address authority, uint256 currentNonce);

    /// @notice The authority has not signed this.
    error SignatureInvalid(address authority);

    /// @notice The content has `k` attestations or fewer.
    error AttestationIndexMissing(bytes32 ipfsHash, uint256 k);

    /// @notice Records that the sender knows what `saltedHash` stands for.
    /// @dev Commits are kept by sender: a copy of someone's commit neither blocks it nor serves as one.
    /// @param saltedHash `keccak256(ipfsHash ‖ bytes32(bytes20(sender)) ‖ salt)`
    /// @custom:throws CommitRepeated
    function commit(bytes32 saltedHash) external;

    /// @notice Attests content under `authority`, and uses up the sender's commit.
    /// @param saltedHash the hash committed to, by this sender, at least `revealDelaySeconds` ago
    /// @param salt what kept it secret
    /// @param ipfsHash the sha2-256 digest inside the content's CID (CIDv1, codec raw)
    /// @param qvHash the root of the content's quote tree
    /// @param parentIpfsHash the digest of the content this one follows, or zero
    /// @param authority to whom the attestation belongs: the sender, or one whose delegate the sender is now
    /// @custom:throws SaltedHashMismatched, CommitMissing, RevealTooEarly, SenderUnauthorized, ContentAlreadyAttested
    function reveal(
        bytes32 saltedHash,
        bytes32 salt,
        bytes32 ipfsHash,
        bytes32 qvHash,
        bytes32 parentIpfsHash,
        address authority
    ) external;

    /// @notice Attests contents of a batch, each as `reveal` would without a parent, all for one commit. The commit is not
    /// used up: what was left out can be revealed later, and what is revealed already is skipped.
    /// @dev The sender committed to `keccak256(keccak256(leaf_0 ‖ … ‖ leaf_n) ‖ bytes32(bytes20(sender)))`, where `leaf_i`
    /// is `keccak256("LEAF" ‖ uint64 i ‖ authority ‖ salt ‖ ipfsHash ‖ qvHash)`. A member that is not to be revealed is
    /// given as its leaf, which discloses nothing. A batch may have members that exclude each other, such as two quote
    /// roots of one content: the commit then binds to one of them, which is why its length is bounded.
    /// A member is skipped, and `MemberSkipped` says so, whose authority does not let the sender act or attested the
    /// content before; it is disclosed all the same. All else reverts the whole.
    /// @param runs all members in order, a word for each run of members of one authority: `authority << 96 | count`; the
    /// authority zero stands for bare leaves
    /// @param records of the runs with an authority, in order
    /// @param bareLeaves of the runs without one, in order
    /// @custom:throws BatchTooLong, RunsMismatched, CommitMissing, RevealTooEarly, PageMissing
    function revealBatch(uint256[] calldata runs, Record[] calldata records, bytes32[] calldata bareLeaves) external;

    /// @notice Names the content that supersedes an attestation, in place of any named before; zero names none.
    /// @dev Allowed after revocation too: readers of withdrawn content are those who most need its successor.
    /// @custom:throws AttestationUnknown, SenderUnauthorized
    function setChildIpfsHash(uint256 attestationId, bytes32 childIpfsHash) external;

    /// @notice Does for each attestation what `setChildIpfsHash` does, in order, where that would not revert; where it
    /// would, `MemberSkipped` says why.
    /// @custom:throws ChildrenMismatched
    function setChildIpfsHashes(uint256[] calldata attestationIds, bytes32[] calldata childIpfsHashes) external;

    /// @notice Lets `delegateAddress` act for the sender, in place of any delegate before.
    /// @custom:throws DelegateZero
    function delegate(address delegateAddress) external;

    /// @notice Leaves the sender without a delegate. No error when there was none: the wish is met.
    function revokeDelegation() external;

    /// @notice Sets or, with the zero address, revokes the delegate of an authority that has signed so. Anyone may send
    /// it: an authority needs no gas, neither to delegate nor to take it back.
    /// @dev EIP-712, domain (name "AttestationRegistry", version "1", chainId, verifyingContract), struct
    /// `Delegation(address authority,address delegateAddress,uint256 nonce,uint256 deadline)`. An ECDSA signature (65
    /// bytes, low s) of the authority's key counts, whether or not the account has code (EIP-7702); failing that, the
    /// word of the authority's code (EIP-1271).
    /// @param nonce `nonceOf(authority)`; every change of the delegation, signed or sent, counts it on
    /// @param deadline the last second, since 1970, at which this may be sent
    /// @custom:throws SignatureExpired, NonceMismatched, SignatureInvalid
    function delegateBySig(
        address authority,
        address delegateAddress,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) external;

    /// @notice Withdraws an attestation at most `revocationPeriodSeconds` old, for good: its index stays taken.
    /// @custom:throws AttestationUnknown, SenderUnauthorized, AttestationAlreadyRevoked, RevocationPeriodOver
    function revokeAttestation(uint256 attestationId) external;

    /// @notice One attestation; all zero for index 0, where none is.
    /// @return ipfsHash the sha2-256 digest of the content
    /// @return qvHash the root of its quote tree
    /// @return parentIpfsHash the digest of the content it follows, or zero
    /// @return authority whose attestation it is
    /// @return timestamp when it was revealed; never zero for an attestation that exists
    /// @return revokedAt when it was revoked; zero while it stands
    /// @return childIpfsHash the digest of the content that supersedes it, or zero
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

    /// @notice The index of the k-th attestation of a content, by order of reveal, k from 0.
    /// @custom:throws AttestationIndexMissing
    function cidToAttestationIndices(bytes32 ipfsHash, uint256 k) external view returns (uint256);

    /// @notice The index of an authority's attestation of a content, revoked or not; zero when there is none.
    function cidAndAddressToAttestationIndices(bytes32 ipfsHash, address authority) external view returns (uint256);

    /// @notice Who may act for an authority and since when; both zero when nobody may.
    function delegations(address authority) external view returns (address delegateAddress, uint256 timestamp);

    /// @notice The nonce the authority's next signature is to carry.
    function nonceOf(address authority) external view returns (uint256);

    /// @notice The least time between commit and reveal.
    function revealDelaySeconds() external view returns (uint256);

    /// @notice How many members a batch can have.
    function batchMaxMemberCount() external view returns (uint256);

    /// @notice How long after its reveal an attestation can be revoked.
    function revocationPeriodSeconds() external view returns (uint256);
}
