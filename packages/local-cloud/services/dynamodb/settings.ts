import { commit, type Engine } from './engine.ts';
import { invalid, notFound } from './errors.ts';
import { setExpiryAttribute } from './expiry.ts';
import type { TableDefinition } from './table.ts';

/** Settings apart from the table's schema: time to live, point-in-time recovery, tags. */

export function updateTimeToLive(
  engine: Engine,
  input: { TableName: string; TimeToLiveSpecification: { Enabled: boolean; AttributeName: string } },
): Record<string, unknown> {
  const { Enabled: enabled, AttributeName: attribute } = input.TimeToLiveSpecification;
  const table = engine.catalogue.managed(input.TableName);
  if (enabled) {
    if (table.ttlAttribute === attribute) throw invalid('TimeToLive is already enabled');
    if (table.ttlAttribute !== undefined) {
      throw invalid(
        `TimeToLive is active on a different AttributeName: current AttributeName is ${table.ttlAttribute}`,
      );
    }
  } else {
    if (table.ttlAttribute === undefined) throw invalid('TimeToLive is already disabled');
    if (table.ttlAttribute !== attribute) {
      throw invalid(
        `TimeToLive is active on a different AttributeName: current AttributeName is ${table.ttlAttribute}`,
      );
    }
  }
  setExpiryAttribute(engine, table, enabled ? attribute : undefined);
  return { TimeToLiveSpecification: input.TimeToLiveSpecification };
}

export function describeTimeToLive(engine: Engine, input: { TableName: string }): Record<string, unknown> {
  const { ttlAttribute } = engine.catalogue.managed(input.TableName);
  return {
    TimeToLiveDescription:
      ttlAttribute === undefined
        ? { TimeToLiveStatus: 'DISABLED' }
        : { TimeToLiveStatus: 'ENABLED', AttributeName: ttlAttribute },
  };
}

export function updateContinuousBackups(
  engine: Engine,
  input: {
    TableName: string;
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: boolean; RecoveryPeriodInDays?: number };
  },
): Record<string, unknown> {
  const table = structuredClone(engine.catalogue.managed(input.TableName));
  const { PointInTimeRecoveryEnabled: enabled, RecoveryPeriodInDays: days = 35 } =
    input.PointInTimeRecoverySpecification;
  if (enabled) {
    table.pointInTimeRecovery = { enabledAt: table.pointInTimeRecovery?.enabledAt ?? engine.context.clock.now(), days };
  } else delete table.pointInTimeRecovery;
  commit(engine, () => engine.catalogue.save(table));
  return { ContinuousBackupsDescription: describeBackups(engine, table) };
}

export function describeContinuousBackups(engine: Engine, input: { TableName: string }): Record<string, unknown> {
  const table = engine.catalogue.find(input.TableName);
  if (!table) throw notFound(`Table not found: ${input.TableName}`);
  return { ContinuousBackupsDescription: describeBackups(engine, table) };
}

function describeBackups({ context }: Engine, { pointInTimeRecovery: recovery }: TableDefinition): object {
  return {
    ContinuousBackupsStatus: 'ENABLED',
    PointInTimeRecoveryDescription: recovery
      ? {
          PointInTimeRecoveryStatus: 'ENABLED',
          RecoveryPeriodInDays: recovery.days,
          EarliestRestorableDateTime: recovery.enabledAt / 1000,
          LatestRestorableDateTime: Math.max(recovery.enabledAt, context.clock.now() - 300_000) / 1000,
        }
      : { PointInTimeRecoveryStatus: 'DISABLED' },
  };
}

const MAX_TAGS = 50;

export function tagResource(
  engine: Engine,
  input: { ResourceArn: string; Tags: { Key: string; Value: string }[] },
): Record<string, unknown> {
  if (input.Tags.length === 0) throw invalid('Atleast one Tag needs to be provided as Input.');
  const table = tagged(engine, input.ResourceArn);
  for (const { Key: key, Value: value } of input.Tags) table.tags[key] = value;
  if (Object.keys(table.tags).length > MAX_TAGS) {
    throw invalid(`One or more parameter values were invalid: Too many tags: the limit of a resource is ${MAX_TAGS}`);
  }
  commit(engine, () => engine.catalogue.save(table));
  return {};
}

export function untagResource(
  engine: Engine,
  input: { ResourceArn: string; TagKeys: string[] },
): Record<string, unknown> {
  if (input.TagKeys.length === 0) throw invalid('Atleast one Tag Key needs to be provided as Input.');
  const table = tagged(engine, input.ResourceArn);
  for (const key of input.TagKeys) delete table.tags[key];
  commit(engine, () => engine.catalogue.save(table));
  return {};
}

export function listTagsOfResource(engine: Engine, input: { ResourceArn: string }): Record<string, unknown> {
  const { tags } = tagged(engine, input.ResourceArn);
  return { Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) };
}

/** A copy of the table with this ARN, for changes. */
function tagged(engine: Engine, arn: string): TableDefinition {
  const table = engine.catalogue.all().find((candidate) => candidate.arn === arn);
  if (!table) throw notFound(`Requested resource not found: ResourcArn: ${arn} not found`);
  return structuredClone(table);
}
