import type { SQLInputValue } from 'node:sqlite';
import { findIndex } from './catalogue.ts';
import type { Engine } from './engine.ts';
import { invalid } from './errors.ts';
import { attributesOf, bindCondition, type Condition } from './expressions/condition.ts';
import { bindKeyCondition, fitKeyCondition, type KeyCondition } from './expressions/key-condition.ts';
import { Placeholders } from './expressions/placeholders.ts';
import { bindProjection } from './expressions/projection.ts';
import { encodeKeyValue, encodePartition, keyNames } from './keys.ts';
import {
  checkIndexRead,
  checkSelect,
  type PageInput,
  type Range,
  readPage,
  type Source,
  sourceOf,
  startPosition,
} from './pages.ts';

export interface QueryInput extends PageInput {
  KeyConditionExpression?: string;
  ScanIndexForward?: boolean;
}

export function query(engine: Engine, input: QueryInput): Record<string, unknown> {
  const { KeyConditionExpression: keyText, FilterExpression: filterText, ProjectionExpression: projectionText } = input;
  checkSelect(input);
  const placeholders = new Placeholders(input, {
    ProjectionExpression: projectionText,
    FilterExpression: filterText,
    KeyConditionExpression: keyText,
  });
  if (keyText === undefined) {
    throw invalid('Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.');
  }
  const filter = filterText === undefined ? undefined : bindCondition(filterText, 'FilterExpression', placeholders);
  const parts = bindKeyCondition(keyText, placeholders);
  const projection = projectionText === undefined ? undefined : bindProjection(projectionText, placeholders);
  placeholders.rejectUnused();
  const table = engine.catalogue.table(input.TableName);
  const source = sourceOf(table, input.IndexName === undefined ? undefined : findIndex(table, input.IndexName));
  checkIndexRead(source, input, { filter, projection });
  const condition = fitKeyCondition(parts, source.schema);
  if (filter) rejectKeysInFilter(source, filter);
  const range = rangeOf(source, condition, input);
  return readPage(engine, source, range, input, { filter, projection });
}

/** The rows of one partition that match the condition on the sort key, after the start key. */
function rangeOf(source: Source, condition: KeyCondition, input: QueryInput): Range {
  const partition = encodePartition(condition.hash);
  const descending = input.ScanIndexForward === false;
  const conditions = ['pk = ?'];
  const values: SQLInputValue[] = [partition];
  for (const [sql, bound] of boundsOf(condition.range)) {
    conditions.push(sql);
    values.push(bound);
  }
  if (input.ExclusiveStartKey) {
    const [pk, ...rest] = startPosition(source, input.ExclusiveStartKey) as [Buffer, ...Buffer[]];
    if (!pk.equals(partition)) {
      throw invalid('The provided starting key is outside query boundaries based on provided conditions');
    }
    if (!withinBounds(rest[0] as Buffer, condition.range)) {
      throw invalid('The provided starting key does not match the range key predicate');
    }
    const columns = source.order.slice(1);
    conditions.push(`(${columns.join(', ')}) ${descending ? '<' : '>'} (${columns.map(() => '?').join(', ')})`);
    values.push(...rest);
  }
  return { conditions, values, descending };
}

function boundsOf(range: KeyCondition['range']): [sql: string, bound: Buffer][] {
  if (!range) return [];
  if (range.kind === 'between') {
    return [
      ['sk >= ?', encodeKeyValue(range.low)],
      ['sk <= ?', encodeKeyValue(range.high)],
    ];
  }
  const encoded = encodeKeyValue(range.value);
  if (range.kind !== 'begins_with') return [[`sk ${range.kind} ?`, encoded]];
  const end = afterPrefix(encoded);
  return [
    ['sk >= ?', encoded.length > 0 ? encoded : Buffer.from([0])],
    ...(end ? [['sk < ?', end] as [string, Buffer]] : []),
  ];
}

function withinBounds(sk: Buffer, range: KeyCondition['range']): boolean {
  return boundsOf(range).every(([sql, bound]) => {
    const order = Buffer.compare(sk, bound);
    if (sql === 'sk = ?') return order === 0;
    if (sql === 'sk < ?') return order < 0;
    if (sql === 'sk <= ?') return order <= 0;
    return sql === 'sk > ?' ? order > 0 : order >= 0;
  });
}

/** The first key after all that begin with `prefix`; undefined if there is none, as after 0xff 0xff. */
function afterPrefix(prefix: Buffer): Buffer | undefined {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 0xff) length -= 1;
  if (length === 0) return undefined;
  const end = Buffer.from(prefix.subarray(0, length));
  end[length - 1] = (end[length - 1] as number) + 1;
  return end;
}

/** A filter on key attributes would read the whole partition, so DynamoDB requires them in the key condition. */
function rejectKeysInFilter({ schema }: Source, filter: Condition): void {
  const used = attributesOf(filter);
  for (const name of keyNames(schema)) {
    if (!used.has(name)) continue;
    throw invalid(`Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`);
  }
}
