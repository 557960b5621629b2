import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, engineStarters } from './engines.ts';
import { comparable, keeps } from './known-differences.ts';
import { createSampleTable, type Item, person, put, rejection } from './sample-table.ts';

const key = person('Oslo', 1);
const values: Item = {
  ':abc': { S: 'abc' },
  ':b': { S: 'b' },
  ':one': { N: '1' },
  ':two': { N: '2' },
  ':ten': { N: '10' },
  ':true': { BOOL: true },
  ':null': { NULL: true },
  ':set': { SS: ['b', 'a'] },
  ':list': { L: [{ N: '1' }, { S: 'x' }] },
  ':map': { M: { y: { L: [] }, x: { N: '1' } } },
  ':bytes': { B: Buffer.from('ab') },
  ':S': { S: 'S' },
  ':wrong': { S: 'TEXT' },
};
const item: Item = {
  ...key,
  s: { S: 'abc' },
  n: { N: '2' },
  t: { BOOL: true },
  z: { NULL: true },
  tags: { SS: ['a', 'b'] },
  l: { L: [{ N: '1' }, { S: 'x' }] },
  m: { M: { x: { N: '1' }, y: { L: [] } } },
  bytes: { B: Buffer.from('abc') },
};

/** Only the placeholders that an expression uses may be given. */
function used(expression: string): Item | undefined {
  const names = Object.keys(values).filter((name) => new RegExp(`${name}(?![A-Za-z0-9_])`).test(expression));
  return names.length > 0 ? Object.fromEntries(names.map((name) => [name, values[name] as Item[string]])) : undefined;
}

