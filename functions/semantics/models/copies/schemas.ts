import type { Static } from 'typebox';
import * as Type from 'typebox';
import { COPY_KINDS, COPY_REASONS } from '../../../../shared/domains/semantics/row-rights/index.ts';
import { Id, Name, Nullable, Page, StrictObject, StringEnum } from '../../../../shared/platform/http/schemas.ts';
import { partProperties } from '../schemas.ts';
import { Policy } from '../structure/schemas.ts';

const kind = StringEnum(COPY_KINDS, { description: 'What stores, sends or counts the rows.' });

export const Copy = Type.Object(
  {
    kind,
    id: Id,
    name: Name,
    tables: Type.Array(Type.String(), {
      description: 'The protected tables that it reads; empty for a copy of a copy.',
    }),
    via: Nullable(Type.String({ description: 'For a copy of a copy, the name of the copy that it reads.' })),
    allowed: Type.Boolean({
      description:
        'Whether it may keep reading. Otherwise refreshes, runs and captures fail with `RLS_COPY`, and tests end with an error.',
    }),
    reason: StringEnum([...COPY_REASONS, 'copy_of_copy'], {
      description:
        'The reason for `allowed`. `definer_sees_less` and `definer_gone` stop the copy; `definer_gone` means that the definer has left, or that the API key no longer works.',
    }),
  },
  {
    $id: 'ProtectedCopy',
    description:
      'A dataset, pipeline or CDC stream that stores or sends rows of a protected table, or a data quality test that counts them.',
  },
);
export type Copy = Static<typeof Copy>;
export const CopyPage = Page(Copy);

export const PolicyDetails = Type.Object(
  { ...Policy.properties, copies: Type.Array(Copy) },
  {
    $id: 'RlsPolicyDetails',
    description: 'A row-level security policy, and the copies of the table that it protects.',
  },
);
export type PolicyDetails = Static<typeof PolicyDetails>;

export const CopyParams = Type.Object({
  modelId: Type.String({ ...partProperties.modelId, description: 'The id of the model.' }),
  kind,
  copyId: Type.String({ format: 'uuid', description: 'The id of the dataset, pipeline, stream or test.' }),
});

export const DecideCopy = StrictObject(
  { allowed: Type.Boolean() },
  { $id: 'DecideCopy', description: 'Whether the copy may keep reading as it is defined now.' },
);
export type DecideCopy = Static<typeof DecideCopy>;
