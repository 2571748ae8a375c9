import type { Publishers } from './publishers.ts';
import type { Stage } from './stage.ts';

const farOff = '9999-12-31T00:00:00.000Z';

/** Whether nothing is left to do, for the service and for the organisations. */
export async function isAtRest({ service }: Stage, publishers: Publishers): Promise<boolean> {
  return (await service.isIdle()) && publishers.isContent();
}

/** Describes what still waits, to find the reason. */
export async function whatWaits({ service }: Stage, publishers: Publishers): Promise<string> {
  const { machines, world } = service;
  const running = [...machines.executions.values()].filter(({ status }) => status === 'RUNNING');
  const unconfirmed = publishers.posted.filter(({ confirmed }) => !confirmed);
  return JSON.stringify({
    executions: running.map(({ name, stateName }) => `${name} in ${stateName}`),
    owes: await world.owes(),
    lanes: await world.lanes(),
    due: await world.records.due(farOff, 10),
    unconfirmed: unconfirmed.map(({ text, attestation }) => `${text}: ${attestation?.id}`),
  });
}
