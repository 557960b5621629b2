import type { Static } from 'typebox';
import * as Type from 'typebox';
import { TRANSFORM_CONFIGS, TRANSFORM_TYPES, type TransformType } from '../../../../shared/data/transforms/index.ts';
import { Id, StrictObject, StringEnum, TaggedUnion } from '../../../../shared/platform/http/schemas.ts';
import { partProperties, stampProperties } from '../schemas.ts';

const pathId = (description: string) => Type.String({ format: 'uuid', description });
export const TransformParams = Type.Object({
  modelId: pathId('The id of the model.'),
  tableId: pathId('The id of the table.'),
  transformId: pathId('The id of the transform step.'),
});

const Config = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  maxProperties: 20,
  description: 'The settings of the step; their members depend on its type.',
});

export const Transform = Type.Object(
  {
    ...partProperties,
    tableId: Id,
    type: StringEnum(TRANSFORM_TYPES),
    config: Config,
    label: Type.String(),
    isEnabled: Type.Boolean(),
    order: Type.Integer({ minimum: 1 }),
    ...stampProperties,
  },
  { $id: 'ModelTransform', description: 'A step that changes the rows of a table before its fields read them.' },
);
export type Transform = Static<typeof Transform>;

export const TransformList = Type.Object(
  { items: Type.Array(Transform), total: Type.Integer() },
  { $id: 'ModelTransformList', description: 'The transform steps of a table, in their order.' },
);
export type TransformList = Static<typeof TransformList>;

const label = Type.String({ maxLength: 200 });

const nameOf = (type: string) => type.replaceAll(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase());

const variants = TRANSFORM_TYPES.map((type) =>
  StrictObject(
    {
      type: Type.Literal(type),
      config: TRANSFORM_CONFIGS[type],
      label: Type.Unsafe<string>({ ...label, default: '' }),
    },
    { $id: `Create${nameOf(type)}`, description: (TRANSFORM_CONFIGS[type] as { description?: string }).description },
  ),
);

/** The configuration is checked by its type, both here and by the rule that saves it. */
export const CreateTransform = Type.Unsafe<{ type: TransformType; config: Record<string, unknown>; label: string }>(
  TaggedUnion('type', variants, { $id: 'CreateModelTransform', description: 'A transform step.' }),
);
export type CreateTransform = Static<typeof CreateTransform>;

export const UpdateTransform = Type.Object(
  {
    config: Type.Optional(Config),
    label: Type.Optional(label),
    isEnabled: Type.Optional(Type.Boolean()),
  },
  {
    $id: 'UpdateModelTransform',
    description: 'Fields to change; omitted fields keep their values. `config` is replaced as a whole.',
  },
);
export type UpdateTransform = Static<typeof UpdateTransform>;

export const ReorderTransforms = Type.Object(
  {
    orderedIds: Type.Array(Id, { maxItems: 100, description: 'The ids of all steps of the table in their new order.' }),
  },
  { $id: 'ReorderModelTransforms', description: 'A new order of the steps.' },
);
export type ReorderTransforms = Static<typeof ReorderTransforms>;
