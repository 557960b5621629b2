import type { Engine } from './engines.ts';

/**
 * Differences of the independent emulator from AWS's documentation and answers. It is not tested for promises that it
 * does not keep, and its own messages are not compared.
 */
export const promisesNotKept: Record<string, string> = {
  'removes list elements by their original positions': 'removes one after the other',
  'appends when a list index is beyond the end': 'fills the gap with NULL elements',
  'rejects a range of partitions': 'has its own words',
  'rejects a start key outside the queried partition': 'starts somewhere',
  'accepts the conditions of a key in either order': 'wants the partition key first',
  'rejects a key condition of the wrong type': 'answers nothing',
  'rejects a second operand equal to the first': 'evaluates it',
  'rejects comparing values without an order': 'evaluates it',
  'returns only the changed element of a list for UPDATED_NEW': 'returns the whole list',
  'rejects a projection or a filter with what a global index does not hold': 'returns the items without it',
  'reads attributes outside a local index from the table': 'returns the item without it',
  'returns only the requested attributes of a transactional read': 'adds the key',
  'rejects an action with two operations': 'does one of them',
  'rejects removal below a missing attribute': 'does nothing',
  "reports the first issue of an expression with AWS's message": 'has its own words for some',
  'rejects paths that use one place as a list and a map': 'fails on applying them',
  'rejects unused placeholders': 'does not look in an update without actions',
  'rejects unknown table settings by name': 'ignores them',
  'keeps the tags of a table': 'has another ARN',
  'records point-in-time recovery': 'does not know the operation',
  'enables and disables time to live once': 'repeats it silently',
};

/** Whether `engine` is tested for the promise with this title. */
export function keeps(engine: Engine['name'], title: string): boolean {
  return engine === 'local cloud' || !Object.hasOwn(promisesNotKept, title);
}

/** Normalises a message to the words that both engines share. */
export function comparable(message: string): string {
  return (
    message
      // AWS adds this to some messages in some regions; dynoxide does so too.
      .replace(/^1 validation error detected: /, '')
      // For syntax errors, dynoxide reports what its parser expected.
      .replace(/^(Invalid \w+: )(Syntax error|Expected |Unexpected ).*/s, '$1syntax error')
      .replace(/^list_append requires two list operands$|^Operands for [+-] must be numbers$/, WRONG_OPERAND)
      .replace(/(operator or function: \S+, operand type: )STRING$/, '$1S')
  );
}

const WRONG_OPERAND = 'An operand in the update expression has an incorrect data type';

/** A normalised answer. */
export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** Differences that occur in random operations. None of them changes stored items. */
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
    what: 'a malformed expression is one of the reasons of a cancelled transaction; AWS rejects the request',
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
