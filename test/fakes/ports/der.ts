import { hexToBytes } from 'viem';

/** An integer in DER: big-endian, without needless zeros, with one zero before a set high bit. */
function integer(value: bigint): number[] {
  const hex = value.toString(16);
  const bytes = [...hexToBytes(`0x${hex.length % 2 ? '0' : ''}${hex}`)];
  const positive = (bytes[0] ?? 0) >= 0x80 ? [0, ...bytes] : bytes;
  return [0x02, positive.length, ...positive];
}

export function encodeDerSignature({ r, s }: { r: bigint; s: bigint }): Uint8Array {
  const body = [...integer(r), ...integer(s)];
  return Uint8Array.from([0x30, body.length, ...body]);
}
