import { column, compare, type SqlColumn, type Typed, type TypedCall } from '../expressions/index.ts';
import { OF_PARTS } from './aggregate-parts.ts';
import type { Leaf, Rank } from './leaves.ts';
import type { Leg } from './legs.ts';
import { indent, type Lines, select, unionAll, where } from './lines.ts';
import { added } from './moved-time.ts';
import { LEVEL, type Names, PARTS, PRESENT } from './names.ts';
import type { Question } from './question.ts';
import { dense } from './time-axis.ts';
import type { Writer } from './writer.ts';

export interface CombineContext {
  question: Question;
  names: Names;
  writer: Writer;
}

/** Every group of any leg once, with the values of all legs. */
export function combined({ question, names, writer }: CombineContext, legs: readonly Leg[]): Lines {
  const keys = [...(question.totals === 'none' ? [] : [LEVEL]), ...names.dimensions];
  const hasParents = legs.some(({ scope }) => scope.kind === 'parent');
  const hasOthers = legs.some(({ scope }) => scope.kind !== 'group');
  const marked = (isPresent: boolean) => (hasOthers ? [`${isPresent ? 1 : 0} AS ${PRESENT}`] : []);
  const all = legs.flatMap((leg) =>
    leg.aggregates.map((aggregate) => ({ aggregate, leg, name: names.of(aggregate, leg.scope) })),
  );
  // A null of the type of the value: some databases take plain nulls for texts.
  const valuesIn = (own: Leg | undefined) =>
    all.map(({ name, leg }) =>
      leg === own ? name : `(SELECT ${name} FROM ${names.ofLeg(leg)} WHERE false) AS ${name}`,
    );
  const last = names.dimensions.at(-1);
  const present = legs.find(({ scope }) => scope.kind === 'group');
  // Parents have no value of the last dimension, whose type some databases would take for that of texts.
  const keysOf = ({ scope }: Leg) =>
    scope.kind === 'parent' && last !== undefined && present
      ? keys.with(-1, `(SELECT ${last} FROM ${names.ofLeg(present)} WHERE false) AS ${last}`)
      : keys;
  const branches = legs.map(
    (leg): Lines => [
      ...select([...keysOf(leg), ...marked(leg.scope.kind === 'group'), ...valuesIn(leg)]),
      `FROM ${names.ofLeg(leg)}`,
    ],
  );
  const { time } = question;
  if (time?.isDense) branches.push(dense({ names, writer, question, time }, [...marked(true), ...valuesIn(undefined)]));
  const values = all.map(({ aggregate, leg, name }) => {
    const value = `${aggregate.type === 'boolean' ? 'bool_or' : 'max'}(${name})`;
    const isParent = leg.scope.kind === 'parent';
    const sql = isCount(aggregate) && !isParent ? counted({ question, names, writer }, value, leg) : value;
    // A total over all periods has no earlier one, and none that it ends with.
    const isOfPeriod = leg.scope.kind === 'prior' || leg.scope.kind === 'trailing';
    const isLimited = isOfPeriod && question.totals !== 'none';
    return `${isLimited ? `CASE WHEN ${LEVEL} > ${time!.position} THEN ${sql} END` : sql} AS ${isParent ? ofParent(name) : name}`;
  });
  return [
    ...select([...keys, ...(hasParents ? [`max(${PRESENT}) AS ${PRESENT}`] : []), ...values]),
    'FROM (',
    ...indent(unionAll(branches)),
    ') AS legs',
    ...(keys.length > 0 ? [`GROUP BY ${keys.join(', ')}`] : []),
    ...(hasOthers && !hasParents ? [`HAVING max(${PRESENT}) = 1`] : []),
  ];
}

/** The value of a parent in a row of its own, among those of its groups. */
const ofParent = (name: string) => `${name}_parent`;

