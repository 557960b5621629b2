import * as Type from 'typebox';
import { Id, StrictObject, StringEnum, TaggedUnion } from '../../platform/http/schemas.ts';
import { CALLOUT_TONES, type MarkType, type NodeType } from './nodes.ts';

/** An id of a block, which clients may choose, so that they can write without a connection. */
export const BlockId = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
  description: 'Letters, digits, `_` and `-`; starts with a letter or a digit. Unique within the story.',
});

/** One line of text, without control characters and halves of characters. */
const line = (maxLength: number, { minLength = 1 } = {}) =>
  Type.String({ minLength, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]*$' });

const Label = line(200);
const ColumnName = line(255);

const LiveSource = TaggedUnion('kind', [
  StrictObject({
    kind: Type.Literal('card'),
    dashboardId: Id,
    cardId: Type.Unsafe<string>({ ...BlockId, description: 'The id of a card of the dashboard.' }),
  }),
  StrictObject({
    kind: Type.Literal('chart'),
    chartSpec: Type.Object({}, { additionalProperties: true, maxProperties: 50 }),
  }),
  StrictObject({ kind: Type.Literal('slot'), label: Label }),
]);

const MetricSource = StrictObject({
  metricId: Id,
  asOf: Type.Optional(Type.String({ minLength: 10, maxLength: 40 })),
  compare: Type.Optional(line(40)),
});
const RowSource = StrictObject({
  blockId: BlockId,
  measure: ColumnName,
  rowKey: Type.Optional(
    Type.Record(
      ColumnName,
      Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean(), Type.Null()]),
      { maxProperties: 20 },
    ),
  ),
});

const cell = {
  colspan: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  rowspan: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  colwidth: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 10_000 }), { minItems: 1, maxItems: 100 })),
};
const valueFrom = <S extends Type.TSchema>(source: S) =>
  StrictObject({ id: BlockId, source, format: Type.Optional(line(40)), written: line(100) });
const label = Type.Optional(Label);

/**
 * Sources of values differ by their members, as do mentions, so the schema is chosen before the attributes are checked.
 */
const ROW_VALUE = valueFrom(RowSource);
const METRIC_VALUE = valueFrom(MetricSource);
const USER = StrictObject({ userId: Id, label });
const GROUP = StrictObject({ groupId: Id, label });

const NONE = StrictObject({});

const ATTRIBUTES: Record<Exclude<NodeType, 'value' | 'mention'>, Type.TObject> = {
  paragraph: NONE,
  heading: StrictObject({ level: Type.Integer({ minimum: 1, maximum: 3 }) }),
  bulletList: NONE,
  orderedList: StrictObject({ start: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })) }),
  listItem: NONE,
  blockquote: NONE,
  callout: StrictObject({ tone: StringEnum(CALLOUT_TONES) }),
  table: NONE,
  tableRow: NONE,
  tableCell: StrictObject(cell),
  tableHeader: StrictObject(cell),
  codeBlock: StrictObject({ language: Type.Optional(Type.String({ maxLength: 40, pattern: '^[A-Za-z0-9+#._-]+$' })) }),
  image: StrictObject({
    src: Type.String({ maxLength: 2048, pattern: '^https://[^\\s]+$' }),
    alt: line(500),
    title: Type.Optional(line(500)),
  }),
  divider: NONE,
  liveBlock: StrictObject({
    source: LiveSource,
    title: Type.Optional(Label),
    height: Type.Optional(Type.Integer({ minimum: 2, maximum: 24 })),
  }),
  text: NONE,
  hardBreak: NONE,
};

/** The schema of the attributes of a node, without the id of blocks. */
export function attributesOf(type: NodeType, attrs: Readonly<Record<string, unknown>>): Type.TObject {
  if (type === 'mention') return 'groupId' in attrs ? GROUP : USER;
  if (type !== 'value') return ATTRIBUTES[type];
  const { source } = attrs;
  return typeof source === 'object' && source !== null && 'blockId' in source ? ROW_VALUE : METRIC_VALUE;
}

export const LINK = StrictObject({ href: Type.String({ minLength: 1, maxLength: 2048 }) });

/** Attributes that editors write by default, without a meaning here; they are dropped. */
export const DROPPED_ATTRIBUTES: Partial<Record<NodeType | MarkType, readonly string[]>> = {
  link: ['target', 'rel', 'class', 'title'],
  orderedList: ['type'],
  image: ['width', 'height'],
};

/** Defaults that editors write out; they are left out, so that opening a text in an editor changes nothing. */
export const DEFAULT_ATTRIBUTES: Partial<Record<NodeType | MarkType, Readonly<Record<string, unknown>>>> = {
  orderedList: { start: 1 },
  tableCell: { colspan: 1, rowspan: 1 },
  tableHeader: { colspan: 1, rowspan: 1 },
};
