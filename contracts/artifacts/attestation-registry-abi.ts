// Written by contracts/compile/compile.ts from contracts/src; `node contracts/compile/compile.ts` writes it again.
export const attestationRegistryAbi = [
  {
    "inputs": [
      {
        "name": "revealDelaySeconds_",
        "type": "uint48"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [
      {
        "name": "attestationId",
        "type": "uint256"
      }
    ],
    "name": "AttestationAlreadyRevoked",
    "type": "error"
  },
  {
    "inputs": [
      {
        "name": "ipfsHash",
        "type": "bytes32"
      },
      {
        "name": "k",
        "type": "uint256"
      }
    ],
    "name": "AttestationIndexMissing",
    "type": "error"
  },
  {
    "inputs": [
      {
        "name": "attestationId",
        "type": "uint256"
      }
    ],
    "name": "AttestationUnknown",
    "type": "error"
  },
  {
    "inputs": [
      {
        "name": "committer",
        "type": "address"
      },
      {
        "name": "saltedHash",
        "type": "bytes32"
      }
    ],
    "name": "CommitMissing",
    "type": "error"
  },
  {
    "inputs": [
      {
        "name": "committer",
        "type": "address"
      },
      {
        "name": "saltedHash",
        "type": "bytes32"
      }
    ],
    "name": "CommitRepeated",
    "type": "error"
  },
  {
    "inputs": [
      {
        "name": "attestationId",
        "type": "uint256"
      }
    ],
    "name": "ContentAlreadyAttested",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "DelegateZero",
    "type": "error"
  },
  {
    "inputs": [
      {
        "name": "authority",
        "type": "address"
      },
      {
        "name": "currentNonce",
        "type": "uint256"
      }
    ],
    "name": "NonceMismatched",
    "type": "error"
  },
  {
    "inputs": [
      {
        "name": "revealableAt",
        "type": "uint256"
      }
    ],
    "name": "RevealTooEarly",
    "type": "error"
  },
  {
    "inputs": [
      {
        "name": "closedAt",
        "type": "uint256"
      }
    ],
    "name": "RevocationPeriodOver",
    "type": "error"
  },
  {
    "inputs": [
      {
        "name": "saltedHash",
        "type": "bytes32"
      },
      {
        "name": "expectedSaltedHash",
        "type": "bytes32"
      }
    ],
    "name": "SaltedHashMismatched",
    "type": "error"
  },
  {
    "inputs": [
      {
        "name": "sender",
        "type": "address"
      },
      {
        "name": "authority",
        "type": "address"
      }
    ],
    "name": "SenderUnauthorized",
    "type": "error"
  },
  {
    "inputs": [
      {
        "name": "deadline",
        "type": "uint256"
      }
    ],
    "name": "SignatureExpired",
    "type": "error"
  },
  {
    "inputs": [
      {
        "name": "authority",
        "type": "address"
      }
    ],
    "name": "SignatureInvalid",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "name": "attestationId",
        "type": "uint256"
      }
    ],
    "name": "AttestationRevoked",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "name": "authority",
        "type": "address"
      },
      {
        "indexed": false,
        "name": "ipfsHash",
        "type": "bytes32"
      }
    ],
    "name": "Attested",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "name": "attestationId",
        "type": "uint256"
      },
      {
        "indexed": true,
        "name": "childIpfsHash",
        "type": "bytes32"
      }
    ],
    "name": "ChildSet",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": false,
        "name": "saltedHash",
        "type": "bytes32"
      }
    ],
    "name": "Committed",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "name": "authority",
        "type": "address"
      },
      {
        "indexed": true,
        "name": "delegateAddress",
        "type": "address"
      }
    ],
    "name": "DelegateSet",
    "type": "event"
  },
  {
    "inputs": [
      {
        "name": "attestationId",
        "type": "uint256"
      }
    ],
    "name": "attestations",
    "outputs": [
      {
        "name": "ipfsHash",
        "type": "bytes32"
      },
      {
        "name": "qvHash",
        "type": "bytes32"
      },
      {
        "name": "parentIpfsHash",
        "type": "bytes32"
      },
      {
        "name": "authority",
        "type": "address"
      },
      {
        "name": "timestamp",
        "type": "uint256"
      },
      {
        "name": "revokedAt",
        "type": "uint256"
      },
      {
        "name": "childIpfsHash",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "name": "ipfsHash",
        "type": "bytes32"
      },
      {
        "name": "authority",
        "type": "address"
      }
    ],
    "name": "cidAndAddressToAttestationIndices",
    "outputs": [
      {
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "name": "ipfsHash",
        "type": "bytes32"
      },
      {
        "name": "k",
        "type": "uint256"
      }
    ],
    "name": "cidToAttestationIndices",
    "outputs": [
      {
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "name": "saltedHash",
        "type": "bytes32"
      }
    ],
    "name": "commit",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "name": "delegateAddress",
        "type": "address"
      }
    ],
    "name": "delegate",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "name": "authority",
        "type": "address"
      },
      {
        "name": "delegateAddress",
        "type": "address"
      },
      {
        "name": "nonce",
        "type": "uint256"
      },
      {
        "name": "deadline",
        "type": "uint256"
      },
      {
        "name": "signature",
        "type": "bytes"
      }
    ],
    "name": "delegateBySig",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "name": "authority",
        "type": "address"
      }
    ],
    "name": "delegations",
    "outputs": [
      {
        "name": "delegateAddress",
        "type": "address"
      },
      {
        "name": "timestamp",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "name": "authority",
        "type": "address"
      }
    ],
    "name": "nonceOf",
    "outputs": [
      {
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "name": "saltedHash",
        "type": "bytes32"
      },
      {
        "name": "salt",
        "type": "bytes32"
      },
      {
        "name": "ipfsHash",
        "type": "bytes32"
      },
      {
        "name": "qvHash",
        "type": "bytes32"
      },
      {
        "name": "parentIpfsHash",
        "type": "bytes32"
      },
      {
        "name": "authority",
        "type": "address"
      }
    ],
    "name": "reveal",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "revealDelaySeconds",
    "outputs": [
      {
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "revocationPeriodSeconds",
    "outputs": [
      {
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [
      {
        "name": "attestationId",
        "type": "uint256"
      }
    ],
    "name": "revokeAttestation",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "revokeDelegation",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "name": "attestationId",
        "type": "uint256"
      },
      {
        "name": "childIpfsHash",
        "type": "bytes32"
      }
    ],
    "name": "setChildIpfsHash",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const;
