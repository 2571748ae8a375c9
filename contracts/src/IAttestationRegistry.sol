// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.24;

/// @title A public record of who attested which content, and when
/// @notice The TAANQ interface (timestamped authorship attestation with native quote verification), with events and
/// custom errors added. An authority, or the one delegate it has named, first commits to a salted hash and reveals
/// what the hash stands for once `REVEAL_DELAY` has passed, so nobody who sees a reveal on its way can be first.
/// @dev All times are block timestamps in seconds since 1970: some chains' block numbers are not their own.
/// No caller is trusted, nothing is owned and no ether is held. Zero is an ordinary value of every hash.
interface IAttestationRegistry {
    /// @notice `committer` has committed to `saltedHash`.
    event Committed(address indexed committer, bytes32 indexed saltedHash);

    /// @notice `authority` has attested content with the digest `ipfsHash`.
    event Attested(
        uint256 indexed attestationId,
        bytes32 indexed ipfsHash,
        address indexed authority,
        bytes32 qvHash,
        bytes32 parentIpfsHash
    );

    /// @notice The attestation now names `childIpfsHash` as its successor; zero: it names none.
    event ChildSet(uint256 indexed attestationId, bytes32 indexed childIpfsHash);

    /// @notice `delegateAddress` may now act for `authority`; the zero address: nobody may.
    event DelegateSet(address indexed authority, address indexed delegateAddress);

    /// @notice The attestation has been withdrawn, for good.
    event AttestationRevoked(uint256 indexed attestationId);

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
    error RevocationWindowClosed(uint256 closedAt);

    /// @notice The zero address cannot be a delegate; `revokeDelegation` leaves an authority without one.
    error DelegateZero();

    /// @notice The content has `k` attestations or fewer.
    error AttestationIndexMissing(bytes32 ipfsHash, uint256 k);

    /// @notice Records that the sender knows what `saltedHash` stands for.
    /// @dev Commits are kept by sender: a copy of someone's commit neither blocks it nor serves as one.
    /// @param saltedHash `keccak256(ipfsHash ‖ bytes32(bytes20(sender)) ‖ salt)`
    /// @custom:throws CommitRepeated
    function commit(bytes32 saltedHash) external;

    /// @notice Attests content under `authority`, and uses up the sender's commit.
    /// @param saltedHash the hash committed to, by this sender, at least `REVEAL_DELAY` ago
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

    /// @notice Names the content that supersedes an attestation, in place of any named before; zero names none.
    /// @dev Allowed after revocation too: readers of withdrawn content are those who most need its successor.
    /// @custom:throws AttestationUnknown, SenderUnauthorized
    function setChildIpfsHash(uint256 attestationId, bytes32 childIpfsHash) external;

    /// @notice Lets `delegateAddress` act for the sender, in place of any delegate before.
    /// @custom:throws DelegateZero
    function delegate(address delegateAddress) external;

    /// @notice Leaves the sender without a delegate. No error when there was none: the wish is met.
    function revokeDelegation() external;

    /// @notice Withdraws an attestation at most `REVOCATION_WINDOW` old, for good: its index stays taken.
    /// @custom:throws AttestationUnknown, SenderUnauthorized, AttestationAlreadyRevoked, RevocationWindowClosed
    function revokeAttestation(uint256 attestationId) external;

    /// @notice One attestation; all zero when no attestation has this index.
    /// @return ipfsHash the sha2-256 digest of the content
    /// @return qvHash the root of its quote tree
    /// @return parentIpfsHash the digest of the content it follows, or zero
    /// @return authority whose attestation it is
    /// @return timestamp when it was revealed; never zero for an attestation that exists
    /// @return revokedAt when it was revoked; zero while it stands
    /// @return childIpfsHash the digest of the content that supersedes it, or zero
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

    /// @notice The least time between commit and reveal, in seconds.
    function REVEAL_DELAY() external view returns (uint256);

    /// @notice How long after its reveal an attestation can be revoked, in seconds.
    function REVOCATION_WINDOW() external view returns (uint256);
}
