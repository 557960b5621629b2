import { setTimeout as pause } from 'node:timers/promises';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { resourceType, unless } from '../resource-type.ts';
import { choice, flag, type Infer, list, number, object, required, tags, text } from '../shapes.ts';
import { canonical } from '../value.ts';

const GONE = ['ResourceNotFoundException'];

const keySchema = list(object({ AttributeName: required(text), KeyType: required(choice('HASH', 'RANGE')) }));
const projection = object({ NonKeyAttributes: list(text), ProjectionType: choice('ALL', 'KEYS_ONLY', 'INCLUDE') });
const indexes = list(
  object({ IndexName: required(text), KeySchema: required(keySchema), Projection: required(projection) }),
);
type Index = Infer<typeof indexes>[number];

const attributeDefinitions = list(
  object({ AttributeName: required(text), AttributeType: required(choice('S', 'N', 'B')) }),
);
const streamSpecification = object({
  StreamViewType: required(choice('KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES')),
});
const timeToLive = object({ AttributeName: text, Enabled: required(flag) });

/** A global table with exactly one replica, here. */
export const globalTable = resourceType('AWS::DynamoDB::GlobalTable', {
  properties: {
    AttributeDefinitions: required(attributeDefinitions),
    BillingMode: required(choice('PAY_PER_REQUEST')),
    GlobalSecondaryIndexes: indexes,
    KeySchema: required(keySchema),
    Replicas: required(
      list(
        object({
          DeletionProtectionEnabled: flag,
          GlobalSecondaryIndexes: list(object({ IndexName: required(text) })),
          PointInTimeRecoverySpecification: object({ PointInTimeRecoveryEnabled: flag, RecoveryPeriodInDays: number }),
          Region: required(text),
          TableClass: choice('STANDARD'),
          Tags: tags,
        }),
      ),
    ),
    StreamSpecification: streamSpecification,
    TableName: text,
    TimeToLiveSpecification: timeToLive,
  },
  attributes: ['Arn', 'StreamArn', 'TableId'],
  naming: { property: 'TableName', maxLength: 255 },
  fixed: ['KeySchema'],
  keepsData: true,
  async provision({ name: TableName, properties, context }) {
    const { dynamodb } = context.clients;
    const [replica, ...others] = properties.Replicas;
    if (replica?.Region !== context.region || others.length > 0) {
      throw new Error(`the table needs exactly one replica, in ${context.region}`);
    }
    const wanted = {
      TableName,
      AttributeDefinitions: properties.AttributeDefinitions,
      GlobalSecondaryIndexes: properties.GlobalSecondaryIndexes ?? [],
      StreamSpecification: properties.StreamSpecification,
      DeletionProtectionEnabled: replica.DeletionProtectionEnabled ?? false,
    };
    const existing = await unless(GONE, dynamodb.send(new DescribeTableCommand({ TableName })));
    if (existing?.Table) {
      await changeTable(dynamodb, existing.Table, wanted);
    } else {
      const { GlobalSecondaryIndexes, StreamSpecification, ...rest } = wanted;
      await dynamodb.send(
        new CreateTableCommand({
          ...rest,
          BillingMode: properties.BillingMode,
          KeySchema: properties.KeySchema,
          ...(GlobalSecondaryIndexes.length > 0 && { GlobalSecondaryIndexes }),
          ...(StreamSpecification && { StreamSpecification: { StreamEnabled: true, ...StreamSpecification } }),
        }),
      );
    }
    await settled(dynamodb, TableName);
    await setTimeToLive(dynamodb, TableName, properties.TimeToLiveSpecification);
    await dynamodb.send(
      new UpdateContinuousBackupsCommand({
        TableName,
        PointInTimeRecoverySpecification: {
          PointInTimeRecoveryEnabled: replica.PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled ?? false,
        },
      }),
    );
    const table = await settled(dynamodb, TableName);
    return {
      ref: TableName,
      attributes: {
        Arn: table.TableArn ?? '',
        TableId: table.TableId ?? '',
        ...(table.LatestStreamArn && { StreamArn: table.LatestStreamArn }),
      },
    };
  },
  async remove({ name, context }) {
    await unless(GONE, context.clients.dynamodb.send(new DeleteTableCommand({ TableName: name })));
  },
});

