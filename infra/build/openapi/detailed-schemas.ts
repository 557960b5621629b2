import type { TSchema } from 'typebox';
import { GATE_SCHEMAS } from './gate-schemas.ts';
import type { Json } from './json-schema.ts';
import { PROBLEM_SCHEMAS } from './problem-schemas.ts';
import { RECIPE_SCHEMAS } from './recipe-schemas.ts';
import { SOURCE_SCHEMAS } from './source-schemas.ts';
import { STEP_SCHEMAS } from './step-schemas.ts';

const ALL: TSchema[] = [...STEP_SCHEMAS, ...GATE_SCHEMAS, ...RECIPE_SCHEMAS, ...SOURCE_SCHEMAS, ...PROBLEM_SCHEMAS];

/**
 * Schemas to show in place of the looser ones that routes declare, by `$id`. Where the shape of a part depends on the rest, or
 * issues in it have codes of their own, a route takes a part of any shape and code behind it checks it. The schemas here are
 * made of those that this code checks with.
 */
export const DETAILED_SCHEMAS: ReadonlyMap<string, Json> = new Map(
  ALL.map((schema) => [(schema as { $id: string }).$id, schema as Json]),
);