/** The values of the parents, for each of their groups. */
export function parentValues({ question, names }: CombineContext, legs: readonly Leg[]): string[] {
  const above = names.dimensions.slice(0, -1);
  const partition =
    question.totals === 'none'
      ? above
      : [LEVEL, ...above.map((name, index) => `CASE WHEN ${LEVEL} > ${index + 1} THEN ${name} END`)];
  const by = partition.length > 0 ? `PARTITION BY ${partition.join(', ')}` : '';
  return legs
    .filter(({ scope }) => scope.kind === 'parent')
    .flatMap(({ aggregates, scope }) =>
      aggregates.map((aggregate) => {
        const name = names.of(aggregate, scope);
        return `${aggregate.type === 'boolean' ? 'bool_or' : 'max'}(${ofParent(name)}) OVER (${by}) AS ${name}`;
      }),
    );
}

/** The places of the groups, each among those of its level. */
export function places(
  { question, writer }: CombineContext,
  ranks: readonly Rank[],
  replaced: ReadonlyMap<Typed, SqlColumn>,
): string[] {
  const by = question.totals === 'none' ? '' : `PARTITION BY ${LEVEL} `;
  return ranks.map(({ column: name, tree }) => {
    const value = writer.sql(tree, (field) => ({ column: field }), replaced);
    return `CASE WHEN (${value}) IS NOT NULL THEN rank() OVER (${by}ORDER BY ${value} DESC NULLS LAST) END AS ${name}`;
  });
}

export const isCount = ({ name }: TypedCall): boolean => name.startsWith('COUNT');

/**
 * Without rows a count is 0; over several periods only for a group that has a period, and of an earlier period only if
 * there is one, and not before the first one with rows.
 */
function counted({ question, names, writer }: CombineContext, value: string, { scope }: Leg): string {
  const { time, dimensions } = question;
  const name = names.dimensions[time?.position ?? -1];
  if (scope.kind === 'trailing') return `coalesce(${value}, CASE WHEN ${name} IS NOT NULL THEN 0 END)`;
  if (scope.kind !== 'prior' || !time || !name) return `coalesce(${value}, 0)`;
  const period = column(name, dimensions[time.position]!.tree.type);
  const earlier = added(scope.grain, -scope.count, period);
  const sql = (tree: Typed) => writer.sql(tree, (field) => ({ column: field }));
  const exists = sql(compare('=', added(scope.grain, scope.count, earlier), period));
  const isKnown = `${sql(earlier)} >= (SELECT first_period FROM ${PARTS.first})`;
  return `coalesce(${value}, CASE WHEN ${exists} AND ${isKnown} THEN 0 END)`;
}

/** The groups of the present that have rows, without totals. */
export function seen({ question, names }: CombineContext, legs: readonly Leg[]): Lines {
  const isFull = question.totals === 'none' ? [] : [`${LEVEL} = ${names.dimensions.length}`];
  return unionAll(
    legs
      .filter(({ scope }) => scope.kind === 'group')
      .map((leg): Lines => [...select(names.dimensions), `FROM ${names.ofLeg(leg)}`, ...where(isFull)]),
  );
}

/** The values of groups together with those of the groups before them. */
export function cumulative({ question, names, writer }: CombineContext, leaves: readonly Leaf[]): string[] {
  const { time, totals, dimensions } = question;
  return leaves.flatMap(({ aggregate, scope }) => {
    if (scope.kind !== 'cumulative' || !time || !OF_PARTS[aggregate.name]) return [];
    const period = names.dimensions[time.position]!;
    const partition = [
      ...(totals === 'none' ? [] : [LEVEL]),
      ...names.dimensions.filter((name) => name !== period),
      ...(scope.grain ? [writer.beginning(period, scope.grain, dimensions[time.position]!.tree.type)] : []),
      // What has no date belongs to no period.
      `${period} IS NULL`,
    ];
    const value = `${OF_PARTS[aggregate.name]}(${names.of(aggregate, { kind: 'group' })})`;
    return [`${value} OVER (PARTITION BY ${partition.join(', ')} ORDER BY ${period}) AS ${names.of(aggregate, scope)}`];
  });
}
