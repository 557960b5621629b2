import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Nullable } from '../../../platform/http/schemas.ts';
import { runProperties } from './run-record.ts';
import { StepRun } from './step-record.ts';

export const RunWithSteps = Type.Object(
  {
    ...runProperties,
    steps: Type.Array(StepRun, { description: 'In their order: all of them, or as many as one reply can hold.' }),
    dependencies: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'The steps that each step waits for, by their ids, in the definition that the run was created with.',
    }),
    stepsTotal: Type.Integer({ description: 'How many steps the run has, counting each item of a block.' }),
    stepsNextCursor: Nullable(
      Type.String({
        description: 'The `cursor` for the remaining steps in the list of steps; null when `steps` has all of them.',
      }),
    ),
  },
  { $id: 'RunWithSteps', description: 'A run with its steps.' },
);
export type RunWithSteps = Static<typeof RunWithSteps>;
