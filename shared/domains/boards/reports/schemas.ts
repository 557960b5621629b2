import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Name, Nullable, StrictObject, StringEnum, TaggedUnion } from '../../../platform/http/schemas.ts';
import { CardFilter } from '../cards/index.ts';
import { ChartSpec } from '../charts/index.ts';
import { cardProperties, PartId } from '../dashboards/index.ts';

export const MAX_BLOCKS = 100;
export const MAX_PARAMETERS = 50;

/** The types of blocks that show rows. */
export const DATA_BLOCK_TYPES = ['chart', 'table', 'kpi', 'pivot'] as const;

const ParameterName = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,62}$', description: 'Letters, digits and `_`.' });

const Scalar = Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean()]);
const Value = Nullable(Type.Union([Scalar, Type.Array(Scalar, { maxItems: 1000 })]));
export type ParameterValue = Static<typeof Value>;

export const PARAMETER_TYPES = ['text', 'number', 'boolean', 'date'] as const;

export const ReportParameter = StrictObject(
  {
    name: ParameterName,
    label: Type.Optional(Type.String({ maxLength: 200, description: 'What readers see; by default, the name.' })),
    type: StringEnum(PARAMETER_TYPES, { description: 'The type of the values. Dates look like `2026-01-31`.' }),
    isList: Type.Optional(Type.Boolean({ description: 'Whether the value is a list of values.' })),
    isRequired: Type.Optional(Type.Boolean({ description: 'Whether blocks that use the parameter need a value.' })),
    default: Type.Optional(
      Type.Unsafe<ParameterValue>({
        ...Value,
        description: 'The value if the reader chooses none; null for no value.',
      }),
    ),
  },
  { $id: 'ReportParameter', description: 'A value that readers of a report choose.' },
);
export type ReportParameter = Static<typeof ReportParameter>;

const BINDING_OPERATORS = [
  'eq',
  'ne',
  'in',
  'not_in',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'contains',
  'starts_with',
] as const;

export const ParameterBinding = StrictObject(
  {
    parameter: ParameterName,
    fieldId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'The id of a field of the model, or the name of a column of the dataset, that the value filters.',
      }),
    ),
    op: Type.Optional(
      StringEnum(BINDING_OPERATORS, { description: 'By default, `in` for lists and `eq` for other values.' }),
    ),
    queryParameter: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 63,
        description: 'The parameter of the saved query or of the model that gets the value.',
      }),
    ),
  },
  {
    $id: 'ReportParameterBinding',
    description:
      'What a parameter changes in a block: a condition on a field (`fieldId` and `op`), or a parameter of its saved query or model. Without a value it changes nothing.',
  },
);
export type ParameterBinding = Static<typeof ParameterBinding>;

const id = Type.Unsafe<string>({ ...PartId, description: 'Unique within the report.' });
const title = Type.Optional(cardProperties.title);

const Heading = StrictObject(
  {
    id,
    type: Type.Literal('heading'),
    text: Type.Unsafe<string>({ ...Name, description: 'The heading, on one line.' }),
  },
  { $id: 'ReportHeading', description: 'A heading.' },
);
const Text = StrictObject(
  {
    id,
    type: Type.Literal('text'),
    text: Type.String({ minLength: 1, maxLength: 20_000, description: 'Markdown, as in text cards.' }),
  },
  { $id: 'ReportText', description: 'A text.' },
);
const dataBlock = {
  id,
  title,
  description: Type.Optional(cardProperties.description),
  chartSpec: ChartSpec,
  bindings: Type.Optional(
    Type.Array(ParameterBinding, { maxItems: 20, description: 'How parameters of the report change the block.' }),
  ),
  height: Type.Optional(
    Type.Integer({ minimum: 2, maximum: 24, description: 'In rows of the grid of dashboards; 8 by default.' }),
  ),
};
const Chart = StrictObject(
  { ...dataBlock, type: Type.Literal('chart') },
  { $id: 'ReportChart', description: 'A chart.' },
);
const Table = StrictObject(
  { ...dataBlock, type: Type.Literal('table') },
  { $id: 'ReportTable', description: 'A table.' },
);
const Kpi = StrictObject({ ...dataBlock, type: Type.Literal('kpi') }, { $id: 'ReportKpi', description: 'A number.' });
const Pivot = StrictObject(
  { ...dataBlock, type: Type.Literal('pivot') },
  { $id: 'ReportPivot', description: 'A pivot table.' },
);
const Image = StrictObject(
  { id, type: Type.Literal('image'), title, imageUrl: Type.String({ maxLength: 2048, pattern: '^https://[^\\s]+$' }) },
  { $id: 'ReportImage', description: 'An image by its address, which exported files show as a link.' },
);
const Divider = StrictObject(
  { id, type: Type.Literal('divider') },
  { $id: 'ReportDivider', description: 'A horizontal line.' },
);
const PageBreak = StrictObject(
  { id, type: Type.Literal('page_break') },
  { $id: 'ReportPageBreak', description: 'Where a new page of an exported PDF begins.' },
);

export const ReportBlock = TaggedUnion('type', [Heading, Text, Chart, Table, Kpi, Pivot, Image, Divider, PageBreak], {
  $id: 'ReportBlock',
  description: 'A part of a report.',
});
export type DataBlock = Static<typeof Chart | typeof Table | typeof Kpi | typeof Pivot>;
export type ReportBlock =
  | DataBlock
  | Static<typeof Heading | typeof Text | typeof Image | typeof Divider | typeof PageBreak>;

export const ReportLayout = StrictObject(
  { blocks: Type.Unsafe<ReportBlock[]>(Type.Array(ReportBlock, { maxItems: MAX_BLOCKS, description: 'In order.' })) },
  { $id: 'ReportLayout', description: 'The blocks of a report, from top to bottom.' },
);
export type ReportLayout = Static<typeof ReportLayout>;

export const reportProperties = {
  name: Type.Unsafe<string>({ ...Name, description: 'Unique within the workspace; case does not matter.' }),
  description: Type.String({ maxLength: 2000 }),
  isPublished: Type.Boolean({
    description: 'Whether all members see the report, and not only editors, grantees and its owner.',
  }),
  layout: ReportLayout,
  parameters: Type.Array(ReportParameter, { maxItems: MAX_PARAMETERS, description: 'In the order that readers see.' }),
};

export const GivenParameter = StrictObject(
  { name: ParameterName, value: Value },
  { $id: 'ReportParameterValue', description: 'A value that a reader has chosen for a parameter.' },
);
export type GivenParameter = Static<typeof GivenParameter>;

/** A report has no filters of its own, so a condition names its field. */
const ReportFilter = StrictObject(
  {
    fieldId: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The id of a field of a model, or the name of a column of a dataset.',
    }),
    op: CardFilter.properties.op,
    values: CardFilter.properties.values,
  },
  { $id: 'ReportFilter', description: 'A condition that a reader has chosen.' },
);
export type ReportFilter = Static<typeof ReportFilter>;

export const readingReport = {
  parameters: Type.Array(GivenParameter, {
    maxItems: MAX_PARAMETERS,
    default: [],
    description: 'Values of parameters; the others have their defaults.',
  }),
  filters: Type.Array(ReportFilter, {
    maxItems: 50,
    default: [],
    description: 'Conditions on the blocks whose source has the field. Rows must match all of them.',
  }),
};
