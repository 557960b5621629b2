import type { components, paths } from './generated/openapi.js';

type Schemas = components['schemas'];
type BodyOf<P extends keyof paths> =
  NonNullable<paths[P]['post']> extends {
    requestBody?: { content: { 'application/json': infer B } };
  }
    ? B
    : never;

const config: Schemas['PostgresConfigInput'] = { host: 'db.example.com', database: 'shop', user: 'me' };

/** What the types must refuse: each would compile if the document left the shape open. */
export const mistakes: unknown[] = [
  // @ts-expect-error a step has one of the five types
  { id: 'a', type: 'extrct', config: {} } satisfies Schemas['Step'],
  // @ts-expect-error an extract needs its source
  { id: 'a', type: 'extract', config: { object: { path: 'a.csv' } } } satisfies Schemas['Step'],
  // @ts-expect-error a load has no sql
  { id: 'a', type: 'load', config: { sql: 'SELECT 1' } } satisfies Schemas['Step'],
  // @ts-expect-error a filter has a condition
  { op: 'filter', expression: 'n > 1' } satisfies Schemas['RecipeOperation'],
  // @ts-expect-error a range of values is of a column
  { id: 'g', type: 'value_range', config: { min: 1 }, action: 'fail' } satisfies Schemas['QualityGate'],
  // @ts-expect-error a Postgres source has a host
  { database: 'shop', user: 'me' } satisfies Schemas['PostgresConfigInput'],
  // @ts-expect-error a data source of this type has secrets
  { name: 'Shop', type: 'postgres', config } satisfies BodyOf<'/data-sources'>,
  // @ts-expect-error the kind of a webhook is required
  { name: 'Hook', url: 'https://hooks.example.com/x', events: [] } satisfies BodyOf<'/webhooks'>,
];
