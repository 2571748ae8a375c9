import { isAddressEqual } from 'viem';
import type { Address } from '../hex.ts';
import type { OfflineVerdict } from '../proof/verify-offline.ts';
import type { QuoteProof } from '../quote/quote-proof.ts';
import type { QuoteVerdict } from '../quote/verify-quote.ts';
import { digestOfCid } from '../reference/content-cid.ts';
import type { Verdict } from '../verdict/verdict.ts';

/** A statement that must hold, and whether it does. */
export interface Check {
  readonly name:
    | 'chain'
    | 'proof'
    | 'registry'
    | 'content'
    | 'authority'
    | 'index'
    | 'standing'
    | 'text'
    | 'quotes';
  readonly passed: boolean;
  /** The statement in words. */
  readonly statement: string;
}

const isSame = (address: Address | undefined, other: Address) =>
  address !== undefined && isAddressEqual(address, other);

/** Whether it rests on a proof, and nobody was asked. */
export const isOffline = (verdict: Verdict): verdict is OfflineVerdict => 'notChecked' in verdict;

function checkPlace(verdict: Verdict): Check[] {
  const { reference, registry, block } = verdict;
  const { chainId, registryAddress } = reference;
  const isKnown = registry?.version !== undefined;
  const passed = block !== undefined;
  return [
    isOffline(verdict)
      ? { name: 'proof', passed, statement: 'the proof holds, and is of the block with that hash' }
      : { name: 'chain', passed, statement: `the chain's id is ${chainId}` },
    {
      name: 'registry',
      passed: isKnown,
      statement: `the contract at ${registryAddress} is a known registry`,
    },
  ];
}

function checkRecord({ reference, record }: Verdict): Check[] {
  const { contentCid, authorityAddress, attestationIndex } = reference;
  const { entry, indexByAuthority } = record ?? {};
  const isContent = entry?.digest === digestOfCid(contentCid);
  const isAuthority = isSame(entry?.authorityAddress, authorityAddress);
  const isIndex = indexByAuthority === attestationIndex;
  const subject = `attestation ${attestationIndex}`;
  return [
    { name: 'content', passed: isContent, statement: `${subject} is of ${contentCid}` },
    { name: 'authority', passed: isAuthority, statement: `${subject} is by ${authorityAddress}` },
    { name: 'index', passed: isIndex, statement: `the registry finds ${subject} by content and authority` },
    { name: 'standing', passed: entry?.revokedAt === 0, statement: `${subject} is not revoked` },
  ];
}

function checkText({ text, quoteRootHolds }: Verdict): Check[] {
  if (!text) return [];
  return [
    { name: 'text', passed: text.isContent, statement: 'the CID is that of the text' },
    { name: 'quotes', passed: quoteRootHolds === true, statement: 'the quote root is that of the text' },
  ];
}

function checkQuote({ attestationIndex }: QuoteProof, quoteRootHolds: boolean | undefined): Check {
  const statement = `the proof leads to the quote root of attestation ${attestationIndex}`;
  return { name: 'quotes', passed: quoteRootHolds === true, statement };
}

/** Lists everything that must hold, whether or not what is before it does. */
export function checksOf(verdict: Verdict | QuoteVerdict): Check[] {
  const quoted = 'quote' in verdict ? [checkQuote(verdict.quote, verdict.quoteRootHolds)] : [];
  return [...checkPlace(verdict), ...checkRecord(verdict), ...checkText(verdict), ...quoted];
}
