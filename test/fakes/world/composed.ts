import { world } from './api-client.ts';

/** Stands in for adapters/compose-services.ts. */
export const composeServices = () => world.services;
export const requestLimits = {};
export const workflowLimits = {};

/** Stands in for adapters/compose-records.ts. */
export const composeRecords = () => world.records;
