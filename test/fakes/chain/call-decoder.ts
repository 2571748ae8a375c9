import {
  type Abi,
  type AbiFunction,
  type DecodeFunctionDataReturnType,
  decodeAbiParameters,
  type Hex,
  slice,
  toFunctionSelector,
} from 'viem';

const selectors = new WeakMap<Abi, Map<Hex, AbiFunction>>();

function functionsOf(abi: Abi): Map<Hex, AbiFunction> {
  const known = selectors.get(abi);
  if (known) return known;
  const functions = abi.filter((item) => item.type === 'function');
  const found = new Map(functions.map((item) => [toFunctionSelector(item), item]));
  selectors.set(abi, found);
  return found;
}

const wordDigits = 64;

/** Whether a contract with this ABI can decode the call. This checks one word per argument, not the items of lists. */
export function isDecodable(abi: Abi, data: Hex): boolean {
  const inputs = functionsOf(abi).get(slice(data, 0, 4))?.inputs;
  return (
    inputs?.every(({ type }, position) => {
      const start = 10 + position * wordDigits;
      const word = data.slice(start, start + wordDigits);
      return word.length === wordDigits && (type !== 'address' || word.startsWith('0'.repeat(24)));
    }) ?? false
  );
}

/** Does the same as viem's `decodeFunctionData`, which hashes all signatures at each call. @throws Error if unknown */
export function decodeCall<Interface extends Abi>(
  abi: Interface,
  data: Hex,
): DecodeFunctionDataReturnType<Interface> {
  const item = functionsOf(abi).get(slice(data, 0, 4));
  if (!item) throw new Error(`no function ${data.slice(0, 10)}`);
  const args = item.inputs.length > 0 ? decodeAbiParameters(item.inputs, slice(data, 4)) : undefined;
  return { functionName: item.name, args } as unknown as DecodeFunctionDataReturnType<Interface>;
}
