import type { Static } from 'typebox';
import * as Type from 'typebox';
import { shownDefinition } from '../../../platform/http/managed-by.ts';
import { Id, Name, Nullable, Revision, StrictObject, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';

export const PARAMETER_TYPES = [
  'string',
  'integer',
  'decimal',
  'double',
  'boolean',
  'date',
  'timestamp',
  'timestamptz',
] as const;

export const ParameterValue = Nullable(Type.Union([Type.String({ maxLength: 65_536 }), Type.Number(), Type.Boolean()]));

export const Parameter = StrictObject(
  {
    name: Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,62}$' }),
    type: StringEnum(PARAMETER_TYPES),
    default: Type.Optional(ParameterValue),
    required: Type.Boolean({
      default: false,
      description: 'Whether a run must pass a value. If not, the default or null is used.',
    }),
  },
  { $id: 'SavedQueryParameter', description: 'A parameter of the statement, `$name` in its text.' },
);
export type Parameter = Static<typeof Parameter>;

export const folder = Type.String({
  maxLength: 500,
  pattern: '^(|[^/\\s][^/]*(/[^/\\s][^/]*)*)$',
  description: 'A path such as `finance/monthly`; empty for the top level.',
});

/** The members of a version: everything that affects the rows. */
export const content = {
  sql: Type.String({ minLength: 1, maxLength: 65_536 }),
  sourceId: Nullable(Id),
  datasetIds: Nullable(Type.Array(Id, { minItems: 1, maxItems: 50, uniqueItems: true })),
  params: Type.Array(Parameter, { maxItems: 50 }),
};

export const SavedQuery = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    name: Name,
    description: Type.String(),
    folder,
    ...content,
    reads: Type.Array(Id, { description: 'The datasets that it reads; they cannot be deleted while it exists.' }),
    version: Type.Integer({ description: 'The number of changes to the statement, its parameters and what it reads.' }),
    revision: Revision,
    createdBy: Id,
    updatedBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    ...shownDefinition,
  },
  { $id: 'SavedQuery', description: 'A named statement.' },
);
export type SavedQuery = Static<typeof SavedQuery>;

export const SavedQueryVersion = Type.Object(
  { version: Type.Integer(), ...content, createdBy: Id, createdAt: Timestamp },
  { $id: 'SavedQueryVersion', description: 'The current or an earlier statement of a saved query.' },
);
export type SavedQueryVersion = Static<typeof SavedQueryVersion>;
