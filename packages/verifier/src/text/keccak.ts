/** Keccak-256 for many short inputs: a quote tree of 1 MiB takes 91,000 permutations. Each is three times as fast written out as in loops. */

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
/** The 25 lanes of 64 bits, each as its low and its high half. The type says that there are fifty. */
type Lanes = Int32Array & Record<`${'' | 1 | 2 | 3 | 4}${Digit}`, number>;

const newLanes = () => new Int32Array(50) as Lanes;
const blockBytes = 136;
const hashBytes = 32;

/** The constants of the 24 rounds, two halves each, from the shift register that FIPS 202 defines. */
function makeRoundConstants(): readonly number[] {
  const constants: number[] = [];
  let register = 1;
  for (let round = 0; round < 24; round++) {
    const halves: [number, number] = [0, 0];
    for (const bit of [0, 1, 3, 7, 15, 31, 63]) {
      if (register & 1) halves[bit < 32 ? 0 : 1] |= 1 << (bit % 32);
      register = (register << 1) ^ ((register >> 7) * 0x171);
    }
    constants.push(...halves);
  }
  return constants;
}

const roundConstants = Int32Array.from(makeRoundConstants());

/** One half of a lane rotated to the left by less than 32 bits. */
const rotated = (half: number, other: number, bits: number) => (half << bits) | (other >>> (32 - bits));

/** The steps theta, rho and pi: each lane is mixed with two columns, rotated and moved. */
function mix(s: Lanes, t: Lanes): void {
  const l0 = s[0] ^ s[10] ^ s[20] ^ s[30] ^ s[40];
  const h0 = s[1] ^ s[11] ^ s[21] ^ s[31] ^ s[41];
  const l1 = s[2] ^ s[12] ^ s[22] ^ s[32] ^ s[42];
  const h1 = s[3] ^ s[13] ^ s[23] ^ s[33] ^ s[43];
  const l2 = s[4] ^ s[14] ^ s[24] ^ s[34] ^ s[44];
  const h2 = s[5] ^ s[15] ^ s[25] ^ s[35] ^ s[45];
  const l3 = s[6] ^ s[16] ^ s[26] ^ s[36] ^ s[46];
  const h3 = s[7] ^ s[17] ^ s[27] ^ s[37] ^ s[47];
  const l4 = s[8] ^ s[18] ^ s[28] ^ s[38] ^ s[48];
  const h4 = s[9] ^ s[19] ^ s[29] ^ s[39] ^ s[49];
  const c0 = l4 ^ rotated(l1, h1, 1);
  const d0 = h4 ^ rotated(h1, l1, 1);
  const c1 = l0 ^ rotated(l2, h2, 1);
  const d1 = h0 ^ rotated(h2, l2, 1);
  const c2 = l1 ^ rotated(l3, h3, 1);
  const d2 = h1 ^ rotated(h3, l3, 1);
  const c3 = l2 ^ rotated(l4, h4, 1);
  const d3 = h2 ^ rotated(h4, l4, 1);
  const c4 = l3 ^ rotated(l0, h0, 1);
  const d4 = h3 ^ rotated(h0, l0, 1);
  t[0] = s[0] ^ c0;
  t[1] = s[1] ^ d0;
  t[2] = rotated(s[13] ^ d1, s[12] ^ c1, 12);
  t[3] = rotated(s[12] ^ c1, s[13] ^ d1, 12);
  t[4] = rotated(s[25] ^ d2, s[24] ^ c2, 11);
  t[5] = rotated(s[24] ^ c2, s[25] ^ d2, 11);
  t[6] = rotated(s[36] ^ c3, s[37] ^ d3, 21);
  t[7] = rotated(s[37] ^ d3, s[36] ^ c3, 21);
  t[8] = rotated(s[48] ^ c4, s[49] ^ d4, 14);
  t[9] = rotated(s[49] ^ d4, s[48] ^ c4, 14);
  t[10] = rotated(s[6] ^ c3, s[7] ^ d3, 28);
  t[11] = rotated(s[7] ^ d3, s[6] ^ c3, 28);
  t[12] = rotated(s[18] ^ c4, s[19] ^ d4, 20);
  t[13] = rotated(s[19] ^ d4, s[18] ^ c4, 20);
  t[14] = rotated(s[20] ^ c0, s[21] ^ d0, 3);
  t[15] = rotated(s[21] ^ d0, s[20] ^ c0, 3);
  t[16] = rotated(s[33] ^ d1, s[32] ^ c1, 13);
  t[17] = rotated(s[32] ^ c1, s[33] ^ d1, 13);
  t[18] = rotated(s[45] ^ d2, s[44] ^ c2, 29);
  t[19] = rotated(s[44] ^ c2, s[45] ^ d2, 29);
  t[20] = rotated(s[2] ^ c1, s[3] ^ d1, 1);
  t[21] = rotated(s[3] ^ d1, s[2] ^ c1, 1);
  t[22] = rotated(s[14] ^ c2, s[15] ^ d2, 6);
  t[23] = rotated(s[15] ^ d2, s[14] ^ c2, 6);
  t[24] = rotated(s[26] ^ c3, s[27] ^ d3, 25);
  t[25] = rotated(s[27] ^ d3, s[26] ^ c3, 25);
  t[26] = rotated(s[38] ^ c4, s[39] ^ d4, 8);
  t[27] = rotated(s[39] ^ d4, s[38] ^ c4, 8);
  t[28] = rotated(s[40] ^ c0, s[41] ^ d0, 18);
  t[29] = rotated(s[41] ^ d0, s[40] ^ c0, 18);
  t[30] = rotated(s[8] ^ c4, s[9] ^ d4, 27);
  t[31] = rotated(s[9] ^ d4, s[8] ^ c4, 27);
  t[32] = rotated(s[11] ^ d0, s[10] ^ c0, 4);
  t[33] = rotated(s[10] ^ c0, s[11] ^ d0, 4);
  t[34] = rotated(s[22] ^ c1, s[23] ^ d1, 10);
  t[35] = rotated(s[23] ^ d1, s[22] ^ c1, 10);
  t[36] = rotated(s[34] ^ c2, s[35] ^ d2, 15);
  t[37] = rotated(s[35] ^ d2, s[34] ^ c2, 15);
  t[38] = rotated(s[47] ^ d3, s[46] ^ c3, 24);
  t[39] = rotated(s[46] ^ c3, s[47] ^ d3, 24);
  t[40] = rotated(s[5] ^ d2, s[4] ^ c2, 30);
  t[41] = rotated(s[4] ^ c2, s[5] ^ d2, 30);
  t[42] = rotated(s[17] ^ d3, s[16] ^ c3, 23);
  t[43] = rotated(s[16] ^ c3, s[17] ^ d3, 23);
  t[44] = rotated(s[29] ^ d4, s[28] ^ c4, 7);
  t[45] = rotated(s[28] ^ c4, s[29] ^ d4, 7);
  t[46] = rotated(s[31] ^ d0, s[30] ^ c0, 9);
  t[47] = rotated(s[30] ^ c0, s[31] ^ d0, 9);
  t[48] = rotated(s[42] ^ c1, s[43] ^ d1, 2);
  t[49] = rotated(s[43] ^ d1, s[42] ^ c1, 2);
}

