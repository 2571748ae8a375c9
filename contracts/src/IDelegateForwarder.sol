// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title A delegate that outlives its keys
/// @notice Authorities name this contract as their delegate at one registry. Its operators' calls reach that registry
/// in batches, and nothing else: a key can be replaced without any authority delegating again, several keys can work
/// side by side, and one transaction carries many operations.
/// @dev Operators are trusted with every authority that delegates here, and an admin (in production a multisig) with
/// the operators. No ether is held. Chainlink's AuthorizedForwarder is the precedent.
interface IDelegateForwarder {
    /// @notice `operator` may now execute batches.
    event OperatorAdded(address indexed operator);

    /// @notice `operator` may no longer execute batches.
    event OperatorRemoved(address indexed operator);

    /// @notice `pendingAdmin` may now accept to be the admin; the zero address: nobody may.
    event AdminTransferStarted(address indexed admin, address indexed pendingAdmin);

    /// @notice `admin` is the admin from here on.
    event AdminTransferred(address indexed previousAdmin, address indexed admin);

    /// @notice The call at this position of the batch, from 0, was reverted by the registry, for this reason.
    event CallFailed(uint256 indexed position, bytes revertData);

    /// @notice The last event of a batch: so many calls reached the registry, and all but `failureCount` of them, each
    /// with a `CallFailed` before this, did what they asked. Together they give the outcome of every position.
    event Executed(address indexed operator, uint256 callCount, uint256 failureCount);

    /// @notice The sender is not an operator.
    error SenderNotOperator(address sender);

    /// @notice The sender is not the admin.
    error SenderNotAdmin(address sender);

    /// @notice The sender is not the one to whom the admin hands over.
    error SenderNotPendingAdmin(address sender);

    /// @notice The zero address can never act, so it cannot be the admin.
    error AdminZero();

    /// @notice No contract is at the registry's address: calls to it would succeed and do nothing.
    error RegistryMissing(address registry);

    /// @notice The call at this position is none of `commit`, `reveal`, `revealBatch`, `setChildIpfsHash` and
    /// `setChildIpfsHashes`.
    error SelectorForbidden(uint256 position, bytes4 selector);

    /// @notice The call at this position failed and may have done so for want of gas: send the batch with more of it.
    error GasShort(uint256 position);

    /// @notice Stands for the revert data of a call that failed without any.
    error RevertDataMissing();

    /// @notice Makes calls to the registry, in order. One call's failure leaves the others as they are.
    /// @dev A batch reverts as a whole, and so does nothing, when a call in it is not forwardable or when a failed call
    /// used up most of the gas there was: a failure is never reported that more gas would have averted.
    /// @param calls the calldata of `commit`, `reveal`, `revealBatch`, `setChildIpfsHash` or `setChildIpfsHashes`, one each
    /// @return revertData by position: empty for a call that succeeded, else the first 256 bytes of why it did not
    /// @custom:throws SenderNotOperator, SelectorForbidden, GasShort
    function execute(bytes[] calldata calls) external returns (bytes[] memory revertData);

    /// @notice Lets an address execute batches. No error when it may already.
    /// @custom:throws SenderNotAdmin
    function addOperator(address operator) external;

    /// @notice Stops an address from executing batches, at once. No error when it may not anyway.
    /// @custom:throws SenderNotAdmin
    function removeOperator(address operator) external;

    /// @notice Offers the admin's place, in place of any offer before; the zero address withdraws the offer.
    /// @custom:throws SenderNotAdmin
    function transferAdmin(address newAdmin) external;

    /// @notice Takes the admin's place: whoever does so can act, so the place is never lost to a mistyped address.
    /// @custom:throws SenderNotPendingAdmin
    function acceptAdmin() external;

    /// @notice The one contract that is called.
    function registry() external view returns (address);

    /// @notice Who manages the operators.
    function admin() external view returns (address);

    /// @notice To whom the admin's place is offered, or the zero address.
    function pendingAdmin() external view returns (address);

    /// @notice Whether an address may execute batches.
    function isOperator(address account) external view returns (bool);
}
