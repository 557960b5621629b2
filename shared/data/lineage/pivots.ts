import { folded } from '../duckdb/column-names.ts';
import { isNode, type TreeNode, visitNodes } from '../sql/parse-tree.ts';
import { originOfExpression, starColumns } from './expressions.ts';
import { changed, NO_COLUMN, type Origin, union } from './origins.ts';
import { type From, named, type OutputColumn, type Place, UNKNOWN_COLUMNS, type Walk } from './walk.ts';

interface Entry {
  values?: { value?: unknown; is_null?: boolean; type?: { id?: string } }[];
  alias?: string;
  star_expr?: TreeNode;
}

interface Pivot {
  pivot_expressions?: TreeNode[];
  unpivot_names?: string[];
  entries?: Entry[];
}

/** The columns of a PIVOT or UNPIVOT of `source`. Columns made of values have the names that DuckDB gives them. */
export function pivotedColumns(walk: Walk, node: TreeNode, source: From, outer: Place): readonly OutputColumn[] {
  const place: Place = { ...outer, scope: { from: source, aliases: new Map(), outer: outer.scope } };
  const pivots = (node.pivots ?? []) as Pivot[];
  const values = (node.unpivot_names ?? []) as string[];
  if (source.star.some(({ name }) => name === undefined) || pivots.some(({ entries }) => !entries)) {
    return UNKNOWN_COLUMNS;
  }
  return values.length > 0 ? turned(walk, node, values, pivots, place) : pivoted(walk, node, pivots, place);
}

function pivoted(walk: Walk, node: TreeNode, pivots: readonly Pivot[], place: Place): readonly OutputColumn[] {
  const { star } = place.scope!.from;
  const aggregates = (node.aggregates ?? []) as TreeNode[];
  const by = pivots.flatMap(({ pivot_expressions: each = [] }) => each);
  const groups = (node.groups ?? []) as string[];
  for (const name of groups) walk.expectName(name, star, node);
  const used = new Set(namesIn([aggregates, by]));
  const kept =
    groups.length > 0
      ? groups.flatMap((name) => named(star, name))
      : star.filter(({ name }) => !used.has(folded(name!)));
  const isNamed = aggregates.length > 1 || aggregates.some(({ alias }) => alias !== undefined);
  const made = aggregates.map((each) => ({
    ending: isNamed ? (each.alias === undefined ? undefined : `_${String(each.alias)}`) : '',
    origin: changed(originOfExpression(walk, each, place), 'AGGREGATION'),
  }));
  walk.decides(union([originOfExpression(walk, by, place), ...kept.map(({ origin }) => origin)]), 'GROUP_BY');
  const columns = headings(pivots).flatMap((heading) =>
    made.map(
      ({ ending, origin }): OutputColumn =>
        heading === undefined || ending === undefined ? { origin } : { name: `${heading}${ending}`, origin },
    ),
  );
  return [...kept.map(({ name, origin }) => ({ name, origin })), ...columns];
}

/** The combined values of the pivoted columns, in the order of the new columns. */
function headings(pivots: readonly Pivot[]): (string | undefined)[] {
  return pivots.reduce<(string | undefined)[]>(
    (before, { entries = [] }) =>
      before.flatMap((start) =>
        entries.map((entry) => {
          const text = entry.alias ?? headingOf(entry);
          return start === undefined || text === undefined ? undefined : start === '' ? text : `${start}_${text}`;
        }),
      ),
    [''],
  );
}

/** Undefined for values whose text only DuckDB knows. */
function headingOf({ values = [] }: Entry): string | undefined {
  const texts = values.map(({ value, type }) =>
    typeof value === 'string' || (typeof value === 'number' && /INT/.test(type?.id ?? '')) ? String(value) : undefined,
  );
  return texts.every((text) => text !== undefined) ? texts.join('_') : undefined;
}

function turned(
  walk: Walk,
  node: TreeNode,
  values: readonly string[],
  pivots: readonly Pivot[],
  place: Place,
): readonly OutputColumn[] {
  const { star } = place.scope!.from;
  const [{ unpivot_names: names = [], entries = [] } = {}, ...others] = pivots;
  if (others.length > 0) return UNKNOWN_COLUMNS;
  const lists = entries.flatMap(({ star_expr: chosen, values: list = [] }): (string | undefined)[][] =>
    chosen
      ? starColumns(walk, chosen, place).map(({ name }) => [name])
      : [list.map(({ value }) => (typeof value === 'string' ? value : undefined))],
  );
  const sources = lists.map((list) => list.map((name) => (name === undefined ? [] : named(star, name))));
  if (sources.some((list) => list.length !== values.length)) return UNKNOWN_COLUMNS;
  for (const name of lists.flat()) if (name !== undefined) walk.expectName(name, star, node);
  const gone = new Set(sources.flat(2));
  const originOfValue = (index: number): Origin => union(sources.map((list) => list[index]![0]?.origin ?? null));
  return [
    ...star.filter((column) => !gone.has(column)).map(({ name, origin }) => ({ name, origin })),
    ...names.map((name) => ({ name, origin: NO_COLUMN })),
    ...values.map((name, index) => ({ name, origin: originOfValue(index) })),
  ];
}

function namesIn(part: unknown): string[] {
  const names: string[] = [];
  visitNodes(part, (node) => {
    if (node.class === 'COLUMN_REF' && isNode(node)) names.push(folded(String((node.column_names as string[]).at(-1))));
  });
  return names;
}
