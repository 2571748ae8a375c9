/** Target of a relation in a `Link` header (RFC 8288). */
export function linkTarget(header: string | null, relation: 'next' | 'help'): string | undefined {
  for (const [, target, parameters] of (header ?? '').matchAll(/<([^>]*)>([^,<]*)/g)) {
    const relations = /;\s*rel="?([^";]*)"?/i.exec(parameters ?? '')?.[1]?.split(' ') ?? [];
    if (relations.includes(relation)) return target;
  }
  return undefined;
}

/**
 * Reads the cursor of the page that `rel="next"` names. Nothing else is taken from the header: the key goes to no
 * address that an answer names, and a stage's path before a proxy differs from the one behind it.
 */
export function nextCursor(headers: Headers): string | undefined {
  const next = linkTarget(headers.get('link'), 'next');
  return (next && new URL(next, 'https://service.invalid').searchParams.get('cursor')) || undefined;
}
