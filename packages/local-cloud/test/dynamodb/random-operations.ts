import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** An operation in wire format; `TABLE` stands for the table's name. */
export interface Operation {
  name: string;
  input: Record<string, unknown>;
}
type Value = AttributeValue | { B: string };

/** Values for expressions, from small sets, so that about half of the conditions hold. */
const values: Record<string, Value[]> = {
  ':n': ['0', '1', '2.5', '-3', '1e3', '00.10', '12345678901234567890.5'].map((N) => ({ N })),
  ':s': ['', 'a', 'ab', 'abc', 'Zoë', '😀'].map((S) => ({ S })),
  ':ss': [{ SS: ['a'] }, { SS: ['a', 'b'] }, { SS: ['b', 'c'] }],
  ':l': [{ L: [] }, { L: [{ N: '1' }] }, { L: [{ S: 'a' }, { N: '2' }] }],
  // Not NULL: setting a path below one is rejected, but the independent emulator turns it into a map.
  ':doc': [{ BOOL: true }, { N: '1' }, { S: 'a' }, { L: [{ N: '1' }] }, { M: { x: { N: '1' } } }],
  ':any': [{ BOOL: true }, { NULL: true }, { N: '1' }, { S: 'a' }, { L: [{ N: '1' }] }, { M: { x: { N: '1' } } }],
};

const conditions = [
  'attribute_exists(pk)',
  'attribute_not_exists(pk)',
  'attribute_not_exists(m.x) OR m.x > :n',
  'n = :n',
  'n <> :n',
  'n < :n AND attribute_exists(n)',
  'n BETWEEN :n AND :n',
  'NOT n >= :n',
  'str IN (:s, :any)',
  'begins_with(str, :s)',
  'contains(str, :s)',
  'contains(tags, :s)',
  'contains(l, :any)',
  'size(str) > :n',
  'size(l) = :n OR size(tags) >= :n',
  'attribute_type(n, :type)',
  '(n = :n OR str = :s) AND NOT (tags = :ss)',
  'm.x = :any OR l[0] = :any',
  'name = :n',
  'n = = :n',
  '((n = :n))',
  'unheard(n)',
];

const updates = [
  'SET n = :n',
  'SET n = if_not_exists(n, :n) + :n',
  'SET n = n + :n, str = :s',
  'SET m = :doc',
  'SET m.x = :n',
  'SET l = list_append(if_not_exists(l, :l), :l)',
  'SET copied = str',
  'SET tags = :ss',
  'SET l[0] = :any',
  'REMOVE n',
  'REMOVE str, tags',
  'REMOVE l[0]',
  'ADD n :n',
  'ADD tags :ss',
  'ADD n :n DELETE tags :ss',
  'ADD str :n',
  'DELETE tags :ss',
  'SET team = :s, age = :n',
  'SET label = :s REMOVE team',
  'SET sk = :n',
  'SET n = :n, n = :n',
  'SET n = :n SET str = :s',
  'SET status = :s',
];

const returnValues = ['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'];

