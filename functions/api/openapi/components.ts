import * as z from 'zod';
import { answerSchemas } from '../bodies/answers.ts';
import { requestSchemas } from '../bodies/requests.ts';

/** Schemas of every body of the API, by their names in the document. */
export const bodySchemas = { ...requestSchemas, ...answerSchemas } as const;

export type BodyName = keyof typeof bodySchemas;

const uri = (name: string) => `#/components/schemas/${name}`;

/** The reference to a body's schema. */
export const bodyRef = (name: BodyName) => ({ $ref: uri(name) });

/** The schemas as JSON Schema: of what is sent, their input side, before any transformation. */
export function componentSchemas(): Record<string, object> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(bodySchemas)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri, io: 'input', target: 'draft-2020-12' });
  // The dialect is the document's own, and the place in it says the id.
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _dialect, $id: _id, ...schema }]) => [name, schema]),
  );
}
