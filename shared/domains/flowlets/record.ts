import Type, { type Static } from 'typebox';
import { MAX_OPS } from '../../data/recipe/ops.ts';
import { Id, Name, Nullable, StrictObject, StringEnum, Timestamp } from '../../platform/http/schemas.ts';

/** A named piece of a recipe with parameters. Versions are never changed: whoever has used one has it for ever. */
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
  { $id: 'FlowletParameter' },
);
export type FlowletParameter = Static<typeof FlowletParameter>;

const FlowletColumn = StrictObject({
  name: Type.String({ minLength: 1, maxLength: 63 }),
  type: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
});

export const FlowletInput = StrictObject(
  {
    name: Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,62}$' }),
    columns: Type.Array(FlowletColumn, { minItems: 1, maxItems: 1000 }),
  },
  { $id: 'FlowletInput' },
);

const content = {
  name: Name,
  description: Type.Optional(Type.String({ maxLength: 1000 })),
  params: Type.Optional(Type.Array(FlowletParameter, { maxItems: 50 })),
  inputs: Type.Array(FlowletInput, { minItems: 1, maxItems: 20 }),
  ops: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
    minItems: 1,
    maxItems: MAX_OPS,
    description:
      'Operations of a recipe on the first input. Where a value, column or type stands there may be `{"param": "<name>"}`; in conditions and expressions `{{ flowlet.<name> }}`.',
  }),
};

export const NewFlowlet = StrictObject(
  {
    ...content,
    expectedVersion: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The newest version that was read, 0 for a new name: refuses to follow one that was saved since.',
      }),
    ),
  },
  { $id: 'NewFlowlet' },
);
export type NewFlowlet = Static<typeof NewFlowlet>;

export const Flowlet = Type.Object(
  {
    id: Id,
    name: Name,
    version: Type.Integer(),
    description: Nullable(Type.String()),
    params: Type.Array(FlowletParameter),
    inputs: Type.Array(FlowletInput),
    ops: content.ops,
    createdBy: Id,
    createdAt: Timestamp,
  },
  { $id: 'Flowlet' },
);
export type Flowlet = Static<typeof Flowlet>;

export type FlowletContent = Pick<Flowlet, 'description' | 'params' | 'inputs' | 'ops'>;

export const FlowletArguments = StrictObject(
  { params: Type.Optional(Type.Record(Type.String(), Argument)) },
  { $id: 'FlowletArguments' },
);

export const FlowletInstance = Type.Object(
  {
    flowletId: Id,
    version: Type.Integer(),
    ops: content.ops,
    requiredColumns: Type.Array(
      Type.Object({ input: Type.String(), name: Type.String(), type: Nullable(Type.String()) }),
    ),
    outputColumns: Type.Array(Type.Object({ name: Type.String(), type: Nullable(Type.String()) })),
  },
  { $id: 'FlowletInstance' },
);
export type FlowletInstance = Static<typeof FlowletInstance>;
