import { attestationIdentifier, attestationScript, scriptJson } from 'imprimatur-verifier';
import { UsageInvalidError } from '../errors.ts';
import { type JsonNode, memberOf, nodesIn, readJsonNodes } from './json-nodes.ts';
import { contentOf, type Edit, insertion, type Page } from './page.ts';

export interface ArticleFacts {
  readonly reference: string;
  readonly correction?: string | undefined;
}

interface Block {
  readonly root: JsonNode;
  readonly start: number;
  readonly text: string;
}

const commentOf = (url: string) => ({ '@type': 'CorrectionComment', url });

function blocksOf(page: Page): Block[] {
  const isJsonLd = (type = '') => type.split(';')[0]?.trim().toLowerCase() === 'application/ld+json';
  return page.elements
    .filter(({ name, attributes }) => name === 'script' && isJsonLd(attributes.get('type')))
    .flatMap((script) => {
      const { start, text } = contentOf(page, script);
      const root = readJsonNodes(text);
      return root ? [{ root, start, text }] : [];
    });
}

const itemsOf = (node: JsonNode | undefined): readonly JsonNode[] => (node ? (node.items ?? [node]) : []);

const attestationsIn = (object: JsonNode) =>
  itemsOf(memberOf(object, 'identifier')).filter(
    (id) => memberOf(id, 'propertyID')?.scalar === 'attestation',
  );

/** Whether the type is an article of schema.org: NewsArticle, Report, BlogPosting and so on. */
const isArticle = (object: JsonNode) =>
  itemsOf(memberOf(object, '@type')).some(({ scalar }) =>
    /(?:Article|Report|BlogPosting)$/.test(String(scalar)),
  );

/** Main objects of a block: itself, the items of its list or graph, and the `mainEntity` of a page. */
function subjectsOf(root: JsonNode): JsonNode[] {
  const outer = itemsOf(root).flatMap((node) => [node, ...itemsOf(memberOf(node, '@graph'))]);
  return outer.flatMap((node) => [node, ...itemsOf(memberOf(node, 'mainEntity'))]);
}

/** Adds a value to a member of an object, after existing ones. */
function additionEdit({ text, start }: Block, object: JsonNode, name: string, value: object): Edit {
  const json = scriptJson(value);
  const offset = (position: number) => start + position;
  const member = memberOf(object, name);
  if (!member) {
    const inner = object.start + 1;
    const [space = ''] = /^[\t\n\r ]*/.exec(text.slice(inner)) ?? [];
    const comma = object.members?.length === 0 ? '' : ',';
    return insertion(offset(inner), `${space}"${name}": ${json}${comma}`);
  }
  const last = member.items?.at(-1);
  if (last) return insertion(offset(last.end), `, ${json}`);
  const isEmpty = member.items !== undefined || member.scalar === null;
  const existing = isEmpty ? '' : `${text.slice(member.start, member.end)}, `;
  return { start: offset(member.start), end: offset(member.end), text: `[${existing}${json}]` };
}

function replacement({ start }: Block, attestation: JsonNode, json: string): Edit[] {
  const value = memberOf(attestation, 'value');
  if (!value) return [insertion(start + attestation.start + 1, `"value": ${json}, `)];
  return [{ start: start + value.start, end: start + value.end, text: json }];
}

function correctionEdits(block: Block, object: JsonNode, { correction }: ArticleFacts): Edit[] {
  if (correction === undefined) return [];
  const existing = memberOf(object, 'correction');
  if (existing && nodesIn(existing).some(({ scalar }) => scalar === correction)) return [];
  return [additionEdit(block, object, 'correction', commentOf(correction))];
}

interface AttestedObject {
  readonly block: Block;
  readonly object: JsonNode;
  readonly attestations: readonly JsonNode[];
}

/** Refuses a page that names several attestations, or the attestation of another article, for example a cited one. */
function checkSingle(attested: readonly AttestedObject[]): void {
  const other = attested.find(({ block, object }) => !subjectsOf(block.root).includes(object));
  if (other) {
    const value = other.attestations.map((id) => memberOf(id, 'value')?.scalar).join(', ');
    throw new UsageInvalidError(`the page's JSON-LD names an attestation of something else; remove ${value}`);
  }
  const values = attested.flatMap(({ attestations }) =>
    attestations.map((id) => memberOf(id, 'value')?.scalar),
  );
  if (new Set(values).size <= 1) return;
  throw new UsageInvalidError('the page names several attestations in its JSON-LD; keep only one');
}

/**
 * Edits that add the reference to a page's JSON-LD: they replace an earlier reference, add an identifier to the
 * article's object, or add a block.
 * @param head position for a new block
 */
export function jsonLdEdits(page: Page, facts: ArticleFacts, head: number): Edit[] {
  const blocks = blocksOf(page);
  const attested = blocks.flatMap((block) =>
    nodesIn(block.root)
      .map((object) => ({ block, object, attestations: attestationsIn(object) }))
      .filter(({ attestations }) => attestations.length > 0),
  );
  checkSingle(attested);
  const json = scriptJson(facts.reference);
  const [first] = attested;
  if (first) {
    const replaced = attested.flatMap(({ block, attestations }) =>
      attestations.flatMap((id) => replacement(block, id, json)),
    );
    return [...replaced, ...correctionEdits(first.block, first.object, facts)];
  }
  for (const block of blocks) {
    const article = subjectsOf(block.root).find(isArticle);
    if (!article) continue;
    const identifier = additionEdit(block, article, 'identifier', attestationIdentifier(facts.reference));
    return [identifier, ...correctionEdits(block, article, facts)];
  }
  const { correction, reference } = facts;
  const members = correction === undefined ? {} : { correction: commentOf(correction) };
  return [insertion(head, attestationScript(reference, members))];
}
