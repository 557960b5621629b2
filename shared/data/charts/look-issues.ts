import type { Issue } from '../../platform/errors/app-error.ts';
import { suggestion } from '../../platform/validation/names.ts';
import { type ChartColumn, kindOf } from './chart-columns.ts';
import type { ChannelName, ChartLook, Encoding, Mark, MarkType } from './chart-look.ts';
import { lineAxis } from './line-axis.ts';

/** The channels without which a mark shows nothing: of each list, one. */
const NEEDED: Partial<Record<MarkType, readonly (readonly ChannelName[])[]>> = {
  bar: [['x', 'y']],
  line: [['x'], ['y']],
  area: [['x'], ['y']],
  point: [['x', 'y']],
  rect: [['x', 'y']],
  boxplot: [['x', 'y']],
  rule: [['x', 'y']],
  arc: [['theta']],
  text: [['text']],
  geoshape: [['shape']],
  pivot: [['row'], ['column']],
};
const FORMAT = /^(?:(.)?([<>=^]))?([+\-( ])?([$#])?(0)?(\d{1,3})?(,)?(\.\d{1,2})?(~)?([a-z%])?$/i;
const TIME_DIRECTIVES = /%[-_0]?[aAbBcdefgGHIjLmMpqQsSuUVwWxXyYZ%]/;

/** What is wrong with the look of a chart whose query returns these columns; pointers begin at the chart. */
export function lookIssues(look: ChartLook, columns: readonly ChartColumn[]): Issue[] {
  const single = look.layer ? [] : viewIssues(look.mark, look.encoding ?? {}, columns, '');
  const layers = (look.layer ?? []).flatMap(({ mark, encoding }, index) => [
    ...(isDrawn(mark) ? [] : [notInLayer(mark, index)]),
    ...viewIssues(mark, encoding, columns, `/layer/${index}`),
  ]);
  return [...single, ...layers, ...lineIssues(look, columns)];
}

/** Lines are at values of an axis of numbers. */
function lineIssues({ mark, encoding = {}, layer, config }: ChartLook, columns: readonly ChartColumn[]): Issue[] {
  if (!config?.lines) return [];
  const hasAxis = layer ? lineAxis(layer, columns) : isDrawn(mark) && lineAxis([{ encoding }], columns);
  const message = 'needs an axis of numbers (`x` or `y`)';
  return hasAxis ? [] : [{ pointer: '/config/lines', code: 'CONFLICT', message }];
}

const ALONE: ReadonlySet<MarkType> = new Set(['table', 'kpi', 'pivot', 'geoshape']);
const isDrawn = ({ type }: Mark): boolean => !ALONE.has(type);

const notInLayer = ({ type }: Mark, index: number): Issue => ({
  pointer: `/layer/${index}/mark/type`,
  code: 'CONFLICT',
  message: `${type} cannot be a layer; use it as \`mark\``,
});

function viewIssues(mark: Mark, encoding: Encoding, columns: readonly ChartColumn[], at: string): Issue[] {
  const missing = (NEEDED[mark.type] ?? [])
    .filter((names) => !names.some((name) => encoding[name]))
    .map((names) => ({
      pointer: `${at}/encoding`,
      code: 'REQUIRED',
      message: `${mark.type} needs ${names.map((name) => `\`${name}\``).join(' or ')}`,
    }));
  const named = [
    ...Object.entries(encoding).flatMap(([name, value]) =>
      Array.isArray(value)
        ? value.map((each, index) => ({ each, pointer: `${at}/encoding/${name}/${index}` }))
        : [{ each: value as Named, pointer: `${at}/encoding/${name}` }],
    ),
    ...(mark.columns ?? []).map((each, index) => ({ each, pointer: `${at}/mark/columns/${index}` })),
  ];
  const fields = named.flatMap(({ each, pointer }) => fieldIssues(each, columns, pointer));
  return [...missing, ...mapIssues(mark, encoding, columns, at), ...kpiIssues(mark, columns, at), ...fields];
}

const OF_MAPS: ReadonlySet<string> = new Set(['shape', 'color', 'tooltip']);

/** A map has places instead of axes, and other marks have no places. */
function mapIssues(mark: Mark, encoding: Encoding, columns: readonly ChartColumn[], at: string): Issue[] {
  if (mark.type !== 'geoshape') {
    const message = `has no effect on ${mark.type}; it belongs to geoshape`;
    return mark.geography === undefined ? [] : [{ pointer: `${at}/mark/geography`, code: 'CONFLICT', message }];
  }
  const unused = Object.keys(encoding)
    .filter((name) => !OF_MAPS.has(name))
    .map((name) => ({
      pointer: `${at}/encoding/${name}`,
      code: 'CONFLICT',
      message: 'has no effect on geoshape; known are shape, color and tooltip',
    }));
  const shape = columns.find(({ name }) => name === encoding.shape?.field);
  const isPlace = !shape || kindOf(shape) !== 'time';
  const message = 'must be a column with names or codes of places';
  return isPlace ? unused : [...unused, { pointer: `${at}/encoding/shape/field`, code: 'CONFLICT', message }];
}

/** A target is a number, and belongs to a single number, as its direction does. */
function kpiIssues({ type, target, direction }: Mark, columns: readonly ChartColumn[], at: string): Issue[] {
  if (type !== 'kpi')
    return Object.entries({ target, direction }).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [{ pointer: `${at}/mark/${name}`, code: 'CONFLICT', message: `has no effect on ${type}; it belongs to kpi` }],
    );
  if (typeof target !== 'string') return [];
  const pointer = `${at}/mark/target`;
  const column = columns.find(({ name }) => name === target);
  if (!column) return [unknownColumn(target, columns, pointer)];
  return kindOf(column) === 'number' ? [] : [{ pointer, code: 'CONFLICT', message: 'must be a column with numbers' }];
}

interface Named {
  field: string;
  format?: string | undefined;
  axis?: { format?: string | undefined } | null | undefined;
  legend?: { format?: string | undefined } | null | undefined;
}

function fieldIssues({ field, format, axis, legend }: Named, columns: readonly ChartColumn[], at: string): Issue[] {
  const column = columns.find(({ name }) => name === field);
  if (!column) return [unknownColumn(field, columns, `${at}/field`)];
  return [
    ...formatIssues(column, format, `${at}/format`),
    ...formatIssues(column, axis?.format, `${at}/axis/format`),
    ...formatIssues(column, legend?.format, `${at}/legend/format`),
  ];
}

function unknownColumn(name: string, columns: readonly ChartColumn[], pointer: string): Issue {
  const names = columns.map((column) => column.name);
  return { pointer, code: 'UNKNOWN', message: `the query has no column "${name}"${suggestion(name, names)}` };
}

/** A format that d3 does not know fails, and a huge width would fill the memory. */
function formatIssues(column: ChartColumn, format: string | undefined, pointer: string): Issue[] {
  if (format === undefined) return [];
  const kind = kindOf(column);
  if (kind === 'other') return [{ pointer, code: 'CONFLICT', message: 'needs a column with numbers or dates' }];
  if (kind === 'number' && !FORMAT.test(format))
    return [{ pointer, code: 'FORMAT', message: 'must be a number format of d3, such as `,.1f`' }];
  if (kind === 'time' && !TIME_DIRECTIVES.test(format))
    return [{ pointer, code: 'FORMAT', message: 'must be a date format of d3, such as `%b %Y`' }];
  return [];
}
