import { type BatchGetInput, type BatchWriteInput, batchGetItem, batchWriteItem } from './batches.ts';
import type { Engine } from './engine.ts';
import * as itemShapes from './item-shapes.ts';
import { query } from './query.ts';
import { type RestoreInput, restoreTable } from './restore.ts';
import { scan } from './scan.ts';
import * as settings from './settings.ts';
import type { Members } from './shapes.ts';
import { getItem } from './single-reads.ts';
import { deleteItem, putItem, updateItem } from './single-writes.ts';
import * as streams from './streams.ts';
import * as tableShapes from './table-shapes.ts';
import { createTable, deleteTable, describeTable, listTables, updateTable } from './tables.ts';
import {
  type TransactGetInput,
  type TransactWriteInput,
  transactGetItems,
  transactWriteItems,
} from './transactions.ts';

/** What the fault switch uses of an operation. */
type Nature = 'read' | 'write' | 'transaction' | 'control';

export interface Operation {
  members: Members;
  nature: Nature;
  // biome-ignore lint/suspicious/noExplicitAny: each operation names the exact type of its own checked input
  run(engine: Engine, input: any): Record<string, unknown>;
  /** Names of the request's tables, if it names any. */
  // biome-ignore lint/suspicious/noExplicitAny: see above
  tables(input: any): string[];
  /** For batches: the number of requests, and running only the first of them. */
  // biome-ignore lint/suspicious/noExplicitAny: see above
  partial?: { size(input: any): number; run(engine: Engine, input: any, processed: number): Record<string, unknown> };
}

const one = (input: { TableName?: string }): string[] => (input.TableName === undefined ? [] : [input.TableName]);
const batch = (input: { RequestItems: object }): string[] => Object.keys(input.RequestItems);
const transaction = (input: { TransactItems: Record<string, { TableName: string }>[] }): string[] =>
  input.TransactItems.flatMap((action) => Object.values(action).map(({ TableName }) => TableName));

function control(members: Members, run: Operation['run']): Operation {
  return { members, nature: 'control', run, tables: one };
}

const { onlyTableName } = tableShapes;

/** Operations of `DynamoDB_20120810`. */
export const databaseOperations: Record<string, Operation> = {
  CreateTable: control(tableShapes.createTable, createTable),
  DescribeTable: control(onlyTableName, describeTable),
  UpdateTable: control(tableShapes.updateTable, updateTable),
  DeleteTable: control(onlyTableName, deleteTable),
  ListTables: control(tableShapes.listTables, listTables),
  UpdateTimeToLive: control(tableShapes.updateTimeToLive, settings.updateTimeToLive),
  DescribeTimeToLive: control(onlyTableName, settings.describeTimeToLive),
  UpdateContinuousBackups: control(tableShapes.updateContinuousBackups, settings.updateContinuousBackups),
  DescribeContinuousBackups: control(onlyTableName, settings.describeContinuousBackups),
  RestoreTableToPointInTime: {
    members: tableShapes.restoreTableToPointInTime,
    nature: 'control',
    run: restoreTable,
    tables: ({ SourceTableName: source }: RestoreInput) => (source === undefined ? [] : [source]),
  },
  TagResource: control(tableShapes.tagResource, settings.tagResource),
  UntagResource: control(tableShapes.untagResource, settings.untagResource),
  ListTagsOfResource: control(tableShapes.listTagsOfResource, settings.listTagsOfResource),
  PutItem: { members: itemShapes.putItem, nature: 'write', run: putItem, tables: one },
  GetItem: { members: itemShapes.getItem, nature: 'read', run: getItem, tables: one },
  UpdateItem: { members: itemShapes.updateItem, nature: 'write', run: updateItem, tables: one },
  DeleteItem: { members: itemShapes.deleteItem, nature: 'write', run: deleteItem, tables: one },
  Query: { members: itemShapes.query, nature: 'read', run: query, tables: one },
  Scan: { members: itemShapes.scan, nature: 'read', run: scan, tables: one },
  BatchGetItem: {
    members: itemShapes.batchGetItem,
    nature: 'read',
    run: batchGetItem,
    tables: batch,
    partial: {
      size: (input: BatchGetInput) =>
        Object.values(input.RequestItems).reduce((sum, { Keys: keys }) => sum + keys.length, 0),
      run: batchGetItem,
    },
  },
  BatchWriteItem: {
    members: itemShapes.batchWriteItem,
    nature: 'write',
    run: batchWriteItem,
    tables: batch,
    partial: {
      size: (input: BatchWriteInput) => Object.values(input.RequestItems).reduce((sum, list) => sum + list.length, 0),
      run: batchWriteItem,
    },
  },
  TransactWriteItems: {
    members: itemShapes.transactWriteItems,
    nature: 'transaction',
    run: (engine, input: TransactWriteInput) => transactWriteItems(engine, input),
    tables: transaction,
  },
  TransactGetItems: {
    members: itemShapes.transactGetItems,
    nature: 'transaction',
    run: (engine, input: TransactGetInput) => transactGetItems(engine, input),
    tables: transaction,
  },
};

/** Operations of `DynamoDBStreams_20120810`. */
export const streamOperations: Record<string, Operation> = {
  ListStreams: control(tableShapes.listStreams, streams.listStreams),
  DescribeStream: control(tableShapes.describeStream, streams.describeStream),
  GetShardIterator: control(tableShapes.getShardIterator, streams.getShardIterator),
  GetRecords: control(tableShapes.getRecords, streams.getRecords),
};
