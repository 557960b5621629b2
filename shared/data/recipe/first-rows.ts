import { folded } from '../duckdb/column-names.ts';
import { call, column, type Expression, type Frame, type Relation, value } from './tree.ts';

type Select = Extract<Relation, { kind: 'select' }>;

/** The rows of an input with an additional column that numbers them. */
export interface NumberedInput {
  table: string;
  column: string;
}

/**
 * Rewrites ranking so that it needs less memory: to rank whole rows, an engine keeps and sorts all of them. If the
 * order depends on few columns, only these are ranked, with the number of each row, and a second read leaves out the
 * other rows. Whole rows are compared only if they are equal in the order. Expressions that depend on more than the
 * input's values stay as they are, because two reads could differ.
 */
export function rankedByNumber(relation: Relation, inputs: Readonly<Record<string, NumberedInput>>): Relation {
  const known = new Map<Relation, Relation>();
  const rewritten = (each: Relation): Relation => {
    const found = known.get(each);
    if (found) return found;
    const made = rewrite(each);
    known.set(each, made);
    return made;
  };
  const rewrite = (each: Relation): Relation => {
    switch (each.kind) {
      case 'table':
        return each;
      case 'set':
        return { ...each, inputs: each.inputs.map(rewritten) };
      case 'join':
        return { ...each, left: rewritten(each.left), right: rewritten(each.right) };
      case 'select':
        return (each.keepFirstOf && withoutLosers(each, inputs)) ?? { ...each, from: rewritten(each.from) };
    }
  };
  return rewritten(relation);
}

function withoutLosers(select: Select, inputs: Readonly<Record<string, NumberedInput>>): Relation | undefined {
  const { keys, orderBy } = select.keepFirstOf!;
  const competing = new Set([...keys, ...orderBy.map((each) => each.column)]);
  const isWhole = select.outputs.every(({ value }) => value.kind === 'column' && competing.has(value.name));
  const isPlain = select.outputs.every(({ value }) => value.kind === 'column');
  const number = inputs[baseOf(select.from) ?? '']?.column;
  if (isWhole || !isPlain || number === undefined) return undefined;
  // Separate subqueries, because an engine may keep the whole result of a subquery that is named twice.
  const readings = [0, 1, 2].map(() => numberedRows(select.from, inputs, number));
  const [read, ranked, looked] = readings;
  if (!read || !ranked || !looked) return undefined;
  const right = losers(select.keepFirstOf!, { ranked, looked, number });
  const outputs = select.outputs.map(({ name, value }) => ({ name, value: { ...value, of: 'left' } as Expression }));
  return { kind: 'join', type: 'anti', left: read, right, on: [{ left: number, right: number }], outputs };
}

/** The numbers of the rows that are not the first of their key. */
function losers(
  { keys, orderBy, ties = [] }: NonNullable<Select['keepFirstOf']>,
  { ranked, looked, number }: { ranked: Relation; looked: Relation; number: string },
): Relation {
  const numbers = [{ name: number, value: column(number) }];
  const over = (fn: string, frame?: Frame): Expression => ({
    kind: 'window',
    fn,
    args: [],
    partitionBy: keys,
    orderBy,
    ...(frame ? { frame } : {}),
  });
  const places: Relation = {
    kind: 'select',
    from: ranked,
    outputs: [...numbers, { name: 'rank', value: over('rank') }, { name: 'equals', value: over('count', 'equals') }],
  };
  const isBeaten = call('greater', column('rank'), value(1));
  const isTied = call('greater', column('equals'), value(1));
  // This one is named twice, because it is small: few numbers, or little more than a number and two counts per row.
  const contested: Relation = {
    kind: 'select',
    from: places,
    outputs: [...numbers, { name: 'rank', value: column('rank') }],
    where: { kind: 'case', when: isBeaten, result: value(true), otherwise: isTied },
  };
  const tied: Relation = {
    kind: 'join',
    type: 'semi',
    left: looked,
    right: { kind: 'select', from: contested, outputs: numbers, where: call('equals', column('rank'), value(1)) },
    on: [{ left: number, right: number }],
    outputs: [...keys, ...ties.map((tie) => tie.column), number].map((name) => ({ name, value: column(name, 'left') })),
  };
  const beaten: Relation = { kind: 'select', from: contested, outputs: numbers, where: isBeaten };
  const later: Relation = {
    kind: 'select',
    from: tied,
    outputs: numbers,
    keepFirstOf: { keys, orderBy: [...ties, { column: number }], others: true },
  };
  return { kind: 'set', op: 'union', all: true, inputs: [beaten, later] };
}

/** The input from which each row is computed one to one. */
function baseOf(relation: Relation): string | undefined {
  if (relation.kind === 'table') return relation.name;
  return relation.kind === 'select' ? baseOf(relation.from) : undefined;
}

function numberedRows(
  relation: Relation,
  inputs: Readonly<Record<string, NumberedInput>>,
  number: string,
): Relation | undefined {
  if (relation.kind === 'table') return { kind: 'table', name: inputs[relation.name]!.table };
  if (relation.kind !== 'select' || !isRowByRow(relation)) return undefined;
  if (relation.outputs.some(({ name }) => folded(name) === folded(number))) return undefined;
  const from = numberedRows(relation.from, inputs, number);
  return from && { ...relation, from, outputs: [...relation.outputs, { name: number, value: column(number) }] };
}

/** Whether each row is computed from a single row, independently of the others. */
function isRowByRow(select: Select): boolean {
  const { groupBy, keepFirstOf, orderBy, orderByShare, limit, where, outputs } = select;
  if (groupBy || keepFirstOf || orderBy || orderByShare || limit) return false;
  return [...outputs.map(({ value }) => value), ...(where ? [where] : [])].every(followsFromRow);
}

function followsFromRow(expression: Expression): boolean {
  switch (expression.kind) {
    case 'column':
    case 'value':
      return true;
    case 'cast':
      return followsFromRow(expression.value);
    case 'call':
      return expression.fn !== 'unnest' && expression.args.every(followsFromRow);
    case 'case':
      return [expression.when, expression.result, ...(expression.otherwise ? [expression.otherwise] : [])].every(
        followsFromRow,
      );
    // An author's expression may be random.
    case 'author':
    case 'aggregate':
    case 'window':
      return false;
  }
}
