import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { API } from './api.ts';
import { endpoint, type Endpoint } from './endpoint.ts';

test('an endpoint that does not say where its location comes from, or what is recorded, does not compile', () => {
  const common = { access: 'signed-in', summary: 'X' } as const;
  // @ts-expect-error: it does not say where its location comes from
  endpoint('GET', '/x', { ...common, audit: 'calendar.read' });
  // @ts-expect-error: it does not say what is recorded
  endpoint('GET', '/x', { ...common, at: 'none' });
  // @ts-expect-error: no read has this name
  endpoint('GET', '/x', { ...common, at: 'none', audit: 'calendar.eaten' });
  expect(endpoint('GET', '/x', { ...common, at: 'query.location', audit: 'calendar.read' })).toMatchObject(common);
});

const all = Object.entries<Record<string, Endpoint>>(API).flatMap(([group, calls]) =>
  Object.entries(calls).map(([name, call]) => [`${group}.${name}`, call] as const),
);

test.each(all)('%s names a location that it takes, or none', (_name, call) => {
  const [part, ...names] = call.at.split('.');
  if (part !== 'query' && part !== 'body') {
    // The route checks a location that a call takes. Therapists answer about their own day, wherever they work.
    const taken = call.access === 'therapist' ? [] : [...fieldsOf(call.query), ...fieldsOf(call.body)];
    expect(taken).not.toContain('location');
    return;
  }
  let schema: unknown = call[part];
  for (const name of names) {
    schema = fieldOf(schema, name);
    expect(schema, name).toBeDefined();
  }
});

const fieldsOf = (schema: unknown): string[] =>
  schema instanceof z.ZodMiniObject ? Object.keys(schema.def.shape) : [];

function fieldOf(schema: unknown, name: string): unknown {
  const inner = schema instanceof z.ZodMiniNullable ? schema.def.innerType : schema;
  return inner instanceof z.ZodMiniObject ? inner.def.shape[name] : undefined;
}
