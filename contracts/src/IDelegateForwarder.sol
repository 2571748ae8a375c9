// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title A delegate whose keys can be replaced
/// @notice Authorities delegate to this contract in one registry. It forwards batches of calls from its operators to
/// that registry only. A key can be replaced without a new delegation, several keys can work at the same time, and one
/// transaction can contain many operations.
/// @dev Operators can act for every authority that delegates to this contract. The admin, in production a multisig,
/// manages them. The contract holds no ether. Chainlink's AuthorizedForwarder is similar.
interface IDelegateForwarder {
    /// @notice `operator` may now execute batches.
    event OperatorAdded(address indexed operator);

    /// @notice `operator` may no longer execute batches.
    event OperatorRemoved(address indexed operator);

    /// @notice `pendingAdmin` may now become the admin, or nobody if it is zero.
    event AdminTransferStarted(address indexed admin, address indexed pendingAdmin);

    event AdminTransferred(address indexed previousAdmin, address indexed admin);

    /// @notice The registry reverted the call at this position of the batch, from 0.
    event CallFailed(uint256 indexed position, bytes revertData);

    /// @notice The last event of a batch: its number of calls, and how many failed. Each of these has a `CallFailed`
    /// before this event.
    event Executed(address indexed operator, uint256 callCount, uint256 failureCount);

    error SenderNotOperator(address sender);
    error SenderNotAdmin(address sender);
    error SenderNotPendingAdmin(address sender);

    /// @notice The zero address cannot act, so it cannot be the admin.
    error AdminZero();

    /// @notice The registry's address has no code, so calls to it would succeed without an effect.
    error RegistryMissing(address registry);

    /// @notice The call at this position is not one of those that `execute` forwards.
    error SelectorForbidden(uint256 position, bytes4 selector);

    /// @notice The call at this position failed, possibly because of too little gas. Send the batch with more.
    error GasShort(uint256 position);

    /// @notice Replaces the revert data of a call that failed without any.
    error RevertDataMissing();

    /// @notice Forwards calls to the registry, in order. A failed call does not affect the others.
    /// @dev Reverts the whole batch if a call is not allowed, or if a failed call used most of the available gas. So no
    /// reported failure was caused by too little gas.
    /// @param calls calldata of `commit`, `reveal`, `revealBatch`, `setChildIpfsHash` or `setChildIpfsHashes`
    /// @return revertData by position: empty if the call succeeded, otherwise the first 256 bytes of its revert data
    /// @custom:throws SenderNotOperator, SelectorForbidden, GasShort
    function execute(bytes[] calldata calls) external returns (bytes[] memory revertData);

    /// @notice Lets an address execute batches. Idempotent.
    /// @custom:throws SenderNotAdmin
    function addOperator(address operator) external;

    /// @notice Stops an address from executing batches. Idempotent.
    /// @custom:throws SenderNotAdmin
    function removeOperator(address operator) external;

    /// @notice Offers the role of the admin, and replaces an earlier offer; the zero address withdraws it.
    /// @custom:throws SenderNotAdmin
    function transferAdmin(address newAdmin) external;

    /// @notice Accepts the role of the admin, so that a mistyped address cannot get it.
    /// @custom:throws SenderNotPendingAdmin
    function acceptAdmin() external;

    /// @notice Returns the only contract to which calls are forwarded.
    function registry() external view returns (address);

    /// @notice Returns the address that manages the operators.
    function admin() external view returns (address);

    /// @notice Returns the address to which the role of the admin is offered, or zero.
    function pendingAdmin() external view returns (address);

    /// @notice Whether an address may execute batches.
    function isOperator(address account) external view returns (bool);
}
