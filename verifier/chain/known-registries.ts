import { isAddressEqual, keccak256 } from 'viem';
import type { Address, Hex } from '../hex.ts';

/** A registry's code, as far as it is known. */
export interface RegistryCode {
  /** keccak256 of the whole code. */
  readonly codeHash: Hex;
  /** Name of the version; `undefined` for code that is not known, whose answers mean nothing. */
  readonly version: string | undefined;
  /** Least seconds between commit and reveal; `undefined` where the code does not show it. */
  readonly revealDelaySeconds: number | undefined;
  /** Whether the code itself is known; the public deployment is known by chain and address only. */
  readonly codeIsKnown: boolean;
}

interface KnownCode {
  readonly version: string;
  /** keccak256 of the runtime code with zeros in place of the reveal delay, which a deployment chooses. */
  readonly maskedCodeHash: Hex;
  /** Places of the reveal delay in the code, 32 bytes each. */
  readonly delayOffsetsBytes: readonly number[];
}

/** The versions of this project's `AttestationRegistry`, newest first. */
const knownCodes: readonly KnownCode[] = [
  {
    version: 'AttestationRegistry 2',
    maskedCodeHash: '0x1c682e60f6a08b307894ef8ac5e47f22669a71ef26ba23abfff2c839acf0f3d3',
    delayOffsetsBytes: [339, 7788],
  },
  {
    version: 'AttestationRegistry 1',
    maskedCodeHash: '0x3fea25035b020dd1a2f19eadb495780680f38e193716dcc2983c328b8f293d42',
    delayOffsetsBytes: [295, 1146],
  },
];

/** The public deployment of the interface. Its source is not ours to read, so its code is not pinned. */
const publicRegistry: { readonly address: Address; readonly chainIds: readonly number[] } = {
  address: '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381',
  chainIds: [1, 42_161, 8453, 11_155_111],
};

const wordDigits = 64;
const zeroWord = '0'.repeat(wordDigits);

function maskDelay(code: Hex, offsetsBytes: readonly number[]): { masked: Hex; words: Set<string> } {
  const words = new Set<string>();
  let masked = code.slice(2);
  for (const offset of offsetsBytes) {
    const start = 2 * offset;
    words.add(masked.slice(start, start + wordDigits));
    masked = masked.slice(0, start) + zeroWord + masked.slice(start + wordDigits);
  }
  return { masked: `0x${masked}`, words };
}

/** The reveal delay when the code is of this version, deployed with any delay. */
function delayIn(code: Hex, known: KnownCode): number | undefined {
  const { masked, words } = maskDelay(code, known.delayOffsetsBytes);
  const [word = ''] = words;
  // The compiler writes the same word at each place: other words are other code.
  return keccak256(masked) === known.maskedCodeHash && words.size === 1 ? Number(`0x${word}`) : undefined;
}

/** Recognises the code at an address; `undefined` where there is none. */
export function recognizeRegistry(chainId: number, address: Address, code: Hex): RegistryCode | undefined {
  if (code === '0x') return undefined;
  const codeHash = keccak256(code);
  for (const known of knownCodes) {
    const revealDelaySeconds = delayIn(code, known);
    if (revealDelaySeconds !== undefined)
      return { codeHash, version: known.version, revealDelaySeconds, codeIsKnown: true };
  }
  const isPublic =
    publicRegistry.chainIds.includes(chainId) && isAddressEqual(address, publicRegistry.address);
  const version = isPublic ? 'the public deployment' : undefined;
  return { codeHash, version, revealDelaySeconds: undefined, codeIsKnown: false };
}
