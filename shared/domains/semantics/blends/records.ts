import type { Static } from 'typebox';
import * as Type from 'typebox';
import { COMPARED_AS } from '../../../data/blends/key-types.ts';
import { Id, Name, Nullable, Revision, StrictObject, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import { Alias } from '../models/index.ts';

export const blendName = Type.Unsafe<string>({
  ...Name,
  description: 'Unique within the workspace; case does not matter.',
});
export const blendAlias = Type.Unsafe<string>({
  ...Alias,
  description:
    'The name of the side in columns, such as `orders` in `orders.amount`. The two aliases must differ by more than case.',
});
export const blendDescription = Nullable(Type.String({ maxLength: 2000 }));

export const keyOptions = {
  as: StringEnum(['auto', ...COMPARED_AS], {
    default: 'auto',
    description:
      'The type to compare the values as. `auto` accepts values of the same type, and integers with decimals; all others need a type. Values that do not convert without loss never match.',
  }),
  caseInsensitive: Type.Boolean({
    default: false,
    description: 'Compares texts in lower case. `ß` and `ss` still differ, and so do `σ` and `ς`.',
  }),
  trim: Type.Boolean({ default: false, description: 'Ignores spaces around texts.' }),
  matchNulls: Type.Boolean({ default: false, description: 'Whether two rows without a value match.' }),
  timezone: Type.Unsafe<string | null>({
    ...Nullable(Type.String({ minLength: 1, maxLength: 64 })),
    default: null,
    description:
      'The IANA name of the time zone for the dates of instants and for times without a zone. Only for keys that need one.',
  }),
};

const FieldName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The name or the id of a field of the table.',
});

export const BlendKeyInput = StrictObject(
  { left: FieldName, right: FieldName, ...keyOptions },
  { $id: 'BlendKeyInput', description: 'A pair of fields whose values must be equal in rows that match.' },
);
export type BlendKeyInput = Static<typeof BlendKeyInput>;

const StoredKey = Type.Object({ leftFieldId: Id, rightFieldId: Id, ...keyOptions });
export type StoredKey = Static<typeof StoredKey>;

export const BlendKey = Type.Object(
  {
    left: Type.String({ description: 'The name of the field now; its id if it is gone.' }),
    right: Type.String({ description: 'The name of the field now; its id if it is gone.' }),
    ...StoredKey.properties,
  },
  { $id: 'BlendKey', description: 'A pair of fields whose values must be equal in rows that match.' },
);

const blendProperties = {
  id: Id,
  workspaceId: Id,
  name: blendName,
  description: blendDescription,
  leftModelId: Id,
  leftTableId: Id,
  leftAlias: blendAlias,
  rightModelId: Id,
  rightTableId: Id,
  rightAlias: blendAlias,
};
const blendStamps = {
  createdBy: Id,
  updatedBy: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  revision: Revision,
};

const BlendRecord = Type.Object({ ...blendProperties, keys: Type.Array(StoredKey), ...blendStamps });
export type BlendRecord = Static<typeof BlendRecord>;

export const blendRecord = { ...blendProperties, keys: Type.Array(BlendKey), ...blendStamps };
