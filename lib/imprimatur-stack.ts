import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Settings } from '../functions/domain/settings.ts';
import type { Resources } from './access/access-statements.ts';
import { machineAddress } from './access/machine-address.ts';
import { SigningKey } from './access/signing-key.ts';
import { Api } from './api/api.ts';
import { Site } from './site/site.ts';
import { RpcUrls } from './storage/rpc-urls.ts';
import { SettingsParameter } from './storage/settings-parameter.ts';
import { Tables } from './storage/tables.ts';
import { Alarms } from './watch/alarms.ts';
import { addDashboard } from './watch/dashboard.ts';
import { KeyWatch } from './watch/key-watch.ts';
import { SweepSchedule } from './workflow/sweep-schedule.ts';
import { Workflow } from './workflow/workflow.ts';

interface ImprimaturStackProps extends StackProps {
  readonly settings: Settings;
  /**
   * Leaves out what emulators do not have: versions and aliases of state machines, alarms on sums of metrics, the conditions
   * under which keys sign, and the machine whose task is answered.
   */
  readonly emulator: boolean;
}

/** Stack of the whole service, in the order a request flows: the API, then the workflow that it starts. */
export class ImprimaturStack extends Stack {
  constructor(scope: Construct, id: string, props: ImprimaturStackProps) {
    super(scope, id, props);
    const { settings, emulator } = props;
    const tables = new Tables(this, 'Tables');
    const resources = this.resources(tables, props);
    const api = new Api(this, 'Api', { resources, settings });
    const workflow = new Workflow(this, 'Workflow', { resources, settings, versioned: !emulator });
    new SweepSchedule(this, 'SweepSchedule', workflow);
    const alarms = new Alarms(this, 'Alarms', { api, workflow, tables, settings, emulator });
    addDashboard(this, alarms, { api, workflow, tables, settings });
    new KeyWatch(this, 'KeyWatch', alarms.topic);
    this.output(api, resources);
    if (settings.site) new CfnOutput(this, 'SiteUrl', { value: new Site(this, 'Site', settings.site).url });
    new CfnOutput(this, 'AlarmTopicArn', { value: alarms.topic.topicArn });
    const { parameterName } = new SettingsParameter(this, 'Settings', settings);
    new CfnOutput(this, 'SettingsParameter', { value: parameterName });
  }

  private resources(
    { attestations, lanes, queue, organizations }: Tables,
    { settings, emulator }: ImprimaturStackProps,
  ): Resources {
    const machines = {
      attest: machineAddress(this, 'attest', !emulator),
      lane: machineAddress(this, 'lane', !emulator),
    };
    return {
      attestations,
      lanes,
      queue,
      organizations,
      machines,
      signingKey: new SigningKey(this, 'SigningKey', {
        multiRegion: settings.multiRegionKey ?? false,
        emulator,
      }),
      rpcUrls: new RpcUrls(this),
      // Only `attest` waits for tokens. Emulators evaluate an answer to one against no particular machine.
      taskResource: emulator ? '*' : machines.attest.arn,
    };
  }

  /** Adds the outputs that operators' tools read; the tools rely on these ids. */
  private output(
    api: Api,
    { attestations, lanes, queue, organizations, signingKey, rpcUrls, machines }: Resources,
  ): void {
    const host = `${api.restApiId}.execute-api.${this.region}.${this.urlSuffix}`;
    const outputs = {
      ApiUrl: `https://${host}/${api.deploymentStage.stageName}`,
      AttestationsTable: attestations.tableName,
      LanesTable: lanes.tableName,
      QueueTable: queue.tableName,
      OrganizationsTable: organizations.tableName,
      SigningKeyId: signingKey.keyId,
      AttestStateMachineArn: machines.attest.startArn,
      LaneStateMachineArn: machines.lane.startArn,
      RpcUrlsPath: rpcUrls.path,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}
