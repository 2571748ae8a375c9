import { runService } from '../fakes/world/running-service.ts';

export const service = runService();

/** Replaces adapters/compose-services.ts. */
export const composeServices = () => service.services;
export const composeReadServices = () => service.services;
export const requestLimits = {};

/** Replaces adapters/compose-records.ts. */
export const composeRecords = () => service.world.records;

/** Replaces adapters/aws/cloudwatch-log.ts, whose lines would appear between test results. */
export const functionLog = () => service.world.log;
