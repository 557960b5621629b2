import { always, both, CALENDAR, COMPARABLE, type FunctionEntry, NUMERIC, ofFirst } from './entry.ts';

const measure = { name: 'measure', accepts: NUMERIC } as const;
const time = { name: 'time', accepts: CALENDAR } as const;
const entity = { name: 'entity', accepts: [...COMPARABLE, 'boolean'], isRepeated: true } as const;
const ofTimes = [measure, time, { ...entity, isOptional: true }] as const;
const perEntity = [measure, entity] as const;

/** Groups within groups take several steps, which only a query planner can arrange. */
const planned = both(() => {
  throw new TypeError('Aggregates of aggregates are emitted by a query planner.');
});

const nulls =
  'Rows without a time or an entity are left out, and so are times at which the measure is null; a group without any gives null.';
const withoutEntity = 'Rows without an entity are left out, and so are null measures; a group without any gives null.';
const stock = 'SUM([quantity])';

/** Aggregates of a measure that is computed within the group first: at each time, or for each entity. */
export const NESTED_FUNCTIONS: readonly FunctionEntry[] = [
  {
    name: 'LAST_OVER',
    kind: 'aggregate',
    nested: { by: 'SUM', time: 'last' },
    parameters: ofTimes,
    returns: ofFirst,
    summary:
      'The measure at the last time in the group that has a value. With entities it is that of the last time of each of them, summed.',
    nulls,
    example: [`LAST_OVER(${stock}, [ordered], [region])`],
    emit: planned,
  },
  {
    name: 'FIRST_OVER',
    kind: 'aggregate',
    nested: { by: 'SUM', time: 'first' },
    parameters: ofTimes,
    returns: ofFirst,
    summary:
      'The measure at the first time in the group that has a value. With entities it is that of the first time of each of them, summed.',
    nulls,
    example: [`FIRST_OVER(${stock}, [ordered], [region])`],
    emit: planned,
  },
  {
    name: 'AVG_OVER',
    kind: 'aggregate',
    nested: { by: 'SUM', time: 'each' },
    parameters: ofTimes,
    returns: always('number'),
    summary:
      'The mean of the measure over the times in the group that have a value. With entities it is the mean of each of them over its own times, summed.',
    nulls,
    example: [`AVG_OVER(${stock}, [ordered])`],
    emit: planned,
  },
  {
    name: 'SUM_PER',
    kind: 'aggregate',
    nested: { by: 'SUM' },
    parameters: perEntity,
    returns: ofFirst,
    summary: 'The measure of each entity in the group, such as each customer, summed.',
    nulls: withoutEntity,
    example: ['SUM_PER(COUNT_DISTINCT([ordered]), [region])'],
    emit: planned,
  },
  {
    name: 'AVG_PER',
    kind: 'aggregate',
    nested: { by: 'AVG' },
    parameters: perEntity,
    returns: always('number'),
    summary: 'The mean of the measure over the entities in the group, such as the number of orders per customer.',
    nulls: withoutEntity,
    example: ['AVG_PER(COUNT([id]), [region])'],
    emit: planned,
  },
  {
    name: 'MEDIAN_PER',
    kind: 'aggregate',
    nested: { by: 'MEDIAN' },
    parameters: perEntity,
    returns: always('number'),
    summary: 'The median of the measure over the entities in the group.',
    nulls: withoutEntity,
    example: ['MEDIAN_PER(SUM([amount]), [region])'],
    emit: planned,
  },
  {
    name: 'MIN_PER',
    kind: 'aggregate',
    nested: { by: 'MIN' },
    parameters: perEntity,
    returns: ofFirst,
    summary: 'The smallest measure of an entity in the group.',
    nulls: withoutEntity,
    example: ['MIN_PER(SUM([amount]), [region])'],
    emit: planned,
  },
  {
    name: 'MAX_PER',
    kind: 'aggregate',
    nested: { by: 'MAX' },
    parameters: perEntity,
    returns: ofFirst,
    summary: 'The largest measure of an entity in the group.',
    nulls: withoutEntity,
    example: ['MAX_PER(SUM([amount]), [region])'],
    emit: planned,
  },
  {
    name: 'COUNT_PER',
    kind: 'aggregate',
    nested: { by: 'COUNT' },
    parameters: [{ name: 'condition', accepts: ['boolean'] }, entity],
    returns: always('integer'),
    summary: 'The number of entities in the group for which a condition on measures is true.',
    nulls: 'Rows without an entity are left out; an empty group gives 0.',
    example: ['COUNT_PER(COUNT([id]) > 1, [region])'],
    emit: planned,
  },
];
