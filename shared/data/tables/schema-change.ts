import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Nullable, StringEnum } from '../../platform/http/schemas.ts';

/**
 * What happens if the columns of the rows differ from the existing ones: the existing ones change, they stay, or the
 * rows are rejected.
 */
export const ON_SCHEMA_CHANGE = ['evolve', 'ignore', 'fail'] as const;
export type OnSchemaChange = (typeof ON_SCHEMA_CHANGE)[number];

export const SchemaChange = Type.Object(
  {
    column: Type.String(),
    change: StringEnum(['added', 'left_out', 'missing', 'dropped', 'retyped'], {
      description:
        'A column of the rows is `added` or `left_out`; one that was there is `missing` from the rows (null in them), `dropped`, or `retyped`.',
    }),
    from: Nullable(Type.String({ description: 'The type that was there.' })),
    to: Nullable(
      Type.String({ description: 'The type that is there now; of a column that is left out, the one it came with.' }),
    ),
  },
  { $id: 'SchemaChange', description: 'A column that is not as it was before.' },
);
export type SchemaChange = Static<typeof SchemaChange>;

/** Tables may have a thousand columns, and a longer report would not be read. */
export const MAX_REPORTED_CHANGES = 100;

/** Describes a change in one line. */
export function changeText({ column, change, from, to }: SchemaChange): string {
  switch (change) {
    case 'added':
      return `The column ${column} (${to}) is new.`;
    case 'left_out':
      return `The column ${column} (${to}) is new and left out.`;
    case 'missing':
      return `The rows have no column ${column} (${from}) any more, so it is null in them.`;
    case 'dropped':
      return `The column ${column} (${from}) was removed.`;
    case 'retyped':
      return `The column ${column} was ${from} and is ${to} now.`;
  }
}
