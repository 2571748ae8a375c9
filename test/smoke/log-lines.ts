const levels = ['info', 'warn', 'error'];

const parsed = (line: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};

/** Lines of Lambda itself where it does not log JSON, as on emulators, and warnings of Node, which are text everywhere. */
const platformText = /^(START|END|REPORT|INIT_START|XRAY) |^\(node:\d+\) .*Warning: |^\(Use `node /;

/** The line that Lambda's runtime writes of an error that a handler threw, as handlers do to be run again. */
const isThrown = ({ timestamp, requestId, level, message }: Record<string, unknown>): boolean =>
  level === 'ERROR' &&
  [timestamp, requestId, Object(message).errorType].every((it) => typeof it === 'string');

/** Says what a function's line is: the service's own, Lambda's, or something that should not be there. */
export function kindOfLine(line: string): 'service' | 'platform' | 'thrown' | { readonly problem: string } {
  if (platformText.test(line)) return 'platform';
  const fields = parsed(line);
  if (!fields) return { problem: 'is not JSON' };
  // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-advanced.html
  if (typeof fields.type === 'string' && fields.type.startsWith('platform.')) return 'platform';
  if (isThrown(fields)) return 'thrown';
  const { time, level, message, _aws: metrics } = fields;
  if (typeof time !== 'string' || Number.isNaN(Date.parse(time))) return { problem: 'has no time' };
  if (!levels.includes(String(level))) return { problem: 'has no level' };
  if (typeof message !== 'string' || message === '') return { problem: 'has no message' };
  return metrics === undefined || isMetricFormat(metrics, fields)
    ? 'service'
    : { problem: 'has a wrong _aws' };
}

interface MetricDirective {
  readonly Namespace?: string;
  readonly Dimensions?: readonly (readonly string[])[];
  readonly Metrics?: readonly { readonly Name: string }[];
}

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html */
function isMetricFormat(metrics: unknown, fields: Record<string, unknown>): boolean {
  const { Timestamp: time, CloudWatchMetrics: directives } = metrics as {
    Timestamp?: number;
    CloudWatchMetrics?: readonly MetricDirective[];
  };
  if (typeof time !== 'number' || !Array.isArray(directives) || directives.length === 0) return false;
  return directives.every(
    ({ Namespace, Dimensions, Metrics }: MetricDirective) =>
      typeof Namespace === 'string' &&
      (Dimensions ?? []).flat().every((name) => typeof fields[name] === 'string') &&
      (Metrics ?? []).length > 0 &&
      (Metrics ?? []).every(({ Name }) => typeof fields[Name] === 'number'),
  );
}

const accessFields = [
  'requestTime',
  'httpMethod',
  'resourcePath',
  'status',
  'responseLength',
  'ip',
  'protocol',
];

/** Says what is wrong with a line of the API's access log; `undefined` if nothing is. */
export function accessLineProblem(line: string): string | undefined {
  const fields = parsed(line);
  if (!fields) return 'is not JSON';
  const missing = accessFields.filter((name) => typeof fields[name] !== 'string');
  if (missing.length > 0) return `lacks ${missing.join(', ')}`;
  return /^[1-5]\d\d$/.test(String(fields.status)) ? undefined : `has the status ${fields.status}`;
}

/** Names of secrets that are in a text. */
export function secretsIn(text: string, secrets: Readonly<Record<string, string>>): string[] {
  return Object.entries(secrets)
    .filter(([, secret]) => secret !== '' && text.includes(secret))
    .map(([name]) => name);
}