/** An endless, repeatable stream of operations on a few items of one table. */
export class RandomOperations {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): Operation {
    const roll = this.#below(100);
    if (roll < 22) return this.#put();
    if (roll < 52) return this.#update();
    if (roll < 60) return this.#delete();
    if (roll < 70) return this.#get();
    if (roll < 85) return this.#query();
    if (roll < 89) return this.#scan();
    if (roll < 97) return this.#transaction();
    return this.#batch();
  }

  #put(): Operation {
    const input = { TableName: 'TABLE', Item: this.#item(), ReturnValues: this.#one(['NONE', 'ALL_OLD']) };
    return { name: 'PutItem', input: { ...input, ...this.#maybe(0.4, () => this.#condition()), ...this.#capacity() } };
  }

  #update(): Operation {
    const UpdateExpression = this.#one(updates);
    const drawn = this.#chance(0.3) ? this.#one(conditions) : '';
    // Removal from a missing list is answered differently and would make the tables differ.
    const condition = UpdateExpression === 'REMOVE l[0]' ? 'attribute_exists(l)' : drawn;
    const input = {
      TableName: 'TABLE',
      Key: this.#key(),
      UpdateExpression,
      ...(condition ? { ConditionExpression: condition } : {}),
      ...this.#valuesFor(`${UpdateExpression} ${condition}`),
      ReturnValues: touchesListElement(UpdateExpression) ? 'ALL_NEW' : this.#one(returnValues),
      ...this.#capacity(),
    };
    return { name: 'UpdateItem', input };
  }

  #delete(): Operation {
    const input = { TableName: 'TABLE', Key: this.#key(), ReturnValues: 'ALL_OLD' };
    return {
      name: 'DeleteItem',
      input: { ...input, ...this.#maybe(0.3, () => this.#condition()), ...this.#capacity() },
    };
  }

  #get(): Operation {
    const projection = this.#one(['n, str', 'm.x, l[0]', 'pk, m, tags', 'm, m.x', 'status']);
    const input = { TableName: 'TABLE', Key: this.#key(), ConsistentRead: this.#chance(0.5), ...this.#capacity() };
    return { name: 'GetItem', input: { ...input, ...this.#maybe(0.5, () => ({ ProjectionExpression: projection })) } };
  }

  #query(): Operation {
    const range = this.#one(['', ' AND sk > :k', ' AND sk <= :k', ' AND sk BETWEEN :low AND :k', ' AND sk = :k']);
    const filter = this.#chance(0.3) ? 'attribute_exists(n)' : undefined;
    const values: Record<string, Value> = { ':pk': { S: this.#one(['p1', 'p2', 'p3']) } };
    if (range) values[':k'] = { N: String(this.#below(6)) };
    if (range.includes(':low')) values[':low'] = { N: '0' };
    return {
      name: 'Query',
      input: {
        TableName: 'TABLE',
        KeyConditionExpression: `pk = :pk${range}`,
        ExpressionAttributeValues: values,
        ...(filter ? { FilterExpression: filter } : {}),
        ...this.#maybe(0.4, () => ({ Limit: 1 + this.#below(4) })),
        ScanIndexForward: this.#chance(0.5),
        ConsistentRead: this.#chance(0.3),
        ...this.#capacity(),
      },
    };
  }

  /** Only counted, because the order of a scan is undefined. */
  #scan(): Operation {
    const index = this.#maybe(0.5, () => ({ IndexName: 'byTeam' }));
    return { name: 'Scan', input: { TableName: 'TABLE', Select: 'COUNT', ...index, ...this.#capacity() } };
  }

  #transaction(): Operation {
    // Different partitions, so that no item occurs twice.
    const TransactItems = ['p1', 'p2', 'p3'].map((pk) => {
      const key = { ...this.#key(), pk: { S: pk } };
      switch (this.#below(3)) {
        case 0:
          return {
            Put: {
              TableName: 'TABLE',
              Item: { ...this.#item(), ...key },
              ...this.#maybe(0.3, () => this.#condition()),
            },
          };
        case 1:
          return { Delete: { TableName: 'TABLE', Key: key, ...this.#maybe(0.3, () => this.#condition()) } };
        default: {
          const UpdateExpression = 'ADD n :n';
          return { Update: { TableName: 'TABLE', Key: key, UpdateExpression, ...this.#valuesFor(UpdateExpression) } };
        }
      }
    });
    return { name: 'TransactWriteItems', input: { TransactItems } };
  }

  #batch(): Operation {
    const TABLE = [
      { PutRequest: { Item: { ...this.#item(), pk: { S: 'p1' } } } },
      { DeleteRequest: { Key: { ...this.#key(), pk: { S: 'p2' } } } },
    ];
    return { name: 'BatchWriteItem', input: { RequestItems: { TABLE }, ...this.#capacity() } };
  }

  #key(): Record<string, Value> {
    return { pk: { S: this.#one(['p1', 'p2', 'p3']) }, sk: { N: String(this.#below(4)) } };
  }

  #item(): Record<string, Value> {
    const item = this.#key();
    const add = (name: string, probability: number, choices: Value[]) => {
      if (this.#chance(probability)) item[name] = this.#one(choices);
    };
    add('n', 0.7, values[':n'] as Value[]);
    add('str', 0.6, values[':s'] as Value[]);
    add('tags', 0.4, values[':ss'] as Value[]);
    add('l', 0.4, values[':l'] as Value[]);
    add('m', 0.4, [{ M: { x: { N: '1' } } }, { M: {} }, { S: 'a' }]);
    add('team', 0.4, [{ S: 'red' }, { S: 'blue' }]);
    add('age', 0.6, [{ N: '1' }, { N: '2' }]);
    add('label', 0.3, [{ S: 'x'.repeat(1100) }, { S: 'y' }]);
    add('bytes', 0.2, [{ B: 'YWJj' }]);
    return item;
  }

  #condition(): Record<string, unknown> {
    const ConditionExpression = this.#one(conditions);
    return {
      ConditionExpression,
      ...this.#valuesFor(ConditionExpression),
      ...this.#maybe(0.5, () => ({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' })),
    };
  }

  /** A value for each placeholder in `text`. */
  #valuesFor(text: string): Record<string, unknown> {
    const names = [...new Set(text.match(/:\w+/g) ?? [])];
    if (names.length === 0) return {};
    const chosen = names.map((name) => [name, this.#one(values[name] ?? [{ S: 'N' }])]);
    return { ExpressionAttributeValues: Object.fromEntries(chosen) };
  }

  #capacity(): Record<string, unknown> {
    return this.#maybe(0.5, () => ({ ReturnConsumedCapacity: this.#one(['TOTAL', 'INDEXES']) }));
  }

  #maybe<T extends object>(probability: number, make: () => T): T | Record<string, never> {
    return this.#chance(probability) ? make() : {};
  }

  #one<T>(choices: readonly T[]): T {
    return choices[this.#below(choices.length)] as T;
  }

  #chance(probability: number): boolean {
    return this.#below(1000) < probability * 1000;
  }

  /** Mulberry32. */
  #below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }
}

/** The emulator returns the whole list for these, which is a known difference. */
function touchesListElement(expression: string): boolean {
  return expression.includes('l[');
}
