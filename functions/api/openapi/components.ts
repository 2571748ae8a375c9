import * as z from 'zod';
import { answerSchemas } from '../bodies/answers.ts';
import { requestSchemas } from '../bodies/requests.ts';

export const bodySchemas = { ...requestSchemas, ...answerSchemas } as const;

export type BodyName = keyof typeof bodySchemas;

const uri = (name: string) => `#/components/schemas/${name}`;

export const bodyRef = (name: BodyName) => ({ $ref: uri(name) });

/** Converts the schemas to JSON Schema, as they are before any transformation. */
export function componentSchemas(): Record<string, object> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(bodySchemas)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri, io: 'input', target: 'draft-2020-12' });
  // OpenAPI 3.1 implies the dialect, and a schema's position is its id.
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _dialect, $id: _id, ...schema }]) => [name, schema]),
  );
}
