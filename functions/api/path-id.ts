import type { APIGatewayProxyEvent } from 'aws-lambda';
import { AttestationMissingError } from '../domain/errors.ts';
import { idSchema } from './schemas.ts';

/** A malformed id is as unknown as any other. @throws AttestationMissingError */
export function attestationIdOf({ pathParameters }: APIGatewayProxyEvent): string {
  const id = idSchema.safeParse(pathParameters?.id);
  if (!id.success) throw new AttestationMissingError();
  return id.data;
}
