import {
  CreateEventSourceMappingCommand,
  DeleteEventSourceMappingCommand,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { resourceType, unless } from '../resource-type.ts';
import { choice, flag, list, number, object, required, tags, text } from '../shapes.ts';

export const eventSourceMapping = resourceType('AWS::Lambda::EventSourceMapping', {
  properties: {
    BatchSize: number,
    BisectBatchOnFunctionError: flag,
    DestinationConfig: object({ OnFailure: object({ Destination: required(text) }) }),
    Enabled: flag,
    EventSourceArn: required(text),
    FilterCriteria: object({ Filters: list(object({ Pattern: required(text) })) }),
    FunctionName: required(text),
    FunctionResponseTypes: list(choice('ReportBatchItemFailures')),
    MaximumBatchingWindowInSeconds: number,
    MaximumRecordAgeInSeconds: number,
    MaximumRetryAttempts: number,
    ParallelizationFactor: number,
    ScalingConfig: object({ MaximumConcurrency: number }),
    StartingPosition: choice('TRIM_HORIZON', 'LATEST'),
    Tags: tags,
    TumblingWindowInSeconds: number,
  },
  attributes: ['EventSourceMappingArn', 'Id'],
  fixed: ['EventSourceArn', 'StartingPosition'],
  async provision({ properties, previous, context }) {
    const { lambda } = context.clients;
    const { EventSourceArn, FunctionName, StartingPosition, Tags: _tags, ...settings } = properties;
    // A crash between creating the mapping and recording it leaves a mapping that only Lambda knows.
    const existing =
      previous?.ref ??
      (await lambda.send(new ListEventSourceMappingsCommand({ EventSourceArn, FunctionName }))).EventSourceMappings?.[0]
        ?.UUID;
    const mapping = existing
      ? await lambda.send(
          new UpdateEventSourceMappingCommand({
            UUID: existing,
            FunctionName,
            ...defaults(EventSourceArn),
            ...settings,
          }),
        )
      : await lambda.send(
          new CreateEventSourceMappingCommand({ EventSourceArn, FunctionName, StartingPosition, ...settings }),
        );
    const Id = mapping.UUID as string;
    return { ref: Id, attributes: { Id, EventSourceMappingArn: mapping.EventSourceMappingArn ?? '' } };
  },
  async remove({ ref, context }) {
    await unless(
      ['ResourceNotFoundException'],
      context.clients.lambda.send(new DeleteEventSourceMappingCommand({ UUID: ref })),
    );
  },
});

/** Defaults of a mapping, sent explicitly so that a removed property returns to its default. */
function defaults(eventSourceArn: string): object {
  const common = {
    Enabled: true,
    MaximumBatchingWindowInSeconds: 0,
    FilterCriteria: { Filters: [] },
    FunctionResponseTypes: [],
  };
  if (eventSourceArn.startsWith('arn:aws:sqs:')) return { ...common, BatchSize: 10, ScalingConfig: {} };
  return {
    ...common,
    BatchSize: 100,
    BisectBatchOnFunctionError: false,
    MaximumRetryAttempts: -1,
    MaximumRecordAgeInSeconds: -1,
    DestinationConfig: { OnFailure: {} },
  };
}
