import type { Static } from 'typebox';
import * as Type from 'typebox';
import { BlockId } from '../../../data/rich-text/index.ts';
import { Nullable, StringEnum } from '../../../platform/http/schemas.ts';

const VALUE_REASONS = [
  'NO_ACCESS',
  'SOURCE_NOT_FOUND',
  'ROW_NOT_FOUND',
  'NO_VALUE',
  'UNAVAILABLE',
  'TOO_MANY',
  'SNAPSHOT_OTHER_RIGHTS',
] as const;
export type ValueReason = (typeof VALUE_REASONS)[number];

export const ShownInlineValue = Type.Object(
  {
    id: BlockId,
    now: Type.String({ description: 'The value in its format, for the rows that the caller may see; `—` for none.' }),
    changed: Type.Boolean({ description: 'Whether `now` differs from the value when the author last looked at it.' }),
    reason: Nullable(
      StringEnum(VALUE_REASONS, {
        description:
          'Why there is no value. `NO_ACCESS`: the caller may not see it; `UNAVAILABLE`: it cannot be computed at present; `TOO_MANY`: the values of the story need more than 100 different queries.',
      }),
    ),
  },
  { $id: 'StoryValue', description: 'A number within the text, with its current value for the caller.' },
);
export type ShownInlineValue = Static<typeof ShownInlineValue>;
