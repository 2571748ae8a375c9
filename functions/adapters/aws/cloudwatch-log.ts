import type { Log } from '../../domain/services.ts';

/** URLs that RPC providers and the SDK may quote: path and query may hold a key. */
const urls = /\b(?:https?|wss?):\/\/[^\s"')]+/g;

/** Calldata and raw transactions, which hold salts; a hash or an address is shorter. */
const longHex = /0x[0-9a-f]{65,}/gi;

/** Length at which a logged cause is cut: long enough to find the cause, too short for a body. */
const maxCauseCharacters = 500;

function causesOf(error: unknown): { name: string; message: string }[] {
  if (!(error instanceof Error)) return [];
  const message = error.message
    .replace(urls, '<url>')
    .replace(longHex, '<data>')
    .slice(0, maxCauseCharacters);
  return [{ name: error.name, message }, ...causesOf(error.cause)];
}

/** Creates a function's log. It does not use `console`, which would wrap each line in another JSON object. */
export function functionLog(): Log {
  return jsonLog(
    (line) => process.stdout.write(`${line}\n`),
    () => new Date(),
  );
}

/** Creates a log that writes one JSON object per line, as CloudWatch indexes it. */
export function jsonLog(write: (line: string) => unknown, now: () => Date): Log {
  const line = (level: string, message: string, fields: object) =>
    write(JSON.stringify({ time: now().toISOString(), level, message, ...fields }));
  return {
    info: (message, fields = {}) => line('info', message, fields),
    warn: (message, fields = {}) => line('warn', message, fields),
    error: (message, error, fields = {}) => line('error', message, { ...fields, causes: causesOf(error) }),
  };
}
