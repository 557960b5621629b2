import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Attributes } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { Id, Nullable, StrictObject, StringEnum } from '../../../../shared/platform/http/schemas.ts';

export const PreviewAccess = StrictObject(
  { userId: Type.String({ format: 'uuid', description: 'The id of a member.' }) },
  { $id: 'PreviewAccess', description: 'Whose access to preview.' },
);
export type PreviewAccess = Static<typeof PreviewAccess>;

const CheckedPolicy = Type.Object(
  {
    modelId: Id,
    policyId: Id,
    name: Type.String(),
    filterExpression: Type.String(),
    applies: Type.Boolean({ description: 'Whether the policy is for the member.' }),
    isUsable: Type.Boolean({
      description:
        'False if the policy shows no rows: it is stale, or needs an attribute that the member does not have.',
    }),
  },
  { $id: 'CheckedPolicy', description: 'A policy of a table, and whether it counts for the member.' },
);

const TableAccess = Type.Object(
  {
    tableId: Id,
    alias: Type.String(),
    rows: StringEnum(['all', 'some', 'none']),
    policies: Type.Array(CheckedPolicy, { description: 'Policies of every model for the same source table.' }),
    condition: Type.String({ description: 'The SQL condition of the rows that the member sees.' }),
    params: Type.Array(Type.Union([Type.String(), Type.Array(Type.String())]), {
      description: 'The values of `$1`, `$2`, … in the condition.',
    }),
    hiddenColumns: Type.Array(Type.String(), { description: 'Columns of the source that the member cannot see.' }),
    visibleRows: Nullable(
      Type.Integer({ description: 'How many rows of the dataset the member sees; null for tables of a database.' }),
    ),
  },
  { $id: 'TableAccess', description: 'What the member sees of a table.' },
);
export type TableAccess = Static<typeof TableAccess>;

export const AccessPreview = Type.Object(
  {
    userId: Id,
    role: Type.String(),
    groups: Type.Array(Type.String(), { description: 'The names of the groups.' }),
    attributes: Attributes,
    tables: Type.Array(TableAccess, { description: 'Tables of the model that are protected; all others are open.' }),
    deniedFieldIds: Type.Array(Id, { description: 'Fields of the model that the member cannot use.' }),
  },
  { $id: 'AccessPreview', description: 'What a member sees of a model.' },
);
export type AccessPreview = Static<typeof AccessPreview>;
