// Written by contracts/compile/compile.ts from contracts/src; `node contracts/compile/compile.ts` writes it again.
export const attestationAlreadyRevokedError = {"type":"error","name":"AttestationAlreadyRevoked","inputs":[{"name":"attestationId","type":"uint256"}]} as const;

export const attestationIndexMissingError = {"type":"error","name":"AttestationIndexMissing","inputs":[{"name":"ipfsHash","type":"bytes32"},{"name":"k","type":"uint256"}]} as const;

export const attestationUnknownError = {"type":"error","name":"AttestationUnknown","inputs":[{"name":"attestationId","type":"uint256"}]} as const;

export const batchTooLongError = {"type":"error","name":"BatchTooLong","inputs":[{"name":"memberCount","type":"uint256"}]} as const;

export const childrenMismatchedError = {"type":"error","name":"ChildrenMismatched","inputs":[]} as const;

export const commitMissingError = {"type":"error","name":"CommitMissing","inputs":[{"name":"committer","type":"address"},{"name":"saltedHash","type":"bytes32"}]} as const;

export const commitRepeatedError = {"type":"error","name":"CommitRepeated","inputs":[{"name":"committer","type":"address"},{"name":"saltedHash","type":"bytes32"}]} as const;

export const contentAlreadyAttestedError = {"type":"error","name":"ContentAlreadyAttested","inputs":[{"name":"attestationId","type":"uint256"}]} as const;

export const delegateZeroError = {"type":"error","name":"DelegateZero","inputs":[]} as const;

export const nonceMismatchedError = {"type":"error","name":"NonceMismatched","inputs":[{"name":"authority","type":"address"},{"name":"currentNonce","type":"uint256"}]} as const;

export const pageMissingError = {"type":"error","name":"PageMissing","inputs":[]} as const;

export const revealTooEarlyError = {"type":"error","name":"RevealTooEarly","inputs":[{"name":"revealableAt","type":"uint256"}]} as const;

export const revocationPeriodOverError = {"type":"error","name":"RevocationPeriodOver","inputs":[{"name":"closedAt","type":"uint256"}]} as const;

export const runsMismatchedError = {"type":"error","name":"RunsMismatched","inputs":[]} as const;

export const saltedHashMismatchedError = {"type":"error","name":"SaltedHashMismatched","inputs":[{"name":"saltedHash","type":"bytes32"},{"name":"expectedSaltedHash","type":"bytes32"}]} as const;

export const senderUnauthorizedError = {"type":"error","name":"SenderUnauthorized","inputs":[{"name":"sender","type":"address"},{"name":"authority","type":"address"}]} as const;

export const signatureExpiredError = {"type":"error","name":"SignatureExpired","inputs":[{"name":"deadline","type":"uint256"}]} as const;

export const signatureInvalidError = {"type":"error","name":"SignatureInvalid","inputs":[{"name":"authority","type":"address"}]} as const;

export const attestationRevokedEvent = {"type":"event","name":"AttestationRevoked","anonymous":false,"inputs":[{"indexed":true,"name":"attestationId","type":"uint256"}]} as const;

export const attestedEvent = {"type":"event","name":"Attested","anonymous":false,"inputs":[{"indexed":true,"name":"authority","type":"address"},{"indexed":false,"name":"ipfsHash","type":"bytes32"}]} as const;

export const childSetEvent = {"type":"event","name":"ChildSet","anonymous":false,"inputs":[{"indexed":true,"name":"attestationId","type":"uint256"},{"indexed":true,"name":"childIpfsHash","type":"bytes32"}]} as const;

export const committedEvent = {"type":"event","name":"Committed","anonymous":false,"inputs":[{"indexed":false,"name":"saltedHash","type":"bytes32"}]} as const;

export const delegateSetEvent = {"type":"event","name":"DelegateSet","anonymous":false,"inputs":[{"indexed":true,"name":"authority","type":"address"},{"indexed":true,"name":"delegateAddress","type":"address"}]} as const;

export const eIP712DomainChangedEvent = {"type":"event","name":"EIP712DomainChanged","anonymous":false,"inputs":[]} as const;

export const memberSkippedEvent = {"type":"event","name":"MemberSkipped","anonymous":false,"inputs":[{"indexed":true,"name":"position","type":"uint256"},{"indexed":false,"name":"revertData","type":"bytes"}]} as const;

export const attestationsFunction = {"type":"function","name":"attestations","inputs":[{"name":"attestationId","type":"uint256"}],"outputs":[{"name":"ipfsHash","type":"bytes32"},{"name":"qvHash","type":"bytes32"},{"name":"parentIpfsHash","type":"bytes32"},{"name":"authority","type":"address"},{"name":"timestamp","type":"uint256"},{"name":"revokedAt","type":"uint256"},{"name":"childIpfsHash","type":"bytes32"}],"stateMutability":"view"} as const;

export const batchMaxMemberCountFunction = {"type":"function","name":"batchMaxMemberCount","inputs":[],"outputs":[{"name":"","type":"uint256"}],"stateMutability":"pure"} as const;

export const cidAndAddressToAttestationIndicesFunction = {"type":"function","name":"cidAndAddressToAttestationIndices","inputs":[{"name":"ipfsHash","type":"bytes32"},{"name":"authority","type":"address"}],"outputs":[{"name":"","type":"uint256"}],"stateMutability":"view"} as const;

export const cidToAttestationIndicesFunction = {"type":"function","name":"cidToAttestationIndices","inputs":[{"name":"ipfsHash","type":"bytes32"},{"name":"k","type":"uint256"}],"outputs":[{"name":"","type":"uint256"}],"stateMutability":"view"} as const;

