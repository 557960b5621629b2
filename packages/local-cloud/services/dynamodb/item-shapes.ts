import type { Members, Shape } from './shapes.ts';

export const tableName: Shape = { type: 'string', min: 1, max: 1024 };
export const indexName: Shape = { type: 'string', min: 3, max: 255, pattern: /^[a-zA-Z0-9_.-]+$/ };
const text: Shape = { type: 'string' };
const flag: Shape = { type: 'boolean' };
const attributes: Shape = { type: 'map', of: { type: 'value' } };
const names: Shape = { type: 'map', of: text };
const consumed: Shape = { type: 'string', values: ['INDEXES', 'TOTAL', 'NONE'] };
const onFailure: Shape = { type: 'string', values: ['ALL_OLD', 'NONE'] };
/** Only `NONE`, because sizes of item collections are not tracked. */
const collectionMetrics: Shape = { type: 'string', values: ['NONE', 'SIZE'] };

const placeholders = {
  ExpressionAttributeNames: { shape: names },
  ExpressionAttributeValues: { shape: attributes },
} satisfies Members;

const conditional = {
  ConditionExpression: { shape: text },
  ReturnValuesOnConditionCheckFailure: { shape: onFailure },
  ...placeholders,
} satisfies Members;

const write = {
  ...conditional,
  ReturnConsumedCapacity: { shape: consumed },
  ReturnItemCollectionMetrics: { shape: collectionMetrics },
  Expected: 'legacy',
  ConditionalOperator: 'legacy',
} satisfies Members;

const returnValues: Shape = { type: 'string', values: ['ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW'] };

export const putItem: Members = {
  TableName: { shape: tableName, required: true },
  Item: { shape: attributes, required: true },
  ReturnValues: { shape: returnValues },
  ...write,
};

export const deleteItem: Members = {
  TableName: { shape: tableName, required: true },
  Key: { shape: attributes, required: true },
  ReturnValues: { shape: returnValues },
  ...write,
};

export const updateItem: Members = {
  TableName: { shape: tableName, required: true },
  Key: { shape: attributes, required: true },
  UpdateExpression: { shape: text },
  ReturnValues: { shape: returnValues },
  AttributeUpdates: 'legacy',
  ...write,
};

export const getItem: Members = {
  TableName: { shape: tableName, required: true },
  Key: { shape: attributes, required: true },
  ConsistentRead: { shape: flag },
  ProjectionExpression: { shape: text },
  ExpressionAttributeNames: { shape: names },
  ReturnConsumedCapacity: { shape: consumed },
  AttributesToGet: 'legacy',
};

const pages = {
  TableName: { shape: tableName, required: true },
  IndexName: { shape: indexName },
  Select: {
    shape: {
      type: 'string',
      values: ['SPECIFIC_ATTRIBUTES', 'COUNT', 'ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES'],
    },
  },
  Limit: { shape: { type: 'integer', min: 1 } },
  ConsistentRead: { shape: flag },
  ExclusiveStartKey: { shape: attributes },
  FilterExpression: { shape: text },
  ProjectionExpression: { shape: text },
  ReturnConsumedCapacity: { shape: consumed },
  AttributesToGet: 'legacy',
  ConditionalOperator: 'legacy',
  ...placeholders,
} satisfies Members;

export const query: Members = {
  ...pages,
  KeyConditionExpression: { shape: text },
  ScanIndexForward: { shape: flag },
  KeyConditions: 'legacy',
  QueryFilter: 'legacy',
};

export const scan: Members = {
  ...pages,
  Segment: { shape: { type: 'integer', min: 0, max: 999_999 } },
  TotalSegments: { shape: { type: 'integer', min: 1, max: 1_000_000 } },
  ScanFilter: 'legacy',
};

export const batchGetItem: Members = {
  RequestItems: {
    required: true,
    shape: {
      type: 'map',
      min: 1,
      max: 100,
      of: {
        type: 'structure',
        members: {
          Keys: { shape: { type: 'list', of: attributes, min: 1, max: 100 }, required: true },
          ConsistentRead: { shape: flag },
          ProjectionExpression: { shape: text },
          ExpressionAttributeNames: { shape: names },
          AttributesToGet: 'legacy',
        },
      },
    },
  },
  ReturnConsumedCapacity: { shape: consumed },
};

export const batchWriteItem: Members = {
  RequestItems: {
    required: true,
    shape: {
      type: 'map',
      min: 1,
      max: 25,
      of: {
        type: 'list',
        min: 1,
        max: 25,
        of: {
          type: 'structure',
          members: {
            PutRequest: {
              shape: { type: 'structure', members: { Item: { shape: attributes, required: true } } },
            },
            DeleteRequest: {
              shape: { type: 'structure', members: { Key: { shape: attributes, required: true } } },
            },
          },
        },
      },
    },
  },
  ReturnConsumedCapacity: { shape: consumed },
  ReturnItemCollectionMetrics: { shape: collectionMetrics },
};

function action(members: Members): { shape: Shape } {
  return {
    shape: {
      type: 'structure',
      members: { TableName: { shape: tableName, required: true }, ...members },
    },
  };
}

export const transactWriteItems: Members = {
  TransactItems: {
    required: true,
    shape: {
      type: 'list',
      min: 1,
      max: 100,
      of: {
        type: 'structure',
        members: {
          ConditionCheck: action({
            Key: { shape: attributes, required: true },
            ...conditional,
            ConditionExpression: { shape: text, required: true },
          }),
          Put: action({ Item: { shape: attributes, required: true }, ...conditional }),
          Delete: action({ Key: { shape: attributes, required: true }, ...conditional }),
          Update: action({
            Key: { shape: attributes, required: true },
            UpdateExpression: { shape: text, required: true },
            ...conditional,
          }),
        },
      },
    },
  },
  ClientRequestToken: { shape: { type: 'string', min: 1, max: 36 } },
  ReturnConsumedCapacity: { shape: consumed },
  ReturnItemCollectionMetrics: { shape: collectionMetrics },
};

export const transactGetItems: Members = {
  TransactItems: {
    required: true,
    shape: {
      type: 'list',
      min: 1,
      max: 100,
      of: {
        type: 'structure',
        members: {
          Get: {
            ...action({
              Key: { shape: attributes, required: true },
              ProjectionExpression: { shape: text },
              ExpressionAttributeNames: { shape: names },
            }),
            required: true,
          },
        },
      },
    },
  },
  ReturnConsumedCapacity: { shape: consumed },
};
