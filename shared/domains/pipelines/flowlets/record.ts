import type { Static } from 'typebox';
import * as Type from 'typebox';
import { MAX_OPS } from '../../../data/recipe/ops.ts';
import { shownDefinition } from '../../../platform/http/managed-by.ts';
import { Id, Name, Nullable, StrictObject, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';

export const FLOWLET_PARAMETER_TYPES = ['string', 'number', 'boolean', 'list', 'column', 'type'] as const;
export type FlowletParameterType = (typeof FLOWLET_PARAMETER_TYPES)[number];

const Argument = Type.Union([
  Type.String({ maxLength: 1024 }),
  Type.Number(),
  Type.Boolean(),
  Type.Array(Type.Union([Type.String({ maxLength: 256 }), Type.Number()]), { maxItems: 100 }),
]);
export type Argument = Static<typeof Argument>;

export const FlowletParameter = StrictObject(
  {
    name: Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' }),
    type: StringEnum(FLOWLET_PARAMETER_TYPES),
    default: Type.Optional(Argument),
    required: Type.Optional(Type.Boolean({ default: false })),
  },
  { $id: 'FlowletParameter', description: 'A parameter of a flowlet.' },
);
export type FlowletParameter = Static<typeof FlowletParameter>;

const FlowletColumn = StrictObject({
  name: Type.String({ minLength: 1, maxLength: 63 }),
  type: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Omit it for any type.' })),
});

export const FlowletInput = StrictObject(
  {
    name: Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,62}$' }),
    columns: Type.Array(FlowletColumn, { minItems: 1, maxItems: 1000 }),
  },
  { $id: 'FlowletInput', description: 'An input of a flowlet with the columns that it needs.' },
);

export const flowletContent = {
  name: Name,
  description: Type.Optional(Type.String({ maxLength: 1000 })),
  params: Type.Optional(Type.Array(FlowletParameter, { maxItems: 50 })),
  inputs: Type.Array(FlowletInput, { minItems: 1, maxItems: 20 }),
  ops: Type.Array(Type.Record(Type.String(), Type.Unknown(), { $id: 'FlowletTemplate' }), {
    minItems: 1,
    maxItems: MAX_OPS,
    description: 'Operations of a recipe on the rows of the first input.',
  }),
};

export const SaveFlowlet = StrictObject(
  {
    ...flowletContent,
    expectedVersion: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'The latest version that was read, 0 for a new name. The request is rejected if another was saved since.',
      }),
    ),
  },
  { $id: 'SaveFlowlet', description: 'A new flowlet, or a new version of one.' },
);
export type SaveFlowlet = Static<typeof SaveFlowlet>;

export const Flowlet = Type.Object(
  {
    id: Id,
    name: Name,
    version: Type.Integer(),
    description: Nullable(Type.String()),
    params: Type.Array(FlowletParameter),
    inputs: Type.Array(FlowletInput),
    ops: flowletContent.ops,
    seriesId: { ...Id, description: 'The id of the first version, which all versions of the flowlet have in common.' },
    createdBy: Id,
    createdAt: Timestamp,
    ...shownDefinition,
  },
  { $id: 'Flowlet', description: 'A version of a named chain of recipe operations with parameters.' },
);
export type Flowlet = Static<typeof Flowlet>;

export type FlowletContent = Pick<Flowlet, 'description' | 'params' | 'inputs' | 'ops'>;

export const FlowletArguments = StrictObject(
  { params: Type.Optional(Type.Record(Type.String(), Argument, { maxProperties: 50 })) },
  { $id: 'FlowletArguments', description: 'Values for the parameters of a flowlet.' },
);

export const FlowletInstance = Type.Object(
  {
    flowletId: Id,
    version: Type.Integer(),
    ops: Type.Array(Type.Record(Type.String(), Type.Unknown(), { $id: 'RecipeOperation' })),
    requiredColumns: Type.Array(
      Type.Object({ input: Type.String(), name: Type.String(), type: Nullable(Type.String()) }),
    ),
    outputColumns: Type.Array(Type.Object({ name: Type.String(), type: Nullable(Type.String()) })),
  },
  { $id: 'FlowletInstance', description: 'The plain operations of a flowlet with the given arguments.' },
);
export type FlowletInstance = Static<typeof FlowletInstance>;
