import type { Engine } from './engines.ts';

/**
 * Where the independent emulator departs from what AWS documents or answers. Promises that it does not keep are not
 * asked of it, and its wording is not compared where it has its own.
 */
export const promisesNotKept: Record<string, string> = {
  'removes list elements by the places they had': 'removes one after the other',
  'appends when a list index lies beyond the end': 'fills the gap with NULL elements',
  'refuses a range of partitions': 'has its own words',
  'refuses a start key outside the queried partition': 'starts somewhere',
  'accepts the conditions of a key in either order': 'wants the partition key first',
  'refuses a key condition of the wrong type': 'answers nothing',
  'refuses a second operand that equals the first': 'evaluates it',
  'refuses an ordering of values that have none': 'evaluates it',
  'returns only the changed element of a list for UPDATED_NEW': 'returns the whole list',
  'reads what a local index does not hold from the table': 'returns the item without it',
  'shows only what a transactional read asked for': 'adds the key',
  'refuses an action that does two things': 'does one of them',
  'refuses to remove below what is not there': 'does nothing',
  'names the first fault of an expression as AWS words it': 'has its own words for some',
  'refuses paths that take one place for a list and a map': 'fails on applying them',
  'refuses placeholders that no expression uses': 'does not look in an update without actions',
  'refuses unknown table settings by name': 'ignores them',
  'keeps the tags of a table': 'has another ARN',
  'records point-in-time recovery': 'does not know the operation',
  'enables and disables time to live once': 'repeats it silently',
};

/** Whether `engine` is held to the promise with this title. */
export function keeps(engine: Engine['name'], title: string): boolean {
  return engine === 'local cloud' || !Object.hasOwn(promisesNotKept, title);
}

/** Brings two answers to the words that both engines share. */
export function comparable(message: string): string {
  return (
    message
      // AWS puts this before some messages in some regions; dynoxide follows those.
      .replace(/^1 validation error detected: /, '')
      // Where the grammar fails, dynoxide says what its parser had expected.
      .replace(/^(Invalid \w+: )(Syntax error|Expected |Unexpected ).*/s, '$1syntax error')
      .replace(/^list_append requires two list operands$|^Operands for [+-] must be numbers$/, WRONG_OPERAND)
      .replace(/(operator or function: \S+, operand type: )STRING$/, '$1S')
  );
}

const WRONG_OPERAND = 'An operand in the update expression has an incorrect data type';

/** An answer that was brought to comparable form. */
export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** Differences that random operations meet. None of them leaves different items behind. */
const answerDifferences: { what: string; is(name: string, ours: Answer, theirs: Answer): boolean }[] = [
  {
    what: 'ALL_OLD of an update that creates the item returns the key; AWS returns nothing',
    is: (name, ours, theirs) =>
      name === 'UpdateItem' &&
      ours.body.Attributes === undefined &&
      sameNames(theirs.body.Attributes, ['pk', 'sk']) &&
      JSON.stringify({ ...ours, body: { ...ours.body, Attributes: theirs.body.Attributes } }).length ===
        JSON.stringify(theirs).length,
  },
  {
    what: 'a malformed expression is one of the reasons of a cancelled transaction; AWS refuses the request',
    is: (name, ours, theirs) =>
      name === 'TransactWriteItems' &&
      String(ours.body.message).startsWith('Invalid ConditionExpression: ') &&
      String(theirs.body.message).includes('ValidationError'),
  },
  {
    what: 'the condition is evaluated before a changed key is noticed',
    is: (name, ours, theirs) =>
      name === 'UpdateItem' &&
      String(ours.body.message).includes('Cannot update attribute sk') &&
      theirs.body.message === 'The conditional request failed',
  },
  {
    what: 'unused values are noticed before a malformed condition',
    is: (_name, ours, theirs) =>
      String(ours.body.message).startsWith('Invalid ConditionExpression: ') &&
      String(theirs.body.message).startsWith('Value provided in ExpressionAttributeValues unused'),
  },
];

export function isKnownDifference(name: string, ours: Answer, theirs: Answer): boolean {
  return answerDifferences.some((difference) => difference.is(name, ours, theirs));
}

function sameNames(value: unknown, names: string[]): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).sort().join() === names.join();
}