/** The step chi: each lane is mixed with the next two of its row. */
function mixRow(s: Lanes, t: Lanes, y: number): void {
  const l0 = t[y] ?? 0;
  const h0 = t[y + 1] ?? 0;
  const l1 = t[y + 2] ?? 0;
  const h1 = t[y + 3] ?? 0;
  const l2 = t[y + 4] ?? 0;
  const h2 = t[y + 5] ?? 0;
  const l3 = t[y + 6] ?? 0;
  const h3 = t[y + 7] ?? 0;
  const l4 = t[y + 8] ?? 0;
  const h4 = t[y + 9] ?? 0;
  s[y] = l0 ^ (~l1 & l2);
  s[y + 1] = h0 ^ (~h1 & h2);
  s[y + 2] = l1 ^ (~l2 & l3);
  s[y + 3] = h1 ^ (~h2 & h3);
  s[y + 4] = l2 ^ (~l3 & l4);
  s[y + 5] = h2 ^ (~h3 & h4);
  s[y + 6] = l3 ^ (~l4 & l0);
  s[y + 7] = h3 ^ (~h4 & h0);
  s[y + 8] = l4 ^ (~l0 & l1);
  s[y + 9] = h4 ^ (~h0 & h1);
}

/** Both are used by one call after the other: new arrays for each hash take as long as the hash. */
const [state, scratch] = [newLanes(), newLanes()];

function permute(): void {
  for (let round = 0; round < 48; round += 2) {
    mix(state, scratch);
    for (let row = 0; row < 50; row += 10) mixRow(state, scratch, row);
    state[0] ^= roundConstants[round] ?? 0;
    state[1] ^= roundConstants[round + 1] ?? 0;
  }
}

/** The four bytes from a place on, the first of them lowest; zeros past the end. */
const wordAt = (bytes: Uint8Array, at: number) =>
  (bytes[at] ?? 0) |
  ((bytes[at + 1] ?? 0) << 8) |
  ((bytes[at + 2] ?? 0) << 16) |
  ((bytes[at + 3] ?? 0) << 24);

/** Adds a byte to the state, at its place in the block. */
function addByte(place: number, byte: number): void {
  const half = place >>> 2;
  state[half] = (state[half] ?? 0) ^ (byte << (8 * (place & 3)));
}

/** Keccak-256, the hash of Ethereum. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  state.fill(0);
  let half = 0;
  for (let at = 0; at < bytes.length; at += 4) {
    state[half] = (state[half] ?? 0) ^ wordAt(bytes, at);
    half++;
    if (half < blockBytes / 4 || at + 4 > bytes.length) continue;
    permute();
    half = 0;
  }
  // The padding: a bit after the bytes, and one at the end of the block.
  addByte(bytes.length % blockBytes, 0x01);
  addByte(blockBytes - 1, 0x80);
  permute();
  const hash = new Uint8Array(hashBytes);
  for (let at = 0; at < hashBytes; at++) hash[at] = (state[at >>> 2] ?? 0) >>> (8 * (at & 3));
  return hash;
}
