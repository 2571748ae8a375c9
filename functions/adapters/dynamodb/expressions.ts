import type { Change, Expectations, Value } from '../../domain/records.ts';

class Placeholders {
  readonly names: Record<string, string> = {};
  readonly values: Record<string, unknown> = {};

  name(name: string): string {
    this.names[`#${name}`] = name;
    return `#${name}`;
  }

  value(value: Value): string {
    const placeholder = `:v${Object.keys(this.values).length}`;
    this.values[placeholder] = value;
    return placeholder;
  }
}

function expectation(placeholders: Placeholders, name: string, value: Value | undefined): string {
  const field = placeholders.name(name);
  if (value === undefined) return `attribute_not_exists(${field})`;
  if (!Array.isArray(value)) return `${field} = ${placeholders.value(value)}`;
  return `${field} IN (${value.map((one) => placeholders.value(one)).join(', ')})`;
}

function condition(placeholders: Placeholders, change: Change): string[] {
  const expect: Expectations = change.expect ?? {};
  const presence = [
    ...('ifAbsent' in change && change.ifAbsent ? [`attribute_not_exists(${placeholders.name('pk')})`] : []),
    ...('ifPresent' in change && change.ifPresent ? [`attribute_exists(${placeholders.name('pk')})`] : []),
  ];
  return [
    ...presence,
    ...Object.entries(expect).map(([name, value]) => expectation(placeholders, name, value)),
  ];
}

function assignment(placeholders: Placeholders, { set, add = {} }: Extract<Change, { set: unknown }>) {
  const entries = Object.entries(set);
  const assigned = entries.flatMap(([name, value]) =>
    value === undefined ? [] : [`${placeholders.name(name)} = ${placeholders.value(value)}`],
  );
  const removed = entries.flatMap(([name, value]) => (value === undefined ? [placeholders.name(name)] : []));
  const setClause = assigned.length > 0 ? `SET ${assigned.join(', ')}` : '';
  const removeClause = removed.length > 0 ? `REMOVE ${removed.join(', ')}` : '';
  const added = Object.entries(add).map(
    ([name, amount]) => `${placeholders.name(name)} ${placeholders.value(amount)}`,
  );
  const addClause = added.length > 0 ? `ADD ${added.join(', ')}` : '';
  return [setClause, removeClause, addClause].filter(Boolean).join(' ');
}

export function expressionsOf(change: Change) {
  const placeholders = new Placeholders();
  const conditions = condition(placeholders, change);
  const update = 'set' in change ? assignment(placeholders, change) : '';
  const { names, values } = placeholders;
  return {
    ...(conditions.length > 0 ? { ConditionExpression: conditions.join(' AND ') } : {}),
    ...(update ? { UpdateExpression: update } : {}),
    ...(Object.keys(names).length > 0 ? { ExpressionAttributeNames: names } : {}),
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
  };
}
