// Written by contracts/compile/compile.ts from contracts/src; `node contracts/compile/compile.ts` writes it again.
export const delegateForwarderAbi = [
  {
    "inputs": [
      {
        "name": "registry_",
        "type": "address"
      },
      {
        "name": "admin_",
        "type": "address"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [],
    "name": "AdminZero",
    "type": "error"
  },
  {
    "inputs": [
      {
        "name": "position",
        "type": "uint256"
      }
    ],
    "name": "GasShort",
    "type": "error"
  },
  {
    "inputs": [
      {
        "name": "registry",
        "type": "address"
      }
    ],
    "name": "RegistryMissing",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "RevertDataMissing",
    "type": "error"
  },
  {
    "inputs": [
      {
        "name": "position",
        "type": "uint256"
      },
      {
        "name": "selector",
        "type": "bytes4"
      }
    ],
    "name": "SelectorForbidden",
    "type": "error"
  },
  {
    "inputs": [
      {
        "name": "sender",
        "type": "address"
      }
    ],
    "name": "SenderNotAdmin",
    "type": "error"
  },
  {
    "inputs": [
      {
        "name": "sender",
        "type": "address"
      }
    ],
    "name": "SenderNotOperator",
    "type": "error"
  },
  {
    "inputs": [
      {
        "name": "sender",
        "type": "address"
      }
    ],
    "name": "SenderNotPendingAdmin",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "name": "admin",
        "type": "address"
      },
      {
        "indexed": true,
        "name": "pendingAdmin",
        "type": "address"
      }
    ],
    "name": "AdminTransferStarted",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "name": "previousAdmin",
        "type": "address"
      },
      {
        "indexed": true,
        "name": "admin",
        "type": "address"
      }
    ],
    "name": "AdminTransferred",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "name": "position",
        "type": "uint256"
      },
      {
        "indexed": false,
        "name": "revertData",
        "type": "bytes"
      }
    ],
    "name": "CallFailed",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "name": "operator",
        "type": "address"
      },
      {
        "indexed": false,
        "name": "callCount",
        "type": "uint256"
      },
      {
        "indexed": false,
        "name": "failureCount",
        "type": "uint256"
      }
    ],
    "name": "Executed",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "name": "operator",
        "type": "address"
      }
    ],
    "name": "OperatorAdded",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "name": "operator",
        "type": "address"
      }
    ],
    "name": "OperatorRemoved",
    "type": "event"
  },
  {
    "inputs": [],
    "name": "acceptAdmin",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "name": "operator",
        "type": "address"
      }
    ],
    "name": "addOperator",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "admin",
    "outputs": [
      {
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "name": "calls",
        "type": "bytes[]"
      }
    ],
    "name": "execute",
    "outputs": [
      {
        "name": "revertData",
        "type": "bytes[]"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "name": "account",
        "type": "address"
      }
    ],
    "name": "isOperator",
    "outputs": [
      {
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "pendingAdmin",
    "outputs": [
      {
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "registry",
    "outputs": [
      {
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "name": "operator",
        "type": "address"
      }
    ],
    "name": "removeOperator",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "name": "newAdmin",
        "type": "address"
      }
    ],
    "name": "transferAdmin",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const;
