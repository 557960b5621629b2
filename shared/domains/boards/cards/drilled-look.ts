import type { ReadChart } from '../charts/index.ts';
import { type ChartDeps, type ChartSpec, chartColumns } from '../charts/index.ts';
import type { CardRecord } from '../dashboards/index.ts';
import { queryOf } from './card-query.ts';
import type { CardRows } from './card-rows.ts';
import type { DrillStep } from './schemas.ts';

type Named = { field: string } & Record<string, unknown>;
/** The card as it draws some rows. */
export type LookFor = (card: CardRecord, rows: CardRows) => CardRecord;

/**
 * How a card draws the rows that the steps lead to: each level takes the place of the column that it replaces. Rows
 * behind a number are a table, and so are the levels below places of a map.
 */
export async function drilledLook(
  deps: ChartDeps,
  card: CardRecord,
  { principal, timeoutMs }: Pick<ReadChart, 'principal' | 'timeoutMs'>,
  steps: readonly DrillStep[],
): Promise<LookFor> {
  const before = await chartColumns(deps, { principal, timeoutMs, query: queryOf(card), filters: [] });
  const isTable = steps.at(-1)?.to === 'rows' || card.chartSpec?.mark.type === 'geoshape';
  return (shown, { columns }) => {
    if (!shown.chartSpec) return shown;
    const { version, query, config, ...look } = shown.chartSpec;
    // Links name columns that these rows may not have; the page leaves them out.
    const { links: _links, ...settings } = config ?? {};
    const pairs = before?.map(({ name }, at) => [name, columns[at]?.name ?? name] as const) ?? [];
    const names = new Map(pairs.filter(([from, to]) => from !== to));
    const drawn = isTable
      ? { mark: { type: 'table' } }
      : renamed({ ...look, ...(config && { config: settings }) }, names);
    return { ...shown, chartSpec: { version, query, ...(drawn as typeof look) } satisfies ChartSpec };
  };
}

/** What belongs to the values of a column, such as their format and order, does not fit those of another one. */
function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => renamed(each, names));
  if (typeof value !== 'object' || value === null) return value;
  const { field } = value as Partial<Named>;
  const name = field === undefined ? undefined : names.get(field);
  if (name !== undefined) return { field: name };
  return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, renamed(each, names)]));
}
