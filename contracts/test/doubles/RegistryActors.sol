// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AttestationRegistry} from "../../src/AttestationRegistry.sol";
import {DelegateForwarder} from "../../src/DelegateForwarder.sol";
import {IAttestationRegistry} from "../../src/IAttestationRegistry.sol";
import {IDelegateForwarder} from "../../src/IDelegateForwarder.sol";
import {Vm, vm} from "../Vm.sol";
import {DocumentedRegistry} from "./DocumentedRegistry.sol";

/// @dev A few actors, contents and salts, so that a random sequence of calls meets itself. Every call goes to the
/// registry and to the documented layout, which must answer with the same success, revert data and events.
contract RegistryActors {
    struct Secret {
        uint256 sender;
        uint256 digest;
        uint256 salt;
    }

    uint256 public constant ACTOR_COUNT = 4;
    uint256 public constant CONTENT_COUNT = 4;

    AttestationRegistry public immutable REGISTRY = new AttestationRegistry(60);
    DocumentedRegistry public immutable DOCUMENTED = new DocumentedRegistry(60);
    DelegateForwarder public immutable FORWARDER = new DelegateForwarder(address(REGISTRY), address(this));

    uint256 public attestedCount;
    mapping(address committer => mapping(bytes32 saltedHash => bool open)) public isCommitted;
    mapping(address authority => address delegateAddress) public delegateByOwnWord;
    Secret[] private secrets;
    address[] private actors;

    constructor() {
        FORWARDER.addOperator(address(this));
        actors.push(address(FORWARDER));
        for (uint256 key = 1; key <= ACTOR_COUNT; ++key) {
            actors.push(vm.addr(key));
        }
    }

    /// @dev Actor 0 is the forwarder; 1 to 4 have these numbers as keys.
    function actor(uint256 seed) public view returns (address) {
        return actors[seed % actors.length];
    }

    /// @dev Content 0 has the digest zero.
    function content(uint256 seed) public pure returns (bytes32) {
        uint256 index = seed % CONTENT_COUNT;
        return index == 0 ? bytes32(0) : keccak256(abi.encode(index));
    }

    function wait(uint256 seed) external {
        uint256[5] memory durations = [uint256(1), 59, 60, 1 days, 7 days];
        vm.warp(vm.getBlockTimestamp() + durations[seed % 5]);
    }

    function commit(Secret calldata secret) external {
        if (send(actor(secret.sender), commitCall(secret))) secrets.push(secret);
    }

    function copyCommit(uint256 copier, Secret calldata secret) external {
        send(actor(copier), commitCall(secret));
    }

    /// @dev Most reveals are of something committed, by one who may: of those at random few would get further.
    function revealCommitted(uint256 index, uint256 authority, bytes32 qvHash, bytes32 parentIpfsHash) external {
        if (secrets.length == 0) return;
        Secret memory secret = secrets[index % secrets.length];
        address owner = authority % 3 == 0 ? actor(authority) : actor(secret.sender);
        send(actor(secret.sender), revealCall(secret, owner, qvHash, parentIpfsHash));
    }

    function revealAtRandom(Secret calldata secret, uint256 authority) external {
        send(actor(secret.sender), revealCall(secret, actor(authority), 0, 0));
    }

    function executeBatch(Secret[4] calldata chosen, uint256[4] calldata kinds, uint256 authority) external {
        bytes[] memory calls = new bytes[](kinds.length);
        for (uint256 i = 0; i < kinds.length; ++i) {
            // The sender is the forwarder, actor 0; batches repeat themselves, so that calls in one depend on others.
            Secret memory secret = Secret(0, chosen[i].digest, chosen[i].salt);
            if (kinds[i] % 3 == 0) calls[i] = commitCall(secret);
            else if (kinds[i] % 3 == 1) calls[i] = revealCall(secret, actor(authority), 0, 0);
            else calls[i] = linkCall(chosen[i].digest, "child");
        }
        bool[] memory expected = new bool[](calls.length);
        bytes[] memory expectedData = new bytes[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            vm.prank(address(FORWARDER));
            (expected[i], expectedData[i]) = address(DOCUMENTED).call(calls[i]);
            if (expected[i]) settle(address(FORWARDER), calls[i]);
        }
        (bytes[] memory data,) = executeReported(calls);
        require(keccak256(abi.encode(data)) == keccak256(abi.encode(expectedData)), "other outcomes");
    }

    function link(uint256 sender, uint256 attestationId, bytes32 child) external {
        send(actor(sender), linkCall(attestationId, child));
    }

    function revokeAttestation(uint256 sender, uint256 attestationId) external {
        uint256 id = attestationId % (attestedCount + 2);
        send(actor(1 + sender % ACTOR_COUNT), abi.encodeCall(IAttestationRegistry.revokeAttestation, (id)));
    }

    function delegate(uint256 authority, uint256 to) external {
        address from = actor(1 + authority % ACTOR_COUNT);
        if (send(from, abi.encodeCall(IAttestationRegistry.delegate, (actor(to))))) {
            delegateByOwnWord[from] = actor(to);
        }
    }

    function revokeDelegation(uint256 authority) external {
        address from = actor(1 + authority % ACTOR_COUNT);
        send(from, abi.encodeCall(IAttestationRegistry.revokeDelegation, ()));
        delegateByOwnWord[from] = address(0);
    }

    /// @dev The signature is the authority's, and still may come with an old nonce or too late.
    function delegateBySig(uint256 sender, uint256 authority, uint256 to, uint256 nonce, uint256 age) external {
        uint256 key = 1 + authority % ACTOR_COUNT;
        address from = vm.addr(key);
        uint256 current = REGISTRY.nonceOf(from);
        nonce = nonce % 3 == 0 && current > 0 ? current - 1 : current;
        uint256 deadline = vm.getBlockTimestamp() - (age % 4 == 0 ? 1 : 0);
        bytes memory call = abi.encodeCall(
            IAttestationRegistry.delegateBySig,
            (from, actor(to), nonce, deadline, signature(key, actor(to), nonce, deadline))
        );
        if (send(actor(1 + sender % ACTOR_COUNT), call)) delegateByOwnWord[from] = actor(to);
    }

    /// @dev Someone else's signature never counts. The documented layout does not look at it, so it is left out.
    function delegateByForgedSig(uint256 forger, uint256 authority, uint256 to) external {
        uint256 key = 1 + forger % ACTOR_COUNT;
        address victim = actor(authority);
        if (vm.addr(key) == victim) return;
        uint256 nonce = REGISTRY.nonceOf(victim);
        bytes memory forged = signature(key, actor(to), nonce, vm.getBlockTimestamp());
        try REGISTRY.delegateBySig(victim, actor(to), nonce, vm.getBlockTimestamp(), forged) {
            revert("a forged signature counted");
        } catch {}
    }

    function saltedHash(Secret memory secret) private view returns (bytes32) {
        bytes32 sender = bytes32(bytes20(actor(secret.sender)));
        return keccak256(abi.encodePacked(content(secret.digest), sender, bytes32(secret.salt % 2)));
    }

    function commitCall(Secret memory secret) private view returns (bytes memory) {
        return abi.encodeCall(IAttestationRegistry.commit, (saltedHash(secret)));
    }

    function revealCall(Secret memory secret, address authority, bytes32 qvHash, bytes32 parentIpfsHash)
        private
        view
        returns (bytes memory)
    {
        bytes32 salt = bytes32(secret.salt % 2);
        return abi.encodeCall(
            IAttestationRegistry.reveal,
            (saltedHash(secret), salt, content(secret.digest), qvHash, parentIpfsHash, authority)
        );
    }

    function linkCall(uint256 attestationId, bytes32 child) private view returns (bytes memory) {
        uint256 id = attestationId % (attestedCount + 2);
        return abi.encodeCall(IAttestationRegistry.setChildIpfsHash, (id, child));
    }

    function signature(uint256 key, address to, uint256 nonce, uint256 deadline) private view returns (bytes memory) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("AttestationRegistry"),
                keccak256("1"),
                block.chainid,
                address(REGISTRY)
            )
        );
        bytes32 message = keccak256(
            abi.encode(
                keccak256("Delegation(address authority,address delegateAddress,uint256 nonce,uint256 deadline)"),
                vm.addr(key),
                to,
                nonce,
                deadline
            )
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked("\x19\x01", domain, message)));
        return abi.encodePacked(r, s, v);
    }

    function send(address sender, bytes memory call) private returns (bool success) {
        vm.prank(sender);
        vm.recordLogs();
        (bool expectedSuccess, bytes memory expectedData) = address(DOCUMENTED).call(call);
        Vm.Log[] memory expectedLogs = vm.getRecordedLogs();
        bytes memory data;
        Vm.Log[] memory logs;
        (success, data, logs) = sender == address(FORWARDER) ? sendForwarded(call) : sendDirectly(sender, call);
        require(success == expectedSuccess, "another success");
        require(keccak256(data) == keccak256(expectedData), "other revert data");
        requireSameEvents(logs, expectedLogs);
        if (success) settle(sender, call);
    }

    /// @dev Each commit is taken once and consumed once.
    function settle(address sender, bytes memory data) private {
        bytes32 hash;
        assembly ("memory-safe") {
            hash := mload(add(data, 0x24))
        }
        if (bytes4(data) == IAttestationRegistry.commit.selector) {
            require(!isCommitted[sender][hash], "a commit was taken twice");
            isCommitted[sender][hash] = true;
        }
        if (bytes4(data) == IAttestationRegistry.reveal.selector) {
            require(isCommitted[sender][hash], "revealed without a commit");
            isCommitted[sender][hash] = false;
            ++attestedCount;
        }
    }

    function sendDirectly(address sender, bytes memory call)
        private
        returns (bool success, bytes memory data, Vm.Log[] memory logs)
    {
        vm.prank(sender);
        vm.recordLogs();
        (success, data) = address(REGISTRY).call(call);
        logs = vm.getRecordedLogs();
    }

    function sendForwarded(bytes memory call)
        private
        returns (bool success, bytes memory data, Vm.Log[] memory logs)
    {
        bytes[] memory calls = new bytes[](1);
        calls[0] = call;
        bytes[] memory outcomes;
        (outcomes, logs) = executeReported(calls);
        (success, data) = (outcomes[0].length == 0, outcomes[0]);
    }

    /// @dev What is returned and what is in events must tell the same of every position.
    function executeReported(bytes[] memory calls) private returns (bytes[] memory data, Vm.Log[] memory logs) {
        vm.recordLogs();
        data = FORWARDER.execute(calls);
        Vm.Log[] memory all = vm.getRecordedLogs();
        require(data.length == calls.length, "half-reported");
        require(all.length == calls.length + 1, "an event for each call and one at the end");
        uint256 failureCount = 0;
        logs = new Vm.Log[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            if (data[i].length == 0) {
                require(all[i].emitter == address(REGISTRY), "a success without its event");
                logs[i - failureCount] = all[i];
                continue;
            }
            require(all[i].topics[0] == IDelegateForwarder.CallFailed.selector, "a failure without its event");
            require(uint256(all[i].topics[1]) == i, "another position");
            require(keccak256(abi.decode(all[i].data, (bytes))) == keccak256(data[i]), "another reason");
            ++failureCount;
        }
        require(
            keccak256(all[calls.length].data) == keccak256(abi.encode(calls.length, failureCount)), "miscounted"
        );
        uint256 successCount = calls.length - failureCount;
        assembly ("memory-safe") {
            mstore(logs, successCount)
        }
    }

    function requireSameEvents(Vm.Log[] memory logs, Vm.Log[] memory expected) private pure {
        require(logs.length == expected.length, "other events");
        for (uint256 i = 0; i < logs.length; ++i) {
            require(keccak256(logs[i].data) == keccak256(expected[i].data), "other event data");
            require(
                keccak256(abi.encode(logs[i].topics)) == keccak256(abi.encode(expected[i].topics)), "other topics"
            );
        }
    }
}
