import { createHash } from 'node:crypto';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { settingsSchema } from '../../functions/domain/settings.ts';
import { type FunctionFile, functionAccess } from '../access/function-access.ts';

const logDays = Object.values(RetentionDays).filter((days) => typeof days === 'number' && days < 9999);

const domainFields = (region: string, where: string) => ({
  domainName: z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a domain in lower case'),
  certificateArn: z
    .string()
    .regex(
      new RegExp(`^arn:[a-z-]+:acm:${region}:\\d{12}:certificate/\\S+$`),
      `must be the ARN of an ACM certificate ${where}`,
    ),
});

/** Schema of the static site. CloudFront accepts only certificates of us-east-1. */
const siteSchema = z
  .strictObject(domainFields('us-east-1', 'in us-east-1'))
  .partial()
  .refine(
    ({ domainName, certificateArn }) => (domainName === undefined) === (certificateArn === undefined),
    'must have both domainName and certificateArn, or neither',
  );

const retentionChoice = z.enum(['retain', 'delete']).default('retain');

const retentionSchema = z.strictObject({
  /** Days for which log lines are kept. */
  logDays: z
    .int()
    .refine((days) => logDays.includes(days), `must be one of ${logDays.join(', ')}`)
    .default(30),
  /** Whether the tables, and the signing key, outlive the stack. */
  tables: retentionChoice,
  key: retentionChoice,
});

const isAlarmAddress = (text: string): boolean =>
  z.email().safeParse(text).success || z.url({ protocol: /^https$/ }).safeParse(text).success;

const tagsSchema = z.record(
  z
    .string()
    .regex(
      /^(?!aws:)[\p{L}\p{N} _.:/=+@-]{1,128}$/iu,
      'must be a tag key of 1 to 128 letters, digits, spaces or _.:/=+-@ that does not begin with aws:',
    ),
  z
    .string()
    .regex(/^[\p{L}\p{N} _.:/=+@-]{0,256}$/u, 'must be at most 256 letters, digits, spaces or _.:/=+-@'),
);

const principal = z
  .string()
  .regex(
    /^arn:aws[a-z-]*:iam::\d{12}:(root|(role|user)\/[\w+=,.@/-]{1,512})$/,
    'must be the ARN of a role, a user, or an account (arn:aws:iam::111122223333:root)',
  );
const principals = z.array(principal).default([]);

const concurrency = z.int().positive().optional();
const concurrencyFields = Object.fromEntries(Object.keys(functionAccess).map((file) => [file, concurrency]));
const concurrencySchema = z.strictObject(concurrencyFields as Record<FunctionFile, typeof concurrency>);

/** Properties of a stack besides its settings: domain, alarms, retention and limits. */
const hostingFields = {
  /** Domain of the API (default: a domain of API Gateway). */
  api: z.strictObject(domainFields('[a-z0-9-]+', "in the environment's Region")).optional(),
  /** Static site with the pages for readers, authorities and publishers, at a domain of CloudFront or its own. */
  site: siteSchema.optional(),
  /** Email and https addresses to notify of alarms. */
  alarmAddresses: z
    .array(z.string().refine(isAlarmAddress, 'must be an email address, or an https URL'))
    .default([]),
  /** Principals that can assume the roles of operators, custodians and deployers. A role without one does not exist. */
  access: z
    .strictObject({ operators: principals, custodians: principals, deployers: principals })
    .prefault({}),
  retention: retentionSchema.prefault({}),
  /** Whether the stack and its tables have deletion protection. */
  deletionProtection: z.boolean().default(true),
  /** Whether the signing key can be replicated into other Regions. The first deployment makes the choice permanent. */
  multiRegionKey: z.boolean().default(false),
  reservedConcurrency: concurrencySchema.default({}),
  /** Requests per IP address in five minutes. Without it, there is no web ACL. */
  requestsPerAddress: z.int().min(10).max(2_000_000_000).optional(),
};

/**
 * A function's environment has 4,096 bytes, and a quarter is for names of tables and machines. The settings also fit in a standard
 * SSM parameter.
 */
const maxEnvironmentBytes = 3072;

/** Schema of settings that fit. Lambda counts the environment as JSON, so quotes in the settings count twice. */
export const fittingSettings = settingsSchema.superRefine((settings, context) => {
  const bytes = Buffer.byteLength(JSON.stringify(JSON.stringify(settings)));
  if (bytes > maxEnvironmentBytes)
    context.addIssue(
      `${settings.chains.length} chains take ${bytes} bytes of a function's environment, and the limit is ` +
        `${maxEnvironmentBytes}: move some of them to another environment`,
    );
});

const hostingSchema = z.strictObject(hostingFields);

export type Hosting = z.output<typeof hostingSchema>;

export const emulatorHosting: Hosting = hostingSchema.parse({ deletionProtection: false });

const stackFields = {
  account: z.string().regex(/^\d{12}$/, 'must be twelve digits in quotes'),
  region: z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a Region such as eu-central-1'),
  /** Name of the stack, after which its state machines, parameters and metrics are named. */
  stackName: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,59}$/, 'must be at most 60 letters, digits and hyphens, a letter first')
    .default('Imprimatur'),
};

export const stackSchema = z.object(stackFields);

/** Schema of a file in environments/: one stack in one account and Region. */
export const environmentSchema = z
  .strictObject({
    ...stackFields,
    tags: tagsSchema.default({}),
    /** Kind of delegate that is recommended on every chain: the first of its `delegates`. */
    recommendedDelegate: z.enum(['forwarder', 'key']).default('forwarder'),
    ...hostingFields,
    settings: fittingSettings,
  })
  .superRefine(({ region, api, retention, deletionProtection, recommendedDelegate, settings }, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    if (api && api.certificateArn.split(':')[3] !== region)
      refuse(['api', 'certificateArn'], `must be in ${region}, like the API`);
    if (deletionProtection && retention.tables === 'delete')
      refuse(['retention', 'tables'], 'cannot be "delete" with deletionProtection');
    if (settings.loopbackWebhooks)
      refuse(
        ['settings', 'loopbackWebhooks'],
        'is only for emulators: functions would post to their own host',
      );
    for (const [index, { delegates }] of settings.chains.entries())
      if ((delegates[0] === 'key') !== (recommendedDelegate === 'key'))
        refuse(['settings', 'chains', index, 'delegates'], delegateAdvice[recommendedDelegate]);
  });

const delegateAdvice = {
  forwarder:
    'must begin with the address of a DelegateForwarder (npm run deploy --workspace contracts -- --help), or set recommendedDelegate to "key"',
  key: 'must begin with "key" because of recommendedDelegate',
};

export type Environment = z.output<typeof environmentSchema>;

/** Digest of an environment. Its stack outputs it, so that a change of the file is visible. */
export const environmentDigest = (environment: Environment): string =>
  createHash('sha256').update(JSON.stringify(environment)).digest('hex').slice(0, 16);
