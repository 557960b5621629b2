import type { Issue } from '../../platform/errors/app-error.ts';
import { suggestion } from '../../platform/validation/names.ts';
import { type ChartColumn, kindOf } from './chart-columns.ts';
import type { ChannelName, ChartLook, Encoding, Mark } from './chart-look.ts';
import { CHART_KINDS, kindsWith, SETTINGS } from './kinds/chart-kinds.ts';
import { lineAxis } from './line-axis.ts';
import { columnsInAddress } from './link-address.ts';
import { tableIssues } from './table-issues.ts';
import { canHaveTrend } from './trend.ts';

const FORMAT = /^(?:(.)?([<>=^]))?([+\-( ])?([$#])?(0)?(\d{1,3})?(,)?(\.\d{1,2})?(~)?([a-z%])?$/i;
const TIME_DIRECTIVES = /%[-_0]?[aAbBcdefgGHIjLmMpqQsSuUVwWxXyYZ%]/;

/** What is wrong with the look of a chart whose query returns these columns; pointers begin at the chart. */
export function lookIssues(look: ChartLook, columns: readonly ChartColumn[]): Issue[] {
  const single = look.layer ? [] : viewIssues(look.mark, look.encoding ?? {}, columns, '');
  const layers = (look.layer ?? []).flatMap(({ mark, encoding }, index) => [
    ...(isDrawn(mark) ? [] : [notInLayer(mark, index)]),
    ...viewIssues(mark, encoding, columns, `/layer/${index}`),
  ]);
  return [
    ...single,
    ...layers,
    ...lineIssues(look, columns),
    ...trendIssues(look, columns),
    ...linkIssues(look, columns),
  ];
}

/** A trend needs a horizontal axis with distances, and a forecast needs periods. */
function trendIssues({ mark, encoding, layer, config }: ChartLook, columns: readonly ChartColumn[]): Issue[] {
  if (!config?.trend) return [];
  const [x, y] = [encoding?.x, encoding?.y].map((channel) => columns.find(({ name }) => name === channel?.field));
  // Columns that the query lacks are issues of their own.
  if (!layer && encoding?.x && encoding.y && !(x && y)) return [];
  const isFit = !layer && !encoding?.row && !encoding?.column && x && y && canHaveTrend(mark.type, x, y);
  const message = 'needs a `line` or `point` with numbers or times as `x` and numbers as `y`';
  if (!isFit) return [{ pointer: '/config/trend', code: 'CONFLICT', message }];
  if (config.trend.periods === undefined || x.grain) return [];
  return [{ pointer: '/config/trend/periods', code: 'CONFLICT', message: 'needs periods, such as months, as `x`' }];
}

/** Links lead to one place, with values of columns that the rows have. */
function linkIssues({ config }: ChartLook, columns: readonly ChartColumn[]): Issue[] {
  return (config?.links ?? []).flatMap(({ url, dashboardId, filters = {} }, index): Issue[] => {
    const pointer = `/config/links/${index}`;
    if ((url === undefined) === (dashboardId === undefined))
      return [{ pointer, code: 'REQUIRED', message: 'needs either `url` or `dashboardId`' }];
    if (url !== undefined && Object.keys(filters).length > 0)
      return [{ pointer: `${pointer}/filters`, code: 'CONFLICT', message: 'needs a `dashboardId`' }];
    const named = [
      ...columnsInAddress(url ?? '').map((name) => ({ name, at: `${pointer}/url` })),
      ...Object.entries(filters).map(([id, name]) => ({ name, at: `${pointer}/filters/${id}` })),
    ];
    return named.flatMap(({ name, at }) =>
      columns.some((column) => column.name === name) ? [] : [unknownColumn(name, columns, at)],
    );
  });
}

/** Lines are at values of an axis of numbers. */
function lineIssues({ mark, encoding = {}, layer, config }: ChartLook, columns: readonly ChartColumn[]): Issue[] {
  if (!config?.lines) return [];
  const hasAxis = layer ? lineAxis(layer, columns) : isDrawn(mark) && lineAxis([{ encoding }], columns);
  const message = 'needs an axis of numbers (`x` or `y`)';
  return hasAxis ? [] : [{ pointer: '/config/lines', code: 'CONFLICT', message }];
}

const isDrawn = ({ type }: Mark): boolean => CHART_KINDS[type].isAlone !== true;

const notInLayer = ({ type }: Mark, index: number): Issue => ({
  pointer: `/layer/${index}/mark/type`,
  code: 'CONFLICT',
  message: `${type} cannot be a layer; use it as \`mark\``,
});

function viewIssues(mark: Mark, encoding: Encoding, columns: readonly ChartColumn[], at: string): Issue[] {
  const missing = CHART_KINDS[mark.type].needs
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
    ...(mark.columns ?? []).flatMap(({ link }, index) =>
      link ? [{ each: link, pointer: `${at}/mark/columns/${index}/link` }] : [],
    ),
  ];
  const fields = named.flatMap(({ each, pointer }) => fieldIssues(each, columns, pointer));
  return [
    ...missing,
    ...channelIssues(mark, encoding, columns, at),
    ...settingIssues(mark, at),
    ...targetIssues(mark, columns, at),
    ...tableIssues(mark, columns, at),
    ...fields,
  ];
}

/** Kinds with channels of their own take no others, and need columns of some kinds. */
function channelIssues({ type }: Mark, encoding: Encoding, columns: readonly ChartColumn[], at: string): Issue[] {
  const { takes } = CHART_KINDS[type];
  if (!takes) return [];
  const channels = Object.entries(encoding).filter(([name]) => name !== 'tooltip') as [ChannelName, Named][];
  const unused = channels
    .filter(([name]) => !takes[name])
    .map(([name]) => ({
      pointer: `${at}/encoding/${name}`,
      code: 'CONFLICT',
      message: `has no effect on ${type}; known are ${Object.keys(takes).join(', ')} and tooltip`,
    }));
  const unfit = channels.flatMap(([name, { field }]) => {
    const [need, column] = [takes[name], columns.find((each) => each.name === field)];
    const isFit = !need || !column || need.fits(column);
    return isFit ? [] : [{ pointer: `${at}/encoding/${name}/field`, code: 'CONFLICT', message: need.message }];
  });
  return [...unused, ...unfit];
}

function settingIssues(mark: Mark, at: string): Issue[] {
  const kind = CHART_KINDS[mark.type];
  const foreign = SETTINGS.filter((name) => mark[name] !== undefined && !kind.settings?.includes(name)).map((name) => ({
    member: name,
    message: `has no effect on ${mark.type}; it belongs to ${kindsWith(name).join(' and ')}`,
  }));
  return [...foreign, ...(kind.findIssues?.(mark) ?? [])].map(({ member, message }) => ({
    pointer: `${at}/mark/${member}`,
    code: 'CONFLICT',
    message,
  }));
}

/** A target is a number, or the name of a column with numbers. */
function targetIssues({ target }: Mark, columns: readonly ChartColumn[], at: string): Issue[] {
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
