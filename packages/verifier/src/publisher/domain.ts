import { excerpt } from '../reference/reference-parts.ts';

/** An invalid domain name; the message is one line. */
export class DomainInvalidError extends Error {
  override name = 'DomainInvalidError';
}

const maxCharacters = 253;
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** At least two labels; the last is not a number, unlike in an IP address. */
const domainForm = new RegExp(`^(?:${label}\\.)+(?!\\d+$)${label}$`);

/** The host of a URL with this name. The URL parser maps letters and checks Unicode names. */
function hostOf(text: string): string | undefined {
  const url = `https://${text}/`;
  return /[\s/:@?#\\%]/.test(text) || !URL.canParse(url) ? undefined : new URL(url).hostname;
}

/** Parses a domain name, possibly in Unicode, into lower-case ASCII. @throws DomainInvalidError */
export function parseDomain(text: string): string {
  const host = hostOf(text.trim());
  if (host !== undefined && host.length <= maxCharacters && domainForm.test(host)) return host;
  throw new DomainInvalidError(
    `a domain must be a name such as example.org, with no scheme, port or path, not ${excerpt(text)}`,
  );
}

/** URL of a domain's authorities file. */
export function authoritiesUrl(domain: string): string {
  return `https://${parseDomain(domain)}/.well-known/attestation-authorities.json`;
}

/** Scripts with similar letters. */
const similarScripts = ['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
);

const mixesScripts = (text: string) => similarScripts.filter((script) => script.test(text)).length > 1;

/** A domain name for readers. */
export interface ShownDomain {
  /** In lower-case ASCII, which a reader can compare with a known name. */
  readonly domain: string;
  /** In Unicode, if that differs. */
  readonly unicodeDomain: string | undefined;
  /** Sentences about the name for readers. */
  readonly notices: readonly string[];
}

/** Prepares a domain name for readers; a name beyond ASCII gets a notice. @throws DomainInvalidError */
export function showDomain(text: string): ShownDomain {
  const domain = parseDomain(text);
  const labels = domain.split('.').map(decodeLabel);
  const unicodeDomain = labels.join('.');
  if (unicodeDomain === domain) return { domain, unicodeDomain: undefined, notices: [] };
  const notice = `${domain} is displayed as ${excerpt(unicodeDomain)}: its letters may look like others, so compare it with the name that you know.`;
  const mixed = `${domain} mixes letters of several scripts, like names that imitate another.`;
  return { domain, unicodeDomain, notices: labels.some(mixesScripts) ? [mixed, notice] : [notice] };
}

/** Parameters of punycode (RFC 3492, section 5). */
const [base, tMin, tMax, skew, damp, initialBias, initialCodePoint] = [36, 1, 26, 38, 700, 72, 128];

function adapt(delta: number, count: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? damp : 2));
  rest += Math.floor(rest / count);
  let bias = 0;
  for (; rest > ((base - tMin) * tMax) / 2; bias += base) rest = Math.floor(rest / (base - tMin));
  return bias + Math.floor(((base - tMin + 1) * rest) / (rest + skew));
}

/** Reads one number from the digits; `undefined` if they end too early. */
function readDelta(digits: string[], bias: number): number | undefined {
  let [delta, weight] = [0, 1];
  for (let k = base; ; k += base) {
    // Punycode has letters before digits, unlike parseInt.
    const digit = (Number.parseInt(digits.shift() ?? '', base) + 26) % base;
    if (Number.isNaN(digit)) return undefined;
    delta += digit * weight;
    const threshold = Math.min(Math.max(k - bias, tMin), tMax);
    if (digit < threshold) return delta;
    weight *= base - threshold;
  }
}

/** Decodes a label from punycode, for which browsers have no function; returns other labels unchanged. */
function decodeLabel(label: string): string {
  if (!label.startsWith('xn--')) return label;
  const encoded = label.slice(4);
  const border = encoded.lastIndexOf('-');
  const characters = [...encoded.slice(0, Math.max(border, 0))];
  const digits = [...encoded.slice(border + 1)];
  let [codePoint, position, bias] = [initialCodePoint, 0, initialBias];
  while (digits.length > 0) {
    const delta = readDelta(digits, bias);
    if (delta === undefined) return label;
    const count = characters.length + 1;
    position += delta;
    bias = adapt(delta, count, position === delta);
    codePoint += Math.floor(position / count);
    position %= count;
    if (codePoint > 0x10ffff) return label;
    characters.splice(position, 0, String.fromCodePoint(codePoint));
    position++;
  }
  return characters.join('');
}
