import type { Static } from 'typebox';
import * as Type from 'typebox';
import { JOINS, SIDES } from '../../../shared/data/blends/join-sql.ts';
import {
  BLEND_WARNINGS,
  BlendKeyInput,
  blendAlias,
  blendDescription,
  blendName,
  blendRecord,
} from '../../../shared/domains/semantics/blends/index.ts';
import { MeasureFormat } from '../../../shared/domains/semantics/models/index.ts';
import { CACHE_OUTCOMES, queryOptions } from '../../../shared/domains/semantics/queries/index.ts';
import { QuestionCondition, questionProperties } from '../../../shared/domains/semantics/questions/index.ts';
import { accessSchemas } from '../../../shared/domains/tenancy/grants/index.ts';
import { shownDefinition } from '../../../shared/platform/http/managed-by.ts';
import {
  Id,
  idParams,
  Nullable,
  Page,
  StringEnum,
  searchedListQuery,
  Timestamp,
} from '../../../shared/platform/http/schemas.ts';

export const BlendParams = idParams('blend');

export const SaveBlend = Type.Object(
  {
    name: blendName,
    description: Type.Unsafe<string | null>({ ...blendDescription, default: null }),
    leftTableId: Type.Unsafe<string>({ ...Id, description: 'The id of a table of any model.' }),
    leftAlias: blendAlias,
    rightTableId: Type.Unsafe<string>({
      ...Id,
      description: 'The id of a table of any model, over any source; it may be the same as on the left side.',
    }),
    rightAlias: blendAlias,
    keys: Type.Array(BlendKeyInput, {
      minItems: 1,
      maxItems: 5,
      description: 'Rows match if all of these keys are equal.',
    }),
  },
  { $id: 'SaveBlend', description: 'Two tables of models, and the fields by which their rows match.' },
);
export type SaveBlend = Static<typeof SaveBlend>;

const shownBlend = { ...blendRecord, ...shownDefinition };

export const Blend = Type.Object(shownBlend, {
  $id: 'Blend',
  description: 'Two tables of models, from any sources, and the fields by which their rows match.',
});
export type Blend = Static<typeof Blend>;

const BlendCheck = Type.Object(
  {
    leftUnique: Type.Boolean({ description: 'Whether no two rows of the left side have the same key.' }),
    rightUnique: Nullable(
      Type.Boolean({ description: 'The same for the right side; null if not all of its rows were read.' }),
    ),
    overlap: Type.Number({ minimum: 0, maximum: 1, description: 'The fraction of left rows that have a match.' }),
  },
  {
    $id: 'BlendCheck',
    description:
      'How well the keys match in the rows that the caller may see, from at most 10,000 rows of the left side; null if the rows could not be read within five seconds. The blend is saved in any case.',
  },
);

export const SavedBlend = Type.Object(
  { ...shownBlend, check: Nullable(BlendCheck) },
  { $id: 'SavedBlend', description: 'A blend as it was saved, with a check of its keys.' },
);
export type SavedBlend = Static<typeof SavedBlend>;

export const BlendDetails = Type.Object(
  {
    ...shownBlend,
    stale: Type.Boolean({
      description: 'Whether a table or key field no longer exists, or the types of a key can no longer be compared.',
    }),
    diagnostics: Type.Array(
      Type.Object(
        { pointer: Type.String(), code: Type.String(), message: Type.String() },
        { $id: 'BlendDiagnostic', description: 'A reason why the sides can no longer be joined.' },
      ),
    ),
    usedBy: Type.Array(
      Type.Object(
        { type: Type.String(), id: Type.String(), name: Type.String() },
        { $id: 'BlendUse', description: 'A record that shows the blend and that the caller may see.' },
      ),
    ),
  },
  { $id: 'BlendDetails', description: 'A blend with its state.' },
);
export type BlendDetails = Static<typeof BlendDetails>;

export const BlendPage = Page(Blend);

export const BlendListQuery = Type.Object(searchedListQuery('blends').properties);
export type BlendListQuery = Static<typeof BlendListQuery>;

export const DeletedBlend = Type.Object({ id: Id }, { $id: 'DeletedBlend', description: 'The deleted blend.' });

const columns = (side: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 100,
    description: `The names or ids of fields of the ${side} table, in this order.`,
  });
const filters = (side: string) =>
  Type.Array(QuestionCondition, {
    maxItems: 50,
    default: [],
    description: `Which rows of the ${side} side to join. A row must meet all filters.`,
  });

