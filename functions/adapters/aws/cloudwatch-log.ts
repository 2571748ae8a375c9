import type { Log } from '../../domain/services.ts';

/** Where RPC providers and the SDK may quote a URL or a request: its path and query may hold a key. */
const urls = /\b(?:https?|wss?):\/\/[^\s"')]+/g;

/** Calldata and raw transactions, which hold salts; a hash or an address is shorter. */
const longHex = /0x[0-9a-f]{65,}/gi;

/** Long enough to find a cause by, and never a body. */
const maxCauseCharacters = 500;

function causesOf(error: unknown): { name: string; message: string }[] {
  if (!(error instanceof Error)) return [];
  const message = error.message
    .replace(urls, '<url>')
    .replace(longHex, '<data>')
    .slice(0, maxCauseCharacters);
  return [{ name: error.name, message }, ...causesOf(error.cause)];
}

/** A function's log. Not through `console`, which would wrap each line in another JSON object. */
export function functionLog(): Log {
  return jsonLog(
    (line) => process.stdout.write(`${line}\n`),
    () => new Date(),
  );
}

/** One JSON object a line, as CloudWatch indexes it. */
export function jsonLog(write: (line: string) => unknown, now: () => Date): Log {
  const line = (level: string, message: string, fields: object) =>
    write(JSON.stringify({ time: now().toISOString(), level, message, ...fields }));
  return {
    info: (message, fields = {}) => line('info', message, fields),
    warn: (message, fields = {}) => line('warn', message, fields),
    error: (message, error, fields = {}) => line('error', message, { ...fields, causes: causesOf(error) }),
  };
}
