// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationRegistry} from "../../src/IAttestationRegistry.sol";
import {IDelegateForwarder} from "../../src/IDelegateForwarder.sol";
import {deployForwarder, deployRegistry} from "../Deployments.sol";
import {Vm, vm} from "../Vm.sol";
import {Member, batchCalldata, batchHashOf} from "../batch/Batches.sol";
import {DocumentedRegistry} from "./DocumentedRegistry.sol";

/// @dev A few actors, contents and salts, so that random calls affect each other. Every call
/// except a forged delegation is sent to the registry and to `DocumentedRegistry`. Both must return the same success,
/// revert data and events.
contract RegistryActors {
    struct Secret {
        uint256 sender;
        uint256 digest;
        uint256 salt;
    }

    uint256 public constant ACTOR_COUNT = 4;
    uint256 public constant CONTENT_COUNT = 4;

    IAttestationRegistry public immutable REGISTRY = deployRegistry(60);
    DocumentedRegistry public immutable DOCUMENTED = new DocumentedRegistry(60);
    IDelegateForwarder public immutable FORWARDER = deployForwarder(address(REGISTRY), address(this));

    uint256 public attestedCount;
    Secret[] private secrets;
    /// @dev The committed batches: the sender, and the seed of the members as `digest`.
    Secret[] private batches;
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

    /// @dev Reveals a commit, usually by an authorized sender, because few random reveals would succeed.
    function revealCommitted(uint256 index, uint256 authority, bytes32 qvHash, bytes32 parentIpfsHash) external {
        if (secrets.length == 0) return;
        Secret memory secret = secrets[index % secrets.length];
        address claimed = authority % 3 == 0 ? actor(authority) : actor(secret.sender);
        send(actor(secret.sender), revealCall(secret, claimed, qvHash, parentIpfsHash));
    }

    function revealAtRandom(Secret calldata secret, uint256 authority) external {
        send(actor(secret.sender), revealCall(secret, actor(authority), 0, 0));
    }

    /// @dev One to six members from few authorities and contents.
    function membersOf(uint256 seed) private view returns (Member[] memory members) {
        members = new Member[](1 + seed % 6);
        for (uint256 i = 0; i < members.length; ++i) {
            uint256 random = uint256(keccak256(abi.encode(seed, i)));
            // Half of the members have the authority of the one before.
            address authority = random % 2 == 0 && i > 0 ? members[i - 1].authority : actor(random >> 8);
            members[i] = Member(authority, bytes32(random), content(random >> 16), bytes32(random >> 24), false);
        }
    }

    function commitBatch(uint256 sender, uint256 seed) external {
        if (send(actor(sender), batchCommitCall(sender, seed))) batches.push(Secret(sender, seed, 0));
    }

    /// @dev Reveals the members whose bits are set in `chosen`.
    function revealBatch(uint256 index, uint256 chosen) external {
        if (batches.length == 0) return;
        Secret memory batch = batches[index % batches.length];
        send(actor(batch.sender), batchRevealCall(batch.digest, chosen));
    }

    function revealBatchAtRandom(uint256 sender, uint256 seed, uint256 chosen) external {
        send(actor(sender), batchRevealCall(seed % 4, chosen));
    }

    function linkMany(uint256 sender, uint256[3] calldata attestationIds, bytes32 child) external {
        send(actor(sender), linksCall(attestationIds, child));
    }

    function executeBatch(Secret[4] calldata chosen, uint256[4] calldata kinds, uint256 authority) external {
        bytes[] memory calls = new bytes[](kinds.length);
        for (uint256 i = 0; i < kinds.length; ++i) {
            // The sender is the forwarder, actor 0. Batches repeat, so that calls depend on each other.
            Secret memory secret = Secret(0, chosen[i].digest, chosen[i].salt);
            uint256 seed = chosen[i].digest % 4;
            if (kinds[i] % 6 == 0) calls[i] = commitCall(secret);
            else if (kinds[i] % 6 == 1) calls[i] = revealCall(secret, actor(authority), 0, 0);
            else if (kinds[i] % 6 == 2) calls[i] = linkCall(chosen[i].digest, "child");
            else if (kinds[i] % 6 == 3) calls[i] = batchCommitCall(0, seed);
            else if (kinds[i] % 6 == 4) calls[i] = batchRevealCall(seed, chosen[i].salt);
            else calls[i] = linksCall([seed, chosen[i].digest, chosen[i].salt], "child");
        }
        bytes[] memory expectedData = new bytes[](calls.length);
        vm.recordLogs();
        for (uint256 i = 0; i < calls.length; ++i) {
            vm.prank(address(FORWARDER));
            (bool success, bytes memory revertData) = address(DOCUMENTED).call(calls[i]);
            if (!success) expectedData[i] = revertData;
        }
        Vm.Log[] memory expectedLogs = vm.getRecordedLogs();
        (bytes[] memory data, Vm.Log[] memory logs) = executeReported(calls);
        require(keccak256(abi.encode(data)) == keccak256(abi.encode(expectedData)), "outcomes differ");
        requireSameEvents(logs, expectedLogs);
        countAttested(logs);
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
        send(from, abi.encodeCall(IAttestationRegistry.delegate, (actor(to))));
    }

    function revokeDelegation(uint256 authority) external {
        address from = actor(1 + authority % ACTOR_COUNT);
        send(from, abi.encodeCall(IAttestationRegistry.revokeDelegation, ()));
    }

    /// @dev The signature is valid, but its nonce may be used, or its deadline may be over.
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
        send(actor(1 + sender % ACTOR_COUNT), call);
    }

    /// @dev The registry rejects a forged signature. `DocumentedRegistry` ignores signatures, so it gets no such call.
    function delegateByForgedSig(uint256 forger, uint256 authority, uint256 to) external {
        uint256 key = 1 + forger % ACTOR_COUNT;
        address victim = actor(authority);
        if (vm.addr(key) == victim) return;
        uint256 nonce = REGISTRY.nonceOf(victim);
        bytes memory forged = signature(key, actor(to), nonce, vm.getBlockTimestamp());
        try REGISTRY.delegateBySig(victim, actor(to), nonce, vm.getBlockTimestamp(), forged) {
            revert("a forged signature was accepted");
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

    function batchCommitCall(uint256 sender, uint256 seed) private view returns (bytes memory) {
        return abi.encodeCall(IAttestationRegistry.commit, (batchHashOf(membersOf(seed), actor(sender))));
    }

    function batchRevealCall(uint256 seed, uint256 chosen) private view returns (bytes memory) {
        Member[] memory members = membersOf(seed);
        for (uint256 i = 0; i < members.length; ++i) {
            members[i].bare = chosen >> i & 1 == 0;
        }
        return batchCalldata(members);
    }

    function linksCall(uint256[3] memory attestationIds, bytes32 child) private view returns (bytes memory) {
        uint256[] memory ids = new uint256[](3);
        bytes32[] memory children = new bytes32[](3);
        for (uint256 i = 0; i < 3; ++i) {
            ids[i] = attestationIds[i] % (attestedCount + 2);
            children[i] = bytes32(uint256(child) ^ i);
        }
        return abi.encodeCall(IAttestationRegistry.setChildIpfsHashes, (ids, children));
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
        require(success == expectedSuccess, "success differs");
        require(keccak256(data) == keccak256(expectedData), "revert data differs");
        requireSameEvents(logs, expectedLogs);
        countAttested(logs);
    }

    function countAttested(Vm.Log[] memory logs) private {
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].topics[0] == IAttestationRegistry.Attested.selector) ++attestedCount;
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

    /// @dev Returned data and events must agree on every position.
    function executeReported(bytes[] memory calls) private returns (bytes[] memory data, Vm.Log[] memory logs) {
        vm.recordLogs();
        data = FORWARDER.execute(calls);
        Vm.Log[] memory all = vm.getRecordedLogs();
        require(data.length == calls.length, "missing outcomes");
        logs = new Vm.Log[](all.length);
        uint256 failureCount = 0;
        uint256 logCount = 0;
        for (uint256 i = 0; i < all.length - 1; ++i) {
            if (all[i].emitter == address(REGISTRY)) {
                logs[logCount++] = all[i];
                continue;
            }
            require(all[i].topics[0] == IDelegateForwarder.CallFailed.selector, "unexpected event");
            bytes memory reported = data[uint256(all[i].topics[1])];
            require(reported.length > 0 && keccak256(all[i].data) == keccak256(abi.encode(reported)), "reason differs");
            ++failureCount;
        }
        requireCounted(all[all.length - 1], data, failureCount);
        assembly ("memory-safe") {
            mstore(logs, logCount)
        }
    }

    /// @dev Requires that each failure has an event, and that the last event counts them.
    function requireCounted(Vm.Log memory last, bytes[] memory data, uint256 failureCount) private pure {
        uint256 failed = 0;
        for (uint256 i = 0; i < data.length; ++i) {
            if (data[i].length > 0) ++failed;
        }
        require(failed == failureCount, "a failure without its event");
        require(keccak256(last.data) == keccak256(abi.encode(data.length, failureCount)), "wrong counts");
    }

    function requireSameEvents(Vm.Log[] memory logs, Vm.Log[] memory expected) private pure {
        require(logs.length == expected.length, "events differ");
        for (uint256 i = 0; i < logs.length; ++i) {
            require(keccak256(logs[i].data) == keccak256(expected[i].data), "event data differs");
            require(
                keccak256(abi.encode(logs[i].topics)) == keccak256(abi.encode(expected[i].topics)), "topics differ"
            );
        }
    }
}