interface Wanted {
  TableName: string;
  AttributeDefinitions: Infer<typeof attributeDefinitions>;
  GlobalSecondaryIndexes: Index[];
  StreamSpecification: Infer<typeof streamSpecification> | undefined;
  DeletionProtectionEnabled: boolean;
}

/** Changes one thing at a time, as UpdateTable demands. */
async function changeTable(dynamodb: DynamoDBClient, table: TableDescription, wanted: Wanted): Promise<void> {
  const { TableName, AttributeDefinitions } = wanted;
  const present = new Map(table.GlobalSecondaryIndexes?.map((index) => [index.IndexName, indexText(index)]));
  const declared = new Map(wanted.GlobalSecondaryIndexes.map((index) => [index.IndexName, index]));
  for (const [IndexName, shape] of present) {
    const index = declared.get(IndexName as string);
    if (index && indexText(index) === shape) continue;
    const GlobalSecondaryIndexUpdates = [{ Delete: { IndexName } }];
    await dynamodb.send(new UpdateTableCommand({ TableName, GlobalSecondaryIndexUpdates }));
    await settled(dynamodb, TableName);
  }
  for (const [IndexName, index] of declared) {
    if (present.get(IndexName) === indexText(index)) continue;
    const GlobalSecondaryIndexUpdates = [{ Create: index }];
    await dynamodb.send(new UpdateTableCommand({ TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates }));
    await settled(dynamodb, TableName);
  }
  const streams = table.StreamSpecification?.StreamEnabled ? table.StreamSpecification.StreamViewType : undefined;
  if (streams !== wanted.StreamSpecification?.StreamViewType) {
    const StreamSpecification = wanted.StreamSpecification
      ? { StreamEnabled: true, ...wanted.StreamSpecification }
      : { StreamEnabled: false };
    await dynamodb.send(new UpdateTableCommand({ TableName, StreamSpecification }));
  }
  const { DeletionProtectionEnabled } = wanted;
  if ((table.DeletionProtectionEnabled ?? false) !== DeletionProtectionEnabled) {
    await dynamodb.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled }));
  }
}

function indexText(index: { KeySchema?: unknown; Projection?: object | undefined }): string {
  return canonical({ keys: index.KeySchema, projection: index.Projection });
}

/** UpdateTimeToLive rejects setting the current value again. */
async function setTimeToLive(
  dynamodb: DynamoDBClient,
  TableName: string,
  wanted: Infer<typeof timeToLive> | undefined,
): Promise<void> {
  const { TimeToLiveDescription: present } = await dynamodb.send(new DescribeTimeToLiveCommand({ TableName }));
  const attribute = present?.TimeToLiveStatus === 'ENABLED' ? present.AttributeName : undefined;
  const wantedAttribute = wanted?.Enabled ? wanted.AttributeName : undefined;
  if (attribute === wantedAttribute) return;
  if (attribute !== undefined) await set({ Enabled: false, AttributeName: attribute });
  if (wantedAttribute !== undefined) await set({ Enabled: true, AttributeName: wantedAttribute });

  async function set(TimeToLiveSpecification: { Enabled: boolean; AttributeName: string }): Promise<void> {
    await dynamodb.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  }
}

/** The table once it and its indexes are active. */
async function settled(dynamodb: DynamoDBClient, TableName: string): Promise<TableDescription> {
  for (;;) {
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
    const states = [Table?.TableStatus, ...(Table?.GlobalSecondaryIndexes ?? []).map((index) => index.IndexStatus)];
    if (Table && states.every((state) => state === 'ACTIVE')) return Table;
    await pause(20);
  }
}
