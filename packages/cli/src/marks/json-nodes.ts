import { parse, type ValueNode } from '@humanwhocodes/momoa';

export interface JsonNode {
  readonly start: number;
  readonly end: number;
  /** Value of a string, number, boolean or null. */
  readonly scalar?: unknown;
  readonly members?: readonly (readonly [key: string, value: JsonNode])[];
  readonly items?: readonly JsonNode[];
}

const maxDepth = 200;

function nodeOf(value: ValueNode, depth = 0): JsonNode {
  if (depth > maxDepth) throw new RangeError('the JSON is nested too deeply');
  const [start, end] = value.range ?? [0, 0];
  if (value.type === 'Array')
    return { start, end, items: value.elements.map((element) => nodeOf(element.value, depth + 1)) };
  if (value.type !== 'Object') return { start, end, scalar: 'value' in value ? value.value : null };
  const members = value.members.map(
    (member) =>
      [member.name.type === 'String' ? member.name.value : '', nodeOf(member.value, depth + 1)] as const,
  );
  return { start, end, members };
}

/** Parses JSON with positions; `undefined` if it is invalid or nested too deeply. */
export function readJsonNodes(text: string): JsonNode | undefined {
  try {
    // The library accepts some texts that are not JSON.
    JSON.parse(text);
    return nodeOf(parse(text, { ranges: true }).body);
  } catch {
    return undefined;
  }
}

/** Returns the value of an object's member. If several have this name, the last one counts, as in `JSON.parse`. */
export function memberOf({ members = [] }: JsonNode, name: string): JsonNode | undefined {
  return members.findLast(([key]) => key === name)?.[1];
}

/** Lists a value and all values in it, outer ones first. */
export function nodesIn(node: JsonNode): JsonNode[] {
  const inner = [...(node.items ?? []), ...(node.members ?? []).map(([, value]) => value)];
  return [node, ...inner.flatMap(nodesIn)];
}
