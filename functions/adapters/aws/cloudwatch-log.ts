import { Metrics } from '@aws-lambda-powertools/metrics';
import { watchedLine } from '../../domain/log-lines.ts';
import type { Log } from '../../domain/services.ts';

/** URLs in provider and SDK errors: path and query may contain a key. */
const urls = /\b(?:https?|wss?):\/\/[^\s"')]+/g;

/** Calldata and raw transactions, which hold salts; a hash or an address is shorter. */
const longHex = /0x[0-9a-f]{65,}/gi;

/** Maximum length of a logged cause: long enough to diagnose, too short for a body. */
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

type Fields = Readonly<Record<string, unknown>>;

/** A log of arbitrary messages, for the tests of the log itself. */
type AnyLog = {
  readonly [Level in keyof Log]: Log[Level] extends (message: never, ...rest: infer Rest) => void
    ? (message: string, ...rest: Rest) => void
    : never;
};

/** Creates a log of JSON lines. Lines that are metrics use CloudWatch's embedded metric format. */
export function jsonLog(
  write: (line: string) => unknown,
  now: () => Date,
  metrics: Metrics = new Metrics(),
): AnyLog {
  const line = (level: string, message: string, fields: Fields) => {
    const time = now();
    const embedded = embeddedMetrics(metrics, message, fields, time);
    write(JSON.stringify({ time: time.toISOString(), level, message, ...fields, ...embedded }));
  };
  return {
    info: (message, fields = {}) => line('info', message, fields),
    warn: (message, fields = {}) => line('warn', message, fields),
    error: (message, error, fields = {}) => line('error', message, { ...fields, causes: causesOf(error) }),
  };
}

function embeddedMetrics(metrics: Metrics, message: string, fields: Fields, time: Date): object {
  const { counts, measures = {}, byChain } = watchedLine(message) ?? {};
  if (counts !== undefined) metrics.addMetric(counts, 'Count', 1);
  for (const [field, [name, unit]] of Object.entries(measures)) {
    const value = fields[field];
    if (typeof value === 'number') metrics.addMetric(name, unit, value);
  }
  if (!metrics.hasStoredMetrics()) return {};
  if (byChain) metrics.addDimension('Chain', String(fields.chainId));
  const { _aws: directive, ...members } = metrics.serializeMetrics();
  metrics.clearMetrics();
  metrics.clearDimensions();
  return { ...members, _aws: { ...directive, Timestamp: time.getTime() } };
}
