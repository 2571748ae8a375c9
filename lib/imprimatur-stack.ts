import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Settings } from '../functions/domain/settings.ts';
import { AccessRoles } from './access/access-roles.ts';
import type { Resources } from './access/access-statements.ts';
import { machineAddress } from './access/machine-address.ts';
import { ExistingSigningKey, type KeyThatSigns, SigningKey } from './access/signing-key.ts';
import { Api } from './api/api.ts';
import { Canary } from './api/canary.ts';
import type { Emulator } from './emulators.ts';
import type { Hosting } from './environment/environment.ts';
import { Site } from './site/site.ts';
import { rpcUrlsOf, SettingsParameter, settingsChangesOf } from './storage/parameters.ts';
import { Tables, tableId, tableNames, type UsedTables } from './storage/tables.ts';
import { Alarms, KeyWatch } from './watch/alarms.ts';
import { addDashboard } from './watch/dashboard.ts';
import { Webhooks } from './webhooks/webhooks.ts';
import { Workflow } from './workflow/workflow.ts';

export interface ImprimaturStackProps extends StackProps {
  readonly settings: Settings;
  readonly hosting: Hosting;
  /** Digest of the environment, if the stack has one. */
  readonly digest?: string;
  /** The emulator that the stack is for, if any. Its template omits what the emulator lacks. */
  readonly emulator?: Emulator;
  /** Deploys without a canary, which would roll back a fix while its alarm fires. */
  readonly allAtOnce?: boolean;
}

/** Stack of the whole service, in the order a request flows: the API, then the workflow that it starts. */
export class ImprimaturStack extends Stack {
  constructor(scope: Construct, id: string, props: ImprimaturStackProps) {
    super(scope, id, props);
    const { settings, hosting, emulator } = props;
    const onMiniStack = emulator === 'ministack';
    if (settings.loopbackWebhooks && !emulator) throw new Error('loopbackWebhooks is for emulators');
    const tables = new Tables(this, 'Tables', {
      existing: settings.existing?.tables,
      retained: hosting.retention.tables === 'retain',
      deletionProtection: hosting.deletionProtection,
    });
    const resources = this.resources(tables.all, props);
    const site =
      hosting.site && new Site(this, 'Site', { ...hosting.site, logDays: hosting.retention.logDays });
    const api = new Api(this, 'Api', { resources, settings: withOrigin(settings, site), hosting });
    const workflow = new Workflow(this, 'Workflow', { resources, settings, hosting, versioned: !emulator });
    const webhooks = new Webhooks(this, 'Webhooks', { resources, settings, hosting });
    const alarms = new Alarms(this, 'Alarms', {
      ...{ api, workflow, webhooks, tables, settings, emulator: onMiniStack },
      addresses: hosting.alarmAddresses,
    });
    addDashboard(this, alarms, { api, workflow, webhooks, tables, settings });
    if (!onMiniStack && !props.allAtOnce)
      new Canary(this, 'Canary', { functions: api.functions, alarm: alarms.named('ApiErrors') });
    new KeyWatch(this, 'KeyWatch', alarms.topic);
    this.output(api, resources);
    if (site) {
      site.deployPages(apiUrl(api));
      new CfnOutput(this, 'SiteUrl', { value: `${site.origin}/` });
    }
    new CfnOutput(this, 'AlarmTopicArn', { value: alarms.topic.topicArn });
    const { parameterName, parameterArn } = new SettingsParameter(this, 'Settings', settings);
    new CfnOutput(this, 'SettingsParameter', { value: parameterName });
    if (props.digest !== undefined) new CfnOutput(this, 'EnvironmentDigest', { value: props.digest });
    new AccessRoles(this, 'Access', {
      ...{ assumedBy: hosting.access, resources, settingsArn: parameterArn },
      ...{ alarmTopic: alarms.topic, sweepLog: workflow.sweep.logGroup },
    });
  }

  private resources(tables: UsedTables, props: ImprimaturStackProps): Resources {
    const { emulator } = props;
    const machines = {
      attest: machineAddress(this, 'attest', !emulator),
      lane: machineAddress(this, 'lane', !emulator),
    };
    return {
      tables,
      machines,
      signingKey: this.signingKey(props),
      rpcUrls: rpcUrlsOf(this),
      settingsChanges: settingsChangesOf(this),
      // Only `attest` waits for tokens. MiniStack evaluates an answer to one against no particular machine.
      taskResource: emulator === 'ministack' ? '*' : machines.attest.arn,
    };
  }

  private signingKey({ settings: { existing }, hosting, ...props }: ImprimaturStackProps): KeyThatSigns {
    const emulator = props.emulator === 'ministack';
    const id = 'SigningKey';
    const keyArn = existing?.signingKeyArn;
    if (keyArn) return new ExistingSigningKey(this, id, keyArn, emulator);
    const { multiRegionKey: multiRegion, retention } = hosting;
    return new SigningKey(this, id, { multiRegion, retained: retention.key === 'retain', emulator });
  }

  /** Adds the outputs that operators' tools read; the tools rely on these ids. */
  private output(api: Api, { tables, signingKey, rpcUrls, machines }: Resources): void {
    const outputs = {
      ApiUrl: apiUrl(api),
      ...Object.fromEntries(tableNames.map((name) => [`${tableId(name)}Table`, tables[name].tableName])),
      SigningKeyId: signingKey.keyId,
      AttestStateMachineArn: machines.attest.startArn,
      LaneStateMachineArn: machines.lane.startArn,
      RpcUrlsPath: rpcUrls.path,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
    // Target of the domain's DNS record.
    if (api.domainName)
      new CfnOutput(this, 'ApiDnsTarget', { value: api.domainName.domainNameAliasDomainName });
  }
}

/** Lets the site's pages use the API, too. */
function withOrigin(settings: Settings, site: Site | undefined): Settings {
  const { corsOrigins } = settings;
  if (!site || corsOrigins.includes('*')) return settings;
  return { ...settings, corsOrigins: [...corsOrigins, site.origin] };
}

function apiUrl({ domainName, restApiId, deploymentStage, stack }: Api): string {
  if (domainName) return `https://${domainName.domainName}`;
  return `https://${restApiId}.execute-api.${stack.region}.${stack.urlSuffix}/${deploymentStage.stageName}`;
}
