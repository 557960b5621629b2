import type { Static } from 'typebox';
import * as Type from 'typebox';
import { GATE_CODES } from '../../../../shared/domains/semantics/models/index.ts';
import { Id, ListQuery, Nullable, Page, StringEnum, Timestamp } from '../../../../shared/platform/http/schemas.ts';

export const VersionParams = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The id of the model.' }),
  version: Type.Integer({ minimum: 1, description: 'The number of the version.' }),
});

export const VersionsQuery = ListQuery;

export const GateReason = Type.Object(
  {
    code: StringEnum(GATE_CODES),
    message: Type.String(),
    part: Type.Object(
      { type: StringEnum(['measure', 'field', 'policy', 'table', 'transform']), id: Id, name: Type.String() },
      { $id: 'ModelGatePart', description: 'The part of the model with the issue.' },
    ),
  },
  {
    $id: 'ModelGateReason',
    description:
      'Why the model cannot be published: an issue that makes its queries fail, or a table with a low data-quality score.',
  },
);

const Gate = Type.Object(
  {
    passed: Type.Boolean({ description: 'Whether nothing prevents the publication.' }),
    overridden: Type.Boolean(),
    reasons: Type.Array(GateReason, { description: 'At most 100.' }),
  },
  { $id: 'ModelGate', description: 'The checks of a publication.' },
);

export const ModelVersion = Type.Object(
  {
    version: Type.Integer({ minimum: 1 }),
    publishedBy: Id,
    publishedAt: Timestamp,
    gate: Gate,
    overrideReason: Nullable(Type.String()),
    tableCount: Type.Integer({ minimum: 0 }),
    fieldCount: Type.Integer({ minimum: 0 }),
    measureCount: Type.Integer({ minimum: 0 }),
  },
  { $id: 'ModelVersion', description: 'A published state of a model.' },
);
export type ModelVersion = Static<typeof ModelVersion>;
export const ModelVersionPage = Page(ModelVersion);

export const PublishModel = Type.Object(
  {
    override: Type.Boolean({ default: false, description: 'Whether to publish despite issues. For admins only.' }),
    overrideReason: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'The reason for the override; required with `override`, and kept in the version.',
      }),
    ),
  },
  { $id: 'PublishModel', description: 'How to publish.' },
);
export type PublishModel = Static<typeof PublishModel>;
