/** Parameters of punycode (RFC 3492, section 5). */
const [base, tMin, tMax, skew, damp, initialBias, initialCodePoint] = [36, 1, 26, 38, 700, 72, 128];

function adapt(delta: number, count: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? damp : 2));
  rest += Math.floor(rest / count);
  let bias = 0;
  for (; rest > ((base - tMin) * tMax) / 2; bias += base) rest = Math.floor(rest / (base - tMin));
  return bias + Math.floor(((base - tMin + 1) * rest) / (rest + skew));
}

/** Reads one number from the digits; `undefined` where they end within it. */
function readDelta(digits: string[], bias: number): number | undefined {
  let [delta, weight] = [0, 1];
  for (let k = base; ; k += base) {
    const digit = '0123456789'.includes(digits[0] ?? '') ? 26 + Number(digits[0]) : digitOfLetter(digits[0]);
    digits.shift();
    if (digit === undefined) return undefined;
    delta += digit * weight;
    const threshold = Math.min(Math.max(k - bias, tMin), tMax);
    if (digit < threshold) return delta;
    weight *= base - threshold;
  }
}

function digitOfLetter(letter = ''): number | undefined {
  return /^[a-z]$/.test(letter) ? letter.charCodeAt(0) - 97 : undefined;
}

/**
 * A label of a domain in Unicode, for which browsers have no function. One that is not encoded, or wrongly, comes back as
 * it is.
 */
export function decodeLabel(label: string): string {
  if (!label.startsWith('xn--')) return label;
  const encoded = label.slice(4);
  const border = encoded.lastIndexOf('-');
  const characters = [...encoded.slice(0, Math.max(border, 0))];
  const digits = [...encoded.slice(border + 1)];
  let [codePoint, place, bias] = [initialCodePoint, 0, initialBias];
  while (digits.length > 0) {
    const delta = readDelta(digits, bias);
    if (delta === undefined) return label;
    const count = characters.length + 1;
    place += delta;
    bias = adapt(delta, count, place === delta);
    codePoint += Math.floor(place / count);
    place %= count;
    if (codePoint > 0x10ffff) return label;
    characters.splice(place, 0, String.fromCodePoint(codePoint));
    place++;
  }
  return characters.join('');
}
