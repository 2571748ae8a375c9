import type { AttributeValue } from 'aws-lambda';
import type { Fields, Value } from '../../domain/records.ts';

/** Reads a record from a stream's image, where bytes are base64 and numbers are text. */
export function streamImage(image: Readonly<Record<string, AttributeValue>>): Fields {
  const { pk: _, sk: __, ...fields } = mapOf(image);
  return fields;
}

function mapOf(image: Readonly<Record<string, AttributeValue>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, plainValue(value)]));
}

function plainValue({ S, N, BOOL, B, M, L }: AttributeValue): Value {
  if (N !== undefined) return Number(N);
  if (B !== undefined) return Buffer.from(B, 'base64');
  if (M !== undefined) return mapOf(M);
  if (L !== undefined) return L.map(plainValue);
  return S ?? BOOL ?? null;
}
