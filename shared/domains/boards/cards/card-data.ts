import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Problem } from '../../../platform/http/problem.ts';
import { Id, Nullable, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import { TIME_GRAINS } from '../../../platform/schedule/fiscal-calendar.ts';
import { FiscalCalendar, MeasureFormat } from '../../semantics/models/index.ts';
import { PartId } from '../dashboards/index.ts';

const CardPivot = Type.Object(
  {
    measure: Type.String(),
    label: Type.String({ description: 'The values of the group as a text, or `Total`.' }),
    group: Nullable(
      Type.Array(Type.Unknown(), {
        description: 'The values of the pivoted dimensions; null for the totals of rows.',
      }),
    ),
  },
  { $id: 'CardPivot', description: 'The measure that a column shows, and the group that it is about.' },
);

const CardColumn = Type.Object(
  {
    name: Type.String(),
    role: StringEnum(['dimension', 'measure']),
    type: Type.String({ description: 'Such as `string`, `integer`, `decimal`, `number`, `date` or `datetime`.' }),
    format: Nullable(Type.Union([Type.String(), MeasureFormat], { description: 'How to show the values.' })),
    fieldId: Type.Optional(Type.String()),
    measureId: Type.Optional(Id),
    grain: Type.Optional(StringEnum(TIME_GRAINS)),
    calendar: Type.Optional(FiscalCalendar),
    binWidth: Type.Optional(Type.Number({ description: 'The width of the ranges whose beginnings are the values.' })),
    pivot: Type.Optional(CardPivot),
  },
  { $id: 'CardColumn', description: 'A column of the rows of a card.' },
);

const CardTotal = Type.Object(
  {
    level: Type.Integer({ description: 'How many of the leading dimensions it is for: 0 for the grand total.' }),
    row: Type.Array(Type.Unknown()),
  },
  { $id: 'CardTotal', description: 'A total or subtotal of the rows of a table.' },
);

/** The rows of a card, or of a block of a report, and what is known of them. */
export const rowsProperties = {
  columns: Type.Array(CardColumn),
  rows: Type.Array(Type.Array(Type.Unknown())),
  rowCount: Type.Integer(),
  totals: Type.Optional(
    Type.Array(CardTotal, { description: 'The totals that the query of a table asks for, apart from its rows.' }),
  ),
  truncated: Type.Boolean({
    description:
      'Whether rows are missing. Rows beyond a `limit` that the author of the chart has set do not count as missing.',
  }),
  asOf: Type.Unsafe<string>({ ...Timestamp, description: 'When the rows were computed.' }),
  cache: StringEnum(['hit', 'shared', 'miss'], {
    description:
      '`hit`: the rows were cached; `shared`: they were computed for another card or request at the same time; `miss`: they were computed for this one.',
  }),
  timezone: Type.String(),
  ignoredFilters: Type.Array(Type.String(), {
    description: 'The fields of filters that do not apply, because the source does not have them.',
  }),
  warnings: Type.Array(Type.String()),
};

export const CARD_NOTICES = ['DEPRECATED_SOURCE'] as const;

export const CardSummary = Type.Object(
  {
    text: Type.String(),
    generatedAt: Timestamp,
    model: Type.String({ description: 'The language model that wrote the summary.' }),
    isStale: Type.Boolean({
      description: 'Whether the rows differ from the summarized ones, because they have changed or are filtered.',
    }),
  },
  { $id: 'CardSummary', description: 'A summary of the rows of a card, written by a language model.' },
);
export type CardSummary = Static<typeof CardSummary>;

export const CardData = Type.Object(
  {
    cardId: PartId,
    ...rowsProperties,
    drillDown: Type.Optional(
      Type.Array(
        Type.Object(
          { column: Type.String(), to: Type.String({ description: 'The column that `drill` puts in its place.' }) },
          { $id: 'CardDrillDown', description: 'A dimension with a next level.' },
        ),
        { description: 'Where a further step `nextLevel` of `drill` leads; only for a single card.' },
      ),
    ),
    image: Type.Optional(
      Type.String({
        description:
          'The picture that the request asks for, as SVG. Absent if there are no rows, or if the reply would become too large.',
      }),
    ),
    aiSummary: Nullable(CardSummary),
    notices: Type.Optional(
      Type.Array(
        Type.Object(
          { code: StringEnum(CARD_NOTICES), message: Type.String() },
          { $id: 'CardNotice', description: 'What readers should know about the source of a card.' },
        ),
        {
          description:
            '`DEPRECATED_SOURCE`: according to the catalog, the source should no longer be used. Absent if there is nothing to say, and for readers without an account.',
        },
      ),
    ),
  },
  {
    $id: 'CardData',
    description:
      'The rows of a card that the caller may see. Integers beyond 2^53 and decimals are strings, dates are `YYYY-MM-DD`, datetimes are in the time zone.',
  },
);
export type CardData = Static<typeof CardData>;

/** A card of several. */
export const CardResult = Type.Object(
  { cardId: PartId, data: Nullable(CardData), problem: Nullable(Problem) },
  { $id: 'CardResult', description: 'The rows of a card, or why it has none.' },
);
