/**
 * Emulators of AWS for which templates are made. Neither has versions of state machines. MiniStack also lacks alarms on
 * sums, conditions on the algorithm and message type of a signature, and canaries.
 */
export const emulators = ['ministack', 'localstack'] as const;
export type Emulator = (typeof emulators)[number];

/** Account of an emulator's default credentials, which does not exist on AWS. */
export const emulatorAccount = '000000000000';

/** The path of the API's stage without a trailing slash: `/live`. */
export const stagePathOf = (apiUrl: string): string => new URL(apiUrl).pathname.replace(/\/$/, '');

/** Makes the API's URL on the emulator, which has one host for all APIs. */
export function emulatorApiUrl(endpointUrl: string, apiUrl: string): string {
  const { host } = new URL(apiUrl);
  return `${endpointUrl}/restapis/${host.split('.')[0]}${stagePathOf(apiUrl)}/_user_request_`;
}