export const commitFunction = {"type":"function","name":"commit","inputs":[{"name":"saltedHash","type":"bytes32"}],"outputs":[],"stateMutability":"nonpayable"} as const;

export const delegateFunction = {"type":"function","name":"delegate","inputs":[{"name":"delegateAddress","type":"address"}],"outputs":[],"stateMutability":"nonpayable"} as const;

export const delegateBySigFunction = {"type":"function","name":"delegateBySig","inputs":[{"name":"authority","type":"address"},{"name":"delegateAddress","type":"address"},{"name":"nonce","type":"uint256"},{"name":"deadline","type":"uint256"},{"name":"signature","type":"bytes"}],"outputs":[],"stateMutability":"nonpayable"} as const;

export const delegationsFunction = {"type":"function","name":"delegations","inputs":[{"name":"authority","type":"address"}],"outputs":[{"name":"delegateAddress","type":"address"},{"name":"timestamp","type":"uint256"}],"stateMutability":"view"} as const;

export const eip712DomainFunction = {"type":"function","name":"eip712Domain","inputs":[],"outputs":[{"name":"fields","type":"bytes1"},{"name":"name","type":"string"},{"name":"version","type":"string"},{"name":"chainId","type":"uint256"},{"name":"verifyingContract","type":"address"},{"name":"salt","type":"bytes32"},{"name":"extensions","type":"uint256[]"}],"stateMutability":"view"} as const;

export const nonceOfFunction = {"type":"function","name":"nonceOf","inputs":[{"name":"authority","type":"address"}],"outputs":[{"name":"","type":"uint256"}],"stateMutability":"view"} as const;

export const revealFunction = {"type":"function","name":"reveal","inputs":[{"name":"saltedHash","type":"bytes32"},{"name":"salt","type":"bytes32"},{"name":"ipfsHash","type":"bytes32"},{"name":"qvHash","type":"bytes32"},{"name":"parentIpfsHash","type":"bytes32"},{"name":"authority","type":"address"}],"outputs":[],"stateMutability":"nonpayable"} as const;

export const revealBatchFunction = {"type":"function","name":"revealBatch","inputs":[{"name":"runs","type":"uint256[]"},{"components":[{"name":"salt","type":"bytes32"},{"name":"ipfsHash","type":"bytes32"},{"name":"qvHash","type":"bytes32"}],"name":"records","type":"tuple[]"},{"name":"bareLeaves","type":"bytes32[]"}],"outputs":[],"stateMutability":"nonpayable"} as const;

export const revealDelaySecondsFunction = {"type":"function","name":"revealDelaySeconds","inputs":[],"outputs":[{"name":"","type":"uint256"}],"stateMutability":"view"} as const;

export const revocationPeriodSecondsFunction = {"type":"function","name":"revocationPeriodSeconds","inputs":[],"outputs":[{"name":"","type":"uint256"}],"stateMutability":"pure"} as const;

export const revokeAttestationFunction = {"type":"function","name":"revokeAttestation","inputs":[{"name":"attestationId","type":"uint256"}],"outputs":[],"stateMutability":"nonpayable"} as const;

export const revokeDelegationFunction = {"type":"function","name":"revokeDelegation","inputs":[],"outputs":[],"stateMutability":"nonpayable"} as const;

export const setChildIpfsHashFunction = {"type":"function","name":"setChildIpfsHash","inputs":[{"name":"attestationId","type":"uint256"},{"name":"childIpfsHash","type":"bytes32"}],"outputs":[],"stateMutability":"nonpayable"} as const;

export const setChildIpfsHashesFunction = {"type":"function","name":"setChildIpfsHashes","inputs":[{"name":"attestationIds","type":"uint256[]"},{"name":"childIpfsHashes","type":"bytes32[]"}],"outputs":[],"stateMutability":"nonpayable"} as const;

export const attestationRegistryErrors = [
attestationAlreadyRevokedError,
attestationIndexMissingError,
attestationUnknownError,
batchTooLongError,
childrenMismatchedError,
commitMissingError,
commitRepeatedError,
contentAlreadyAttestedError,
delegateZeroError,
nonceMismatchedError,
pageMissingError,
revealTooEarlyError,
revocationPeriodOverError,
runsMismatchedError,
saltedHashMismatchedError,
senderUnauthorizedError,
signatureExpiredError,
signatureInvalidError
] as const;

export const attestationRegistryAbi = [
{"type":"constructor","inputs":[{"name":"revealDelaySeconds_","type":"uint48"}],"stateMutability":"nonpayable"},
attestationAlreadyRevokedError,
attestationIndexMissingError,
attestationUnknownError,
batchTooLongError,
childrenMismatchedError,
commitMissingError,
commitRepeatedError,
contentAlreadyAttestedError,
delegateZeroError,
nonceMismatchedError,
pageMissingError,
revealTooEarlyError,
revocationPeriodOverError,
runsMismatchedError,
saltedHashMismatchedError,
senderUnauthorizedError,
signatureExpiredError,
signatureInvalidError,
attestationRevokedEvent,
attestedEvent,
childSetEvent,
committedEvent,
delegateSetEvent,
eIP712DomainChangedEvent,
memberSkippedEvent,
attestationsFunction,
batchMaxMemberCountFunction,
cidAndAddressToAttestationIndicesFunction,
cidToAttestationIndicesFunction,
commitFunction,
delegateFunction,
delegateBySigFunction,
delegationsFunction,
eip712DomainFunction,
nonceOfFunction,
revealFunction,
revealBatchFunction,
revealDelaySecondsFunction,
revocationPeriodSecondsFunction,
revokeAttestationFunction,
revokeDelegationFunction,
setChildIpfsHashFunction,
setChildIpfsHashesFunction
] as const;
