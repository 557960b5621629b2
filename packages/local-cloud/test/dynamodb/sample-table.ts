import {
  type AttributeValue,
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
  PutItemCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';

export type Item = Record<string, AttributeValue>;

let tables = 0;

/** A table of people by city (`pk`) and number (`sk`), with an index by team and one per city by age. */
export async function createSampleTable(
  client: DynamoDBClient,
  settings: Partial<CreateTableCommandInput> = {},
): Promise<string> {
  tables += 1;
  const name = `sample-${process.pid}-${tables}`;
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'N' },
        { AttributeName: 'team', AttributeType: 'S' },
        { AttributeName: 'age', AttributeType: 'N' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byTeam',
          KeySchema: [
            { AttributeName: 'team', KeyType: 'HASH' },
            { AttributeName: 'age', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['label'] },
        },
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: 'byAge',
          KeySchema: [
            { AttributeName: 'pk', KeyType: 'HASH' },
            { AttributeName: 'age', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
      ...settings,
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.05, maxDelay: 0.2 }, { TableName: name });
  return name;
}

export function person(pk: string, sk: number, attributes: Item = {}): Item {
  return { pk: { S: pk }, sk: { N: String(sk) }, ...attributes };
}

export async function put(client: DynamoDBClient, table: string, ...items: Item[]): Promise<void> {
  for (const item of items) await client.send(new PutItemCommand({ TableName: table, Item: item }));
}

/** The error of a rejected call, as name and message. */
export async function rejection(work: Promise<unknown>): Promise<{ name: string; message: string }> {
  const error = await work.then(
    () => undefined,
    (reason: Error) => reason,
  );
  if (!error) throw new Error('Nothing was rejected');
  return { name: error.name, message: error.message.replace(/^1 validation error detected: /, '') };
}
