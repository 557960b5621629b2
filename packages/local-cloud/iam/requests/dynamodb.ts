import type { AccessRequest, Place, Requirements } from '../../core/access/authorizer.ts';
import { ANY, arnOf } from './place.ts';

type Item = Record<string, Record<string, unknown>>;

interface Input {
  TableName?: string;
  IndexName?: string;
  StreamArn?: string;
  ShardIterator?: string;
  ResourceArn?: string;
  RequestItems?: Record<string, unknown>;
  TransactItems?: Record<string, { TableName: string }>[];
  ReturnValues?: string;
  Select?: string;
  Key?: Item;
}

/** The parts of a transaction are authorized as the operation of each item. */
const ITEM_ACTIONS: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
};

const WITHOUT_RESOURCE = ['ListTables', 'ListStreams'];

export const dynamoDbRequests: Requirements = (operation, input: Input, place) => {
  const on = (resource: string): AccessRequest => ({ action: `dynamodb:${operation}`, resource });
  if (WITHOUT_RESOURCE.includes(operation)) return [on(ANY)];
  if (input.TransactItems) return input.TransactItems.flatMap((part) => partsOf(part, place));
  if (input.RequestItems) return Object.keys(input.RequestItems).map((table) => on(tableArn(table, place)));
  if (input.StreamArn !== undefined) return [on(input.StreamArn)];
  if (input.ShardIterator !== undefined) return [on(streamOf(input.ShardIterator) ?? ANY)];
  if (input.ResourceArn !== undefined) return [on(input.ResourceArn)];
  const table = tableArn(input.TableName ?? '', place);
  return [on(input.IndexName === undefined ? table : `${table}/index/${input.IndexName}`)];
};

/** What Lambda demands of a function's role before it reads a stream for the function. */
export function readStreamRequests(streamArn: string): AccessRequest[] {
  const operations = ['ListStreams', 'DescribeStream', 'GetShardIterator', 'GetRecords'];
  return operations.map((operation) => ({ action: `dynamodb:${operation}`, resource: streamArn }));
}

function partsOf(part: Record<string, { TableName: string }>, place: Place): AccessRequest[] {
  return Object.entries(part).map(([kind, { TableName }]) => ({
    action: `dynamodb:${ITEM_ACTIONS[kind] ?? kind}`,
    resource: tableArn(TableName, place),
  }));
}

function tableArn(table: string, place: Place): string {
  return table.startsWith('arn:') ? table : arnOf('dynamodb', place, `table/${table}`);
}

/** An iterator carries the stream that it reads. */
function streamOf(iterator: string): string | undefined {
  return /arn:aws:dynamodb:[^|"]+/.exec(iterator)?.[0];
}
