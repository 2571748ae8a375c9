/** What a `Link` header (RFC 8288) names under a relation. */
export function linkTarget(header: string | null, relation: 'next' | 'help'): string | undefined {
  for (const [, target, parameters] of (header ?? '').matchAll(/<([^>]*)>([^,<]*)/g)) {
    const relations = /;\s*rel="?([^";]*)"?/i.exec(parameters ?? '')?.[1]?.split(' ') ?? [];
    if (relations.includes(relation)) return target;
  }
  return undefined;
}

/**
 * The cursor of the page that `rel="next"` names. Only that is taken from it: the key goes to no address that an
 * answer names, and a stage's path before a proxy is not the one behind it.
 */
export function nextCursor(headers: Headers): string | undefined {
  const next = linkTarget(headers.get('link'), 'next');
  return (next && new URL(next, 'https://service.invalid').searchParams.get('cursor')) || undefined;
}
