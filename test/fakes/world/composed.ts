import { world } from './api-client.ts';

/** Replaces adapters/compose-services.ts. */
export const composeServices = () => world.services;
export const composeReadServices = () => world.services;
export const requestLimits = {};
export const workflowLimits = {};

/** Replaces adapters/compose-records.ts. */
export const composeRecords = () => world.records;

/** Replaces adapters/aws/cloudwatch-log.ts, which would print between the results of the tests. */
export const functionLog = () => world.log;
