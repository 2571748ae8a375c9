// Written by contracts/compile/compile.ts from contracts/src; `node contracts/compile/compile.ts` writes it again.
export const adminZeroError = {"type":"error","name":"AdminZero","inputs":[]} as const;

export const gasShortError = {"type":"error","name":"GasShort","inputs":[{"name":"position","type":"uint256"}]} as const;

export const registryMissingError = {"type":"error","name":"RegistryMissing","inputs":[{"name":"registry","type":"address"}]} as const;

export const revertDataMissingError = {"type":"error","name":"RevertDataMissing","inputs":[]} as const;

export const selectorForbiddenError = {"type":"error","name":"SelectorForbidden","inputs":[{"name":"position","type":"uint256"},{"name":"selector","type":"bytes4"}]} as const;

export const senderNotAdminError = {"type":"error","name":"SenderNotAdmin","inputs":[{"name":"sender","type":"address"}]} as const;

export const senderNotOperatorError = {"type":"error","name":"SenderNotOperator","inputs":[{"name":"sender","type":"address"}]} as const;

export const senderNotPendingAdminError = {"type":"error","name":"SenderNotPendingAdmin","inputs":[{"name":"sender","type":"address"}]} as const;

export const adminTransferStartedEvent = {"type":"event","name":"AdminTransferStarted","anonymous":false,"inputs":[{"indexed":true,"name":"admin","type":"address"},{"indexed":true,"name":"pendingAdmin","type":"address"}]} as const;

export const adminTransferredEvent = {"type":"event","name":"AdminTransferred","anonymous":false,"inputs":[{"indexed":true,"name":"previousAdmin","type":"address"},{"indexed":true,"name":"admin","type":"address"}]} as const;

export const callFailedEvent = {"type":"event","name":"CallFailed","anonymous":false,"inputs":[{"indexed":true,"name":"position","type":"uint256"},{"indexed":false,"name":"revertData","type":"bytes"}]} as const;

export const executedEvent = {"type":"event","name":"Executed","anonymous":false,"inputs":[{"indexed":true,"name":"operator","type":"address"},{"indexed":false,"name":"callCount","type":"uint256"},{"indexed":false,"name":"failureCount","type":"uint256"}]} as const;

export const operatorAddedEvent = {"type":"event","name":"OperatorAdded","anonymous":false,"inputs":[{"indexed":true,"name":"operator","type":"address"}]} as const;

export const operatorRemovedEvent = {"type":"event","name":"OperatorRemoved","anonymous":false,"inputs":[{"indexed":true,"name":"operator","type":"address"}]} as const;

export const acceptAdminFunction = {"type":"function","name":"acceptAdmin","inputs":[],"outputs":[],"stateMutability":"nonpayable"} as const;

export const addOperatorFunction = {"type":"function","name":"addOperator","inputs":[{"name":"operator","type":"address"}],"outputs":[],"stateMutability":"nonpayable"} as const;

export const adminFunction = {"type":"function","name":"admin","inputs":[],"outputs":[{"name":"","type":"address"}],"stateMutability":"view"} as const;

export const executeFunction = {"type":"function","name":"execute","inputs":[{"name":"calls","type":"bytes[]"}],"outputs":[{"name":"revertData","type":"bytes[]"}],"stateMutability":"nonpayable"} as const;

export const isOperatorFunction = {"type":"function","name":"isOperator","inputs":[{"name":"account","type":"address"}],"outputs":[{"name":"","type":"bool"}],"stateMutability":"view"} as const;

export const pendingAdminFunction = {"type":"function","name":"pendingAdmin","inputs":[],"outputs":[{"name":"","type":"address"}],"stateMutability":"view"} as const;

export const registryFunction = {"type":"function","name":"registry","inputs":[],"outputs":[{"name":"","type":"address"}],"stateMutability":"view"} as const;

export const removeOperatorFunction = {"type":"function","name":"removeOperator","inputs":[{"name":"operator","type":"address"}],"outputs":[],"stateMutability":"nonpayable"} as const;

export const transferAdminFunction = {"type":"function","name":"transferAdmin","inputs":[{"name":"newAdmin","type":"address"}],"outputs":[],"stateMutability":"nonpayable"} as const;

export const delegateForwarderErrors = [
adminZeroError,
gasShortError,
registryMissingError,
revertDataMissingError,
selectorForbiddenError,
senderNotAdminError,
senderNotOperatorError,
senderNotPendingAdminError
] as const;

export const delegateForwarderAbi = [
{"type":"constructor","inputs":[{"name":"registry_","type":"address"},{"name":"admin_","type":"address"}],"stateMutability":"nonpayable"},
adminZeroError,
gasShortError,
registryMissingError,
revertDataMissingError,
selectorForbiddenError,
senderNotAdminError,
senderNotOperatorError,
senderNotPendingAdminError,
adminTransferStartedEvent,
adminTransferredEvent,
callFailedEvent,
executedEvent,
operatorAddedEvent,
operatorRemovedEvent,
acceptAdminFunction,
addOperatorFunction,
adminFunction,
executeFunction,
isOperatorFunction,
pendingAdminFunction,
registryFunction,
removeOperatorFunction,
transferAdminFunction
] as const;
