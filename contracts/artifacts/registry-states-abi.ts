// Written by contracts/compile/compile.ts from contracts/src; `node contracts/compile/compile.ts` writes it again.
export const registryStatesAbi = [
{"type":"constructor","inputs":[{"components":[{"name":"registry","type":"address"},{"name":"ipfsHash","type":"bytes32"},{"name":"authority","type":"address"}],"name":"queries","type":"tuple[]"}],"stateMutability":"nonpayable"}
] as const;
