import { randomUUID } from 'node:crypto';
import { AwsError } from '../../core/aws-error.ts';
import { commit, type Engine } from './engine.ts';
import { invalid } from './errors.ts';
import { type Position, position } from './keys.ts';
import { createEntriesTable, createItemsTable, entriesTable, itemsTable } from './store.ts';
import { RETENTION_MS } from './streams.ts';
import type { TableDefinition } from './table.ts';
import { describeTable } from './table-description.ts';
import type { Item } from './values.ts';

export interface RestoreInput {
  SourceTableName?: string;
  SourceTableArn?: string;
  TargetTableName: string;
  UseLatestRestorableTime?: boolean;
  /** Epoch seconds. */
  RestoreDateTime?: number;
}

/**
 * Restores a table under another name. AWS keeps a log of up to 35 days; here the stream of the table is that log, so
 * earlier moments than the present need a stream with old images and lie within its day.
 */
export function restoreTable(engine: Engine, input: RestoreInput): Record<string, unknown> {
  const { catalogue, context } = engine;
  const source = sourceOf(engine, input);
  const name = input.TargetTableName;
  if (catalogue.find(name)) throw new AwsError('TableAlreadyExistsException', `Table already exists: ${name}`);
  const moment = momentOf(engine, source, input);
  const target = {
    ...copyOfDefinition(source, name, context.clock.now()),
    restored: { sourceArn: source.arn, at: moment },
  };
  commit(engine, () => {
    copyItems(engine, source, target);
    undoSince(engine, source, target, moment);
    catalogue.save(target);
  });
  return { TableDescription: describeTable(catalogue, target, { table: 'CREATING' }) };
}

function sourceOf({ catalogue }: Engine, { SourceTableName: name, SourceTableArn: arn }: RestoreInput) {
  if ((name === undefined) === (arn === undefined)) {
    throw invalid('One of SourceTableName or SourceTableArn must be specified');
  }
  const source = catalogue.find((name ?? arn)!);
  if (!source) throw new AwsError('TableNotFoundException', `Table not found: ${name ?? arn}`);
  if (!source.pointInTimeRecovery) {
    throw new AwsError(
      'PointInTimeRecoveryUnavailableException',
      `Point in time recovery is not enabled for table '${source.name}'`,
    );
  }
  return source;
}

/** The moment in epoch milliseconds. */
function momentOf({ context }: Engine, source: TableDefinition, input: RestoreInput): number {
  const { UseLatestRestorableTime: latest = false, RestoreDateTime: seconds } = input;
  if (latest === (seconds !== undefined)) {
    throw invalid('One of UseLatestRestorableTime or RestoreDateTime must be specified');
  }
  const now = context.clock.now();
  const moment = seconds === undefined ? now : seconds * 1000;
  const { createdAt, pointInTimeRecovery, stream } = source;
  const earliest = Math.max(createdAt, pointInTimeRecovery!.enabledAt, now - RETENTION_MS);
  const isCovered = stream?.viewType === 'NEW_AND_OLD_IMAGES' || moment >= now;
  if (moment > now || moment < earliest || !isCovered) {
    throw new AwsError('InvalidRestoreTimeException', 'Restore time is not within the restorable window of the table');
  }
  return moment;
}

/**
 * A restore brings along schema, indexes and billing; stream, time to live, backups, protection and tags have to be
 * set.
 */
function copyOfDefinition(source: TableDefinition, name: string, now: number): TableDefinition {
  const { attributes, schema, indexes, billingMode, throughput, tableClass, encryption } = structuredClone(source);
  return {
    id: 0,
    name,
    arn: source.arn.replace(/[^/]+$/, name),
    tableId: randomUUID(),
    createdAt: now,
    attributes,
    schema,
    indexes,
    billingMode,
    deletionProtection: false,
    tags: {},
    ...(billingMode === 'PAY_PER_REQUEST' ? { billingModeChangedAt: now } : {}),
    ...(throughput ? { throughput } : {}),
    ...(tableClass ? { tableClass } : {}),
    ...(encryption ? { encryption } : {}),
  };
}

function copyItems({ store }: Engine, source: TableDefinition, target: TableDefinition): void {
  target.id = store.nextId('table');
  for (const index of target.indexes) index.id = store.nextId('index');
  store.define(createItemsTable(target) + target.indexes.map(createEntriesTable).join(''));
  store.run(
    `INSERT INTO ${itemsTable(target)} (pk, sk, item, size) SELECT pk, sk, item, size FROM ${itemsTable(source)}`,
  );
  for (const [place, index] of target.indexes.entries()) {
    store.run(`INSERT INTO ${entriesTable(index)} SELECT * FROM ${entriesTable(source.indexes[place]!)}`);
  }
}

/** Takes back every later change of the source, newest first. */
function undoSince(
  { store, items, streams }: Engine,
  source: TableDefinition,
  target: TableDefinition,
  moment: number,
) {
  if (!source.stream) return;
  const later = store.all(
    'SELECT record FROM stream_records WHERE stream = ? AND created_at > ? ORDER BY sequence DESC',
    streams.streamId(source.stream.arn),
    moment,
  );
  for (const { record } of later) {
    const { Keys: keys, OldImage: before } = (JSON.parse(record as string) as Recorded).dynamodb;
    const at: Position = position(target.schema, keys);
    items.change(target, at, items.read(target, at), before);
  }
}

interface Recorded {
  dynamodb: { Keys: Item; OldImage?: Item };
}
