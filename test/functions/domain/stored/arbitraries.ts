import fc from 'fast-check';
import type { Address, Hex } from 'viem';

const hex = (digits: number): fc.Arbitrary<Hex> =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: digits, maxLength: digits })
    .map((all): Hex => `0x${all.join('')}`);

export const hash = hex(64);
export const address: fc.Arbitrary<Address> = hex(40);
export const text = fc.string({ minLength: 1 });
export const time = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
