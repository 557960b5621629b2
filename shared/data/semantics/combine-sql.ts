import type { Source } from './leg-sql.ts';
import type { Leg } from './legs.ts';
import { indent, type Lines, select, unionAll, where } from './lines.ts';
import { LEVEL, type Names, PRESENT } from './names.ts';
import type { Question } from './question.ts';

/** Every group of any leg once, with the values of all legs. */
export function combined(parts: { question: Question; source: Source; legs: readonly Leg[]; names: Names }): Lines {
  const { question, source, legs, names } = parts;
  const keys = [...(question.totals === 'none' ? [] : [LEVEL]), ...names.dimensions];
  const hasPrior = legs.some(({ scope }) => scope.kind === 'prior');
  const present = (isPresent: boolean) => (hasPrior ? [`${isPresent ? 1 : 0} AS ${PRESENT}`] : []);
  const all = legs.flatMap((leg) =>
    leg.aggregates.map((aggregate) => ({ aggregate, leg, name: names.of(aggregate, leg.scope) })),
  );
  // A null of the type of the value: some databases take plain nulls for texts.
  const valuesIn = (own: Leg | undefined) =>
    all.map(({ name, leg }) =>
      leg === own ? name : `(SELECT ${name} FROM ${names.ofLeg(leg)} WHERE false) AS ${name}`,
    );
  const branches = legs.map(
    (leg): Lines => [
      ...select([...keys, ...present(leg.scope.kind === 'group'), ...valuesIn(leg)]),
      `FROM ${names.ofLeg(leg)}`,
    ],
  );
  if (question.time?.isDense) {
    const period = names.dimensions[question.time.position]!;
    const others = names.dimensions.filter((name) => name !== period);
    const level = question.totals === 'none' ? [] : [`${names.dimensions.length} AS ${LEVEL}`];
    const named = names.dimensions.map((name) => (name === period ? `period AS ${name}` : name));
    const periods = source.time.periods(
      `(SELECT min(${period}) FROM seen)`,
      `(SELECT max(${period}) FROM seen)`,
      question.time.grain,
    );
    branches.push([
      ...select([...level, ...named, ...present(true), ...valuesIn(undefined)]),
      `FROM (${periods}) AS periods`,
      ...(others.length > 0 ? [`CROSS JOIN (SELECT DISTINCT ${others.join(', ')} FROM seen) AS others`] : []),
    ]);
  }
  const values = all.map(({ aggregate, name }) => {
    const value = `${aggregate.isBoolean ? 'bool_or' : 'max'}(${name})`;
    return `${aggregate.isZeroWithoutRows ? `coalesce(${value}, 0)` : value} AS ${name}`;
  });
  return [
    ...select([...keys, ...values]),
    'FROM (',
    ...indent(unionAll(branches)),
    ') AS legs',
    ...(keys.length > 0 ? [`GROUP BY ${keys.join(', ')}`] : []),
    ...(hasPrior ? [`HAVING max(${PRESENT}) = 1`] : []),
  ];
}

/** The groups of the present that have rows, without totals. */
export function seen(question: Question, legs: readonly Leg[], names: Names): Lines {
  const isFull = question.totals === 'none' ? [] : [`${LEVEL} = ${names.dimensions.length}`];
  return unionAll(
    legs
      .filter(({ scope }) => scope.kind === 'group')
      .map((leg): Lines => [...select(names.dimensions), `FROM ${names.ofLeg(leg)}`, ...where(isFull)]),
  );
}

/** The values of groups together with those of the groups before them. */
export function cumulative(question: Question, source: Source, names: Names): string[] {
  const { time, totals } = question;
  const leaves = question.measures.flatMap(({ expression }) => expression.leaves);
  const columns = leaves.flatMap(({ aggregate, scope }) => {
    if (scope.kind !== 'cumulative' || !time) return [];
    const period = names.dimensions[time.position]!;
    const partition = [
      ...(totals === 'none' ? [] : [LEVEL]),
      ...names.dimensions.filter((name) => name !== period),
      ...(scope.grain ? [source.time.beginning(period, scope.grain)] : []),
      // What has no date belongs to no period.
      `${period} IS NULL`,
    ];
    const value = `${aggregate.ofParts}(${names.of(aggregate, { kind: 'group' })})`;
    const name = names.of(aggregate, scope);
    return [`${value} OVER (PARTITION BY ${partition.join(', ')} ORDER BY ${period}) AS ${name}`];
  });
  return [...new Set(columns)];
}