describe.each(engineStarters)('expressions on %s', (name, start) => {
  let engine: Engine;
  let table: string;
  beforeAll(async () => {
    engine = await start();
    table = await createSampleTable(engine.client);
    await put(engine.client, table, item);
  });
  afterAll(() => engine.close());

  const evaluate = (expression: string, member: 'ConditionExpression' | 'UpdateExpression' = 'ConditionExpression') =>
    engine.client.send(
      new UpdateItemCommand({
        TableName: table,
        Key: key,
        [member]: expression,
        ExpressionAttributeValues: used(expression),
      }),
    );
  const holds = (expression: string) =>
    evaluate(expression).then(
      () => true,
      (error: Error) => {
        if (error.name !== 'ConditionalCheckFailedException') throw error;
        return false;
      },
    );

  it.each([
    's = :abc',
    ':abc = s',
    'n <> :one',
    'nowhere <> :one',
    'n > :one AND n < :ten AND n >= :two AND n <= :two',
    'n BETWEEN :one AND :ten',
    's IN (:b, :abc)',
    'tags = :set',
    'l = :list',
    'm = :map',
    't = :true AND z = :null',
    'attribute_exists(m.x) AND attribute_not_exists(m.q) AND attribute_not_exists(l[2])',
    'attribute_type(s, :S)',
    'begins_with(bytes, :bytes)',
    'contains(s, :b) AND contains(tags, :b) AND contains(l, :one) AND contains(bytes, :bytes)',
    'size(s) > :two AND size(tags) = :two AND size(m) = n AND size(bytes) > :two',
    'NOT n = :one',
    'NOT (n = :one OR n = :ten)',
    'n = :one AND n = :two OR n = :two',
    'n = :two and not n = :one',
    'm.x = l[0]',
    'n < size(s)',
  ])('holds: %s', async (expression) => {
    expect(await holds(expression)).toBe(true);
  });

  it.each([
    's = :one',
    'nowhere = :one',
    'nowhere < :one',
    's < :one',
    'n < :b',
    'n BETWEEN :ten AND nowhere',
    's IN (:one, :two)',
    'begins_with(n, :b)',
    'contains(n, :one)',
    'contains(s, :one)',
    'size(n) > :one',
    'size(nowhere) <> :one AND n = :one',
    'NOT attribute_exists(s)',
    'n = :one AND (n = :two OR n = :two)',
    'attribute_type(nowhere, :S)',
  ])('does not hold: %s', async (expression) => {
    expect(await holds(expression)).toBe(false);
  });

  const words = [
    ['name = :one', 'Attribute name is a reserved keyword; reserved keyword: name'],
    ['m.Timestamp = :one', 'Attribute name is a reserved keyword; reserved keyword: Timestamp'],
    ['((n = :one))', 'The expression has redundant parentheses;'],
    ['exists(n)', 'Invalid function name; function: exists'],
    [
      'contains(n, n)',
      'The first operand must be distinct from the remaining operands for this operator or function; operator: contains, first operand: [n]',
    ],
    ['n = = :one', 'syntax error'],
    ['n', 'syntax error'],
    ['n = :one AND', 'syntax error'],
    ['n IN ()', 'syntax error'],
    ['n = !', 'syntax error'],
  ] as const;
  it.each(words)('rejects the condition %s', async (expression, message) => {
    const { name: code, message: said } = await rejection(evaluate(expression));
    expect([code, comparable(said)]).toEqual(['ValidationException', `Invalid ConditionExpression: ${message}`]);
  });

  const ownWords: [title: string, expression: string, message: string][] = [
    [
      'rejects a second operand equal to the first',
      'n = n',
      'The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [n]',
    ],
    [
      'rejects comparing values without an order',
      'n < :true',
      'Incorrect operand type for operator or function; operator: <, operand type: BOOL',
    ],
  ];
  for (const [title, expression, message] of ownWords) {
    if (!keeps(name, title)) continue;
    it(title, async () => {
      expect(await rejection(evaluate(expression))).toEqual({
        name: 'ValidationException',
        message: `Invalid ConditionExpression: ${message}`,
      });
    });
  }

  const title = "reports the first issue of an expression with AWS's message";
  if (keeps(name, title)) {
    it.each([
      ['n = = :one', 'Syntax error; token: "=", near: "= = :one"'],
      ['n = :one AND', 'Syntax error; token: "<EOF>", near: "AND"'],
      ['n ! :one', 'Syntax error; token: "!", near: "n ! "'.replace('! "', '!"')],
      [
        'attribute_exists(n, l)',
        'Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 2',
      ],
      [
        'attribute_type(n, :wrong)',
        'Invalid attribute type name found; type: TEXT, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}',
      ],
      ['size(n)', 'The function is not allowed to be used this way in an expression; function: size'],
      [
        'n BETWEEN :ten AND :one',
        'The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:10}, upper bound operand: AttributeValue: {N:1}',
      ],
      ['n = :nowhere', 'An expression attribute value used in expression is not defined; attribute value: :nowhere'],
    ])(`${title}: %s`, async (expression, message) => {
      expect(await rejection(evaluate(expression))).toEqual({
        name: 'ValidationException',
        message: `Invalid ConditionExpression: ${message}`,
      });
    });
  }

  it.each([
    ['SET n = :one SET m = :one', 'The "SET" section can only be used once in an update expression;'],
    [
      'SET m.x = :one, m = :map',
      'Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [m, x], path two: [m]',
    ],
    ['ADD n :b', 'Incorrect operand type for operator or function; operator: ADD, operand type: STRING'],
    ['SET n = n + :b', 'Incorrect operand type for operator or function; operator or function: +, operand type: S'],
    ['SET n = twice(n)', 'Invalid function name; function: twice'],
    ['SET size = :one', 'Attribute name is a reserved keyword; reserved keyword: size'],
    ['n = :one', 'syntax error'],
  ])('rejects the update %s', async (expression, message) => {
    const { name: code, message: said } = await rejection(evaluate(expression, 'UpdateExpression'));
    expect([code, comparable(said)]).toEqual(['ValidationException', `Invalid UpdateExpression: ${message}`]);
  });

  const conflicting = 'rejects paths that use one place as a list and a map';
  if (keeps(name, conflicting)) {
    it(conflicting, async () => {
      expect(await rejection(evaluate('SET m.x = :one, m[0] = :map', 'UpdateExpression'))).toEqual({
        name: 'ValidationException',
        message:
          'Invalid UpdateExpression: Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [m, x], path two: [m, [0]]',
      });
    });
  }

  const unused = 'rejects unused placeholders';
  if (keeps(name, unused))
    it(unused, async () => {
      const rejected = engine.client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: key,
          ConditionExpression: '#n = :one',
          ExpressionAttributeNames: { '#n': 'n', '#other': 'x' },
          ExpressionAttributeValues: { ':one': { N: '2' } },
        }),
      );
      expect(await rejection(rejected)).toEqual({
        name: 'ValidationException',
        message: 'Value provided in ExpressionAttributeNames unused in expressions: keys: {#other}',
      });
    });

  it('reads the named parts of an item, closing gaps in lists', async () => {
    const reply = await engine.client.send(
      new GetItemCommand({
        TableName: table,
        Key: key,
        ProjectionExpression: 'm.x, l[1], l[7], nowhere, #s',
        ExpressionAttributeNames: { '#s': 's' },
      }),
    );
    expect(reply.Item).toEqual({ m: { M: { x: { N: '1' } } }, l: { L: [{ S: 'x' }] }, s: { S: 'abc' } });
  });
});
