import type { TypedCall } from '../expressions/index.ts';

/** The functions that make the value of several groups from theirs. */
export const OF_PARTS: Readonly<Record<string, string>> = { SUM: 'sum', COUNT: 'sum', MIN: 'min', MAX: 'max' };

/** The aggregates that the value of several groups is made from. */
export function partsOf(aggregate: TypedCall): TypedCall[] {
  if (aggregate.name !== 'AVG') return [aggregate];
  const [value] = aggregate.args;
  return [
    { ...aggregate, name: 'SUM', type: value!.type },
    { ...aggregate, name: 'COUNT', type: 'integer' },
  ];
}

/** Whether the value of several groups follows from theirs. */
export const isCombinable = ({ name }: TypedCall): boolean => OF_PARTS[name] !== undefined;
