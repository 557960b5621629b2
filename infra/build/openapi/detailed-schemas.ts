import type { TSchema } from 'typebox';
import { GATE_SCHEMAS } from './gate-schemas.ts';
import type { Json } from './json-schema.ts';
import { PROBLEM_SCHEMAS } from './problem-schemas.ts';
import { RECIPE_SCHEMAS } from './recipe-schemas.ts';
import { SOURCE_SCHEMAS } from './source-schemas.ts';
import { STEP_SCHEMAS } from './step-schemas.ts';

const ALL: TSchema[] = [...STEP_SCHEMAS, ...GATE_SCHEMAS, ...RECIPE_SCHEMAS, ...SOURCE_SCHEMAS, ...PROBLEM_SCHEMAS];

/**
 * Schemas that replace looser ones of routes in the document, by `$id`. If the shape of a part depends on the rest, or
 * its issues have codes of their own, the route accepts any shape and code checks it. These schemas are built from
 * those that this code uses.
 */
export const DETAILED_SCHEMAS: ReadonlyMap<string, Json> = new Map(
  ALL.map((schema) => [(schema as { $id: string }).$id, schema as Json]),
);
