import { world } from './api-client.ts';

/** Replaces adapters/compose-services.ts. */
export const composeServices = () => world.services;
export const composeReadServices = () => world.services;
export const requestLimits = {};
export const workflowLimits = {};

/** Replaces adapters/compose-records.ts. */
export const composeRecords = () => world.records;

/** Replaces adapters/aws/cloudwatch-log.ts, whose lines would appear between test results. */
export const functionLog = () => world.log;