export const ExecuteBlend = Type.Object(
  {
    leftColumns: columns('left'),
    rightColumns: columns('right'),
    leftFilters: filters('left'),
    rightFilters: filters('right'),
    joinType: StringEnum(JOINS, {
      default: 'left',
      description: 'Which rows without a match are kept: those of the left side, none (`inner`), or all (`full`).',
    }),
    sort: questionProperties.sort,
    limit: queryOptions.limit,
    timeoutMs: queryOptions.timeoutMs,
    timezone: queryOptions.timezone,
    maxAgeSeconds: queryOptions.maxAgeSeconds,
  },
  { $id: 'ExecuteBlend', description: 'Which rows and columns of both sides to join.' },
);
export type ExecuteBlend = Static<typeof ExecuteBlend>;

const count = (description: string) => Type.Integer({ minimum: 0, description });
const PUSHED = 'Null if the right side was read by the keys of the left one.';
const countOfRight = (description: string) => Nullable(count(`${description} ${PUSHED}`));

export const BlendRows = Type.Object(
  {
    queryId: Id,
    columns: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'The alias of the side and the name of the field.' }),
          side: StringEnum(SIDES),
          type: Type.String({ description: 'Such as `string`, `integer`, `decimal`, `number`, `date` or `datetime`.' }),
          format: Nullable(Type.Union([Type.String(), MeasureFormat], { description: 'How to show the values.' })),
          fieldId: Type.Optional(Id),
        },
        { $id: 'BlendColumn', description: 'A column of joined rows.' },
      ),
    ),
    rows: Type.Array(Type.Array(Type.Unknown())),
    rowCount: Type.Integer(),
    totalRows: Type.Integer({ description: 'How many rows the join has.' }),
    truncated: Type.Boolean({ description: 'Whether there are more rows than `limit`.' }),
    warnings: Type.Array(
      Type.Object(
        {
          code: StringEnum(BLEND_WARNINGS),
          message: Type.String(),
          factor: Type.Optional(
            Type.Number({ description: 'The average number of right rows for each left row that has a match.' }),
          ),
          side: Type.Optional(StringEnum(SIDES)),
          rows: Type.Optional(Type.Integer()),
        },
        { $id: 'BlendWarning', description: 'Something that may be wrong with the rows.' },
      ),
    ),
    timezone: Type.String(),
    asOf: Type.Unsafe<string>({ ...Timestamp, description: 'When the rows were read.' }),
    stats: Type.Object(
      {
        ms: count('The time of both sides and of the join.'),
        bytes: count('The size of the files that were read; data sources do not count.'),
        cache: StringEnum(CACHE_OUTCOMES),
        leftMs: count('The time to read the left side. Rows of datasets are read as part of the join.'),
        rightMs: count('The same of the right side.'),
        joinMs: count('The time to join them.'),
        pushedDown: Nullable(
          Type.Object(
            {
              keys: count('How many different keys of the left side the database was asked for.'),
              rows: count('How many rows it returned.'),
            },
            { $id: 'BlendPushDown', description: 'A right side that was read by the keys of the left one.' },
          ),
        ),
        leftRows: count('Rows of the left side that pass its filters and that the caller may see.'),
        rightRows: countOfRight('The same of the right side.'),
        leftNullKeys: count('Rows of the left side with a key without a value.'),
        rightNullKeys: countOfRight('The same of the right side.'),
        leftUnconverted: count('Rows of the left side with a key that does not convert.'),
        rightUnconverted: countOfRight('The same of the right side.'),
        matchedLeft: count('Rows of the left side with a match.'),
        unmatchedLeft: count('Rows of the left side without one.'),
        unmatchedRight: countOfRight('Rows of the right side without a match.'),
        leftUnique: Type.Boolean({ description: 'Whether no two rows of the left side have the same key.' }),
        rightUnique: Nullable(Type.Boolean({ description: `The same for the right side. ${PUSHED}` })),
        maxMultiplicity: count('The highest number of right rows that one left row matches.'),
      },
      { $id: 'BlendStats', description: 'How the sides match, and what reading them cost.' },
    ),
  },
  {
    $id: 'BlendRows',
    description:
      'Rows of both sides beside each other. Integers beyond 2^53 and decimals are strings, dates are `YYYY-MM-DD`, datetimes are in the time zone of the request.',
  },
);

export const { Access, AccessPage, SetAccess, AccessParams } = accessSchemas('blend', 'Blend', 'blend');
export type Access = Static<typeof Access>;
