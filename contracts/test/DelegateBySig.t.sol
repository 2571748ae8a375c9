// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "../src/IAttestationRegistry.sol";
import {deployRegistry} from "./Deployments.sol";
import {RegistryTest} from "./RegistryTest.sol";
import {vm} from "./Vm.sol";
import {AcceptingWallet} from "./doubles/AcceptingWallet.sol";
import {MaliciousWallet} from "./doubles/MaliciousWallet.sol";

contract DelegateBySigTest is RegistryTest {
    uint256 private constant KEY = 0xA11CE;
    uint256 private constant ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;
    address private immutable SIGNER = vm.addr(KEY);
    uint256 private constant DEADLINE = START + 1 hours;

    /// @dev EIP-712, independent of the contract.
    function digestOf(address target, address authority, address delegateAddress, uint256 nonce, uint256 deadline)
        private
        view
        returns (bytes32)
    {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("AttestationRegistry"),
                keccak256("1"),
                block.chainid,
                target
            )
        );
        bytes32 message = keccak256(
            abi.encode(
                keccak256("Delegation(address authority,address delegateAddress,uint256 nonce,uint256 deadline)"),
                authority,
                delegateAddress,
                nonce,
                deadline
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", domain, message));
    }

    function signatureOf(uint256 key, bytes32 digest) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    function sign(address delegateAddress, uint256 nonce, uint256 deadline) private view returns (bytes memory) {
        return signatureOf(KEY, digestOf(address(registry), SIGNER, delegateAddress, nonce, deadline));
    }

    function delegateBySig(address delegateAddress, uint256 nonce, bytes memory signature) private {
        registry.delegateBySig(SIGNER, delegateAddress, nonce, DEADLINE, signature);
    }

    function signatureInvalid(address authority) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IAttestationRegistry.SignatureInvalid.selector, authority);
    }

    function nonceMismatched(uint256 currentNonce) private view returns (bytes memory) {
        return abi.encodeWithSelector(IAttestationRegistry.NonceMismatched.selector, SIGNER, currentNonce);
    }

    function assertDelegate(address authority, address expected) private view {
        (address delegateFound,) = registry.delegations(authority);
        vm.assertEq(delegateFound, expected);
    }

    /// @dev ERC-5267, with the fields of `digestOf`.
    function test_eip712Domain_describesTheSignedDomain(uint64 chainId) public {
        vm.assume(chainId != 0);
        vm.chainId(chainId);
        (bool success, bytes memory domain) = address(registry).staticcall(abi.encodeWithSignature("eip712Domain()"));
        vm.assertTrue(success);
        vm.assertEq(
            domain,
            abi.encode(
                bytes1(0x0f),
                "AttestationRegistry",
                "1",
                uint256(chainId),
                address(registry),
                bytes32(0),
                new uint256[](0)
            )
        );
    }

    function test_delegateBySig_setsTheDelegateForAnySender(address sender, address delegateAddress) public {
        vm.assume(delegateAddress != address(0));
        bytes memory signature = sign(delegateAddress, 0, DEADLINE);
        vm.expectEmit(address(registry));
        emit IAttestationRegistry.DelegateSet(SIGNER, delegateAddress);
        vm.prank(sender);
        delegateBySig(delegateAddress, 0, signature);
        (address delegateFound, uint256 since) = registry.delegations(SIGNER);
        vm.assertEq(delegateFound, delegateAddress);
        vm.assertEq(since, START);
        vm.assertEq(registry.nonceOf(SIGNER), 1);
    }

    function test_delegateBySig_revokesIfZero() public {
        delegateTo(SIGNER, PLATFORM);
        delegateBySig(address(0), 1, sign(address(0), 1, DEADLINE));
        (address delegateFound, uint256 since) = registry.delegations(SIGNER);
        vm.assertEq(delegateFound, address(0));
        vm.assertEq(since, 0);
    }

    function test_delegateBySig_succeedsUntilTheDeadline() public {
        bytes memory signature = sign(PLATFORM, 0, DEADLINE);
        vm.warp(DEADLINE + 1);
        vm.expectRevert(abi.encodeWithSelector(IAttestationRegistry.SignatureExpired.selector, DEADLINE));
        delegateBySig(PLATFORM, 0, signature);
        vm.warp(DEADLINE);
        delegateBySig(PLATFORM, 0, signature);
        assertDelegate(SIGNER, PLATFORM);
    }

    function test_delegateBySig_revertsIfReplayed() public {
        bytes memory signature = sign(PLATFORM, 0, DEADLINE);
        delegateBySig(PLATFORM, 0, signature);
        vm.expectRevert(nonceMismatched(1));
        delegateBySig(PLATFORM, 0, signature);
        vm.expectRevert(signatureInvalid(SIGNER));
        delegateBySig(PLATFORM, 1, signature);
    }

    function test_delegateBySig_revertsForAnyOtherNonce(uint256 nonce) public {
        vm.assume(nonce != 0);
        bytes memory signature = sign(PLATFORM, nonce, DEADLINE);
        vm.expectRevert(nonceMismatched(0));
        delegateBySig(PLATFORM, nonce, signature);
    }

    function test_delegateBySig_revertsAfterAnotherDelegationOrRevocation() public {
        bytes memory signature = sign(PLATFORM, 0, DEADLINE);
        delegateTo(SIGNER, THIRD);
        vm.expectRevert(nonceMismatched(1));
        delegateBySig(PLATFORM, 0, signature);
        assertDelegate(SIGNER, THIRD);
        signature = sign(PLATFORM, 1, DEADLINE);
        vm.prank(SIGNER);
        registry.revokeDelegation();
        vm.expectRevert(nonceMismatched(2));
        delegateBySig(PLATFORM, 1, signature);
    }

    function test_delegateBySig_revertsIfAnyFieldDiffers(address authority, address delegateAddress, uint48 deadline)
        public
    {
        vm.assume(authority != SIGNER && authority.code.length == 0);
        vm.assume(delegateAddress != PLATFORM && deadline != DEADLINE && deadline >= START);
        bytes memory signature = sign(PLATFORM, 0, DEADLINE);
        vm.expectRevert(signatureInvalid(authority));
        registry.delegateBySig(authority, PLATFORM, 0, DEADLINE, signature);
        vm.expectRevert(signatureInvalid(SIGNER));
        registry.delegateBySig(SIGNER, delegateAddress, 0, DEADLINE, signature);
        vm.expectRevert(signatureInvalid(SIGNER));
        registry.delegateBySig(SIGNER, PLATFORM, 0, deadline, signature);
    }

    function test_delegateBySig_revertsForAnyOtherKey(uint256 key) public {
        key = 1 + key % (ORDER - 1);
        vm.assume(key != KEY);
        bytes memory signature = signatureOf(key, digestOf(address(registry), SIGNER, PLATFORM, 0, DEADLINE));
        vm.expectRevert(signatureInvalid(SIGNER));
        delegateBySig(PLATFORM, 0, signature);
    }

    function test_delegateBySig_revertsForAnyOtherBytes(bytes calldata signature) public {
        vm.assume(keccak256(signature) != keccak256(sign(PLATFORM, 0, DEADLINE)));
        vm.expectRevert(signatureInvalid(SIGNER));
        delegateBySig(PLATFORM, 0, signature);
    }

    /// @dev ecrecover returns zero for an invalid signature, which must not match the zero authority.
    function test_delegateBySig_revertsForTheZeroAuthority(bytes calldata signature) public {
        vm.expectRevert(signatureInvalid(address(0)));
        registry.delegateBySig(address(0), PLATFORM, 0, DEADLINE, signature);
    }

    function test_delegateBySig_revertsForTheHighHalfOfS() public {
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(KEY, digestOf(address(registry), SIGNER, PLATFORM, 0, DEADLINE));
        bytes memory malleated = abi.encodePacked(r, bytes32(ORDER - uint256(s)), v == 27 ? uint8(28) : uint8(27));
        vm.expectRevert(signatureInvalid(SIGNER));
        delegateBySig(PLATFORM, 0, malleated);
    }

    function test_delegateBySig_revertsOnAnotherChain(uint64 chainId) public {
        vm.assume(chainId != block.chainid && chainId != 0);
        bytes memory signature = sign(PLATFORM, 0, DEADLINE);
        vm.chainId(chainId);
        vm.expectRevert(signatureInvalid(SIGNER));
        delegateBySig(PLATFORM, 0, signature);
    }

    function test_delegateBySig_revertsAtAnotherRegistry() public {
        bytes memory signature = sign(PLATFORM, 0, DEADLINE);
        registry = deployRegistry(REVEAL_DELAY_SECONDS);
        vm.expectRevert(signatureInvalid(SIGNER));
        delegateBySig(PLATFORM, 0, signature);
    }

    function test_delegateBySig_acceptsAContractWallet(bytes calldata signature) public {
        AcceptingWallet wallet = new AcceptingWallet();
        wallet.accept(digestOf(address(registry), address(wallet), PLATFORM, 0, DEADLINE), signature);
        registry.delegateBySig(address(wallet), PLATFORM, 0, DEADLINE, signature);
        assertDelegate(address(wallet), PLATFORM);
    }

    function test_delegateBySig_revertsIfAContractWalletRefuses(bytes calldata signature) public {
        AcceptingWallet wallet = new AcceptingWallet();
        wallet.accept(digestOf(address(registry), address(wallet), PLATFORM, 0, DEADLINE), "another");
        vm.assume(keccak256(signature) != keccak256("another"));
        vm.expectRevert(signatureInvalid(address(wallet)));
        registry.delegateBySig(address(wallet), PLATFORM, 0, DEADLINE, signature);
    }

    function test_delegateBySig_rejectsAMaliciousWallet(uint8 answer) public {
        MaliciousWallet wallet = new MaliciousWallet();
        wallet.set(MaliciousWallet.Answer(answer % (uint8(type(MaliciousWallet.Answer).max) + 1)));
        vm.expectRevert(signatureInvalid(address(wallet)));
        registry.delegateBySig(address(wallet), PLATFORM, 0, DEADLINE, "");
        assertDelegate(address(wallet), address(0));
    }

    /// @dev EIP-7702: the account's code is 0xef0100 and the address of its implementation.
    function setAccountCode(address account, address implementation) private {
        vm.setEvmVersion("prague");
        vm.etch(account, abi.encodePacked(bytes3(0xef0100), implementation));
    }

    function test_delegateBySig_acceptsTheKeyOfAnAccountWithCode() public {
        setAccountCode(SIGNER, address(new MaliciousWallet()));
        delegateBySig(PLATFORM, 0, sign(PLATFORM, 0, DEADLINE));
        assertDelegate(SIGNER, PLATFORM);
    }

    function test_delegateBySig_acceptsTheCodeOfAnAccountWithAKey() public {
        setAccountCode(SIGNER, address(new AcceptingWallet()));
        AcceptingWallet(SIGNER).accept(digestOf(address(registry), SIGNER, PLATFORM, 0, DEADLINE), "session");
        delegateBySig(PLATFORM, 0, "session");
        assertDelegate(SIGNER, PLATFORM);
    }

    function test_delegateBySig_revertsIfNeitherKeyNorCodeOfAnAccountSigned() public {
        setAccountCode(SIGNER, address(new AcceptingWallet()));
        vm.expectRevert(signatureInvalid(SIGNER));
        delegateBySig(PLATFORM, 0, "session");
    }
}
