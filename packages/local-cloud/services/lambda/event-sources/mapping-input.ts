import { unsupported } from '../../../core/aws-error.ts';
import { checkEnum, checkRange, invalidParameter } from '../control/checks.ts';
import { parsePattern } from './filter.ts';
import type { Mapping, SqsMapping, StreamMapping } from './mapping.ts';

/** Common members of CreateEventSourceMapping and UpdateEventSourceMapping. */
export interface MappingInput {
  Enabled?: boolean;
  BatchSize?: number;
  MaximumBatchingWindowInSeconds?: number;
  FilterCriteria?: { Filters?: { Pattern?: string }[] };
  FunctionResponseTypes?: string[];
  ScalingConfig?: { MaximumConcurrency?: number };
  StartingPosition?: string;
  ParallelizationFactor?: number;
  BisectBatchOnFunctionError?: boolean;
  MaximumRetryAttempts?: number;
  MaximumRecordAgeInSeconds?: number;
  TumblingWindowInSeconds?: number;
  Tags?: Record<string, string>;
  DestinationConfig?: { OnSuccess?: { Destination?: string }; OnFailure?: { Destination?: string } };
}

export const MAPPING_MEMBERS = [
  'Enabled',
  'BatchSize',
  'MaximumBatchingWindowInSeconds',
  'FilterCriteria',
  'FunctionResponseTypes',
  'ScalingConfig',
  'ParallelizationFactor',
  'BisectBatchOnFunctionError',
  'MaximumRetryAttempts',
  'MaximumRecordAgeInSeconds',
  'TumblingWindowInSeconds',
  'DestinationConfig',
];

export const MAPPING_STRUCTURES = {
  FilterCriteria: ['Filters'],
  'FilterCriteria.Filters[]': ['Pattern'],
  ScalingConfig: ['MaximumConcurrency'],
  DestinationConfig: ['OnSuccess', 'OnFailure'],
  'DestinationConfig.OnSuccess': ['Destination'],
  'DestinationConfig.OnFailure': ['Destination'],
};

const STREAM_ONLY = [
  'StartingPosition',
  'ParallelizationFactor',
  'BisectBatchOnFunctionError',
  'MaximumRetryAttempts',
  'MaximumRecordAgeInSeconds',
  'TumblingWindowInSeconds',
  'DestinationConfig',
] as const;

/** From this size on, a batch of SQS messages requires a batching window. */
const SQS_BATCH_WITHOUT_WINDOW = 10;
const MAX_FILTERS = 5;

export function initialMapping(
  base: Pick<Mapping, 'uuid' | 'eventSourceArn' | 'functionArn' | 'lastModified'>,
): Mapping {
  const common = {
    ...base,
    enabled: true,
    batchingWindowSeconds: 0,
    filters: [],
    reportBatchItemFailures: false,
    tags: {},
  };
  if (/^arn:aws:sqs:[^:]+:\d{12}:[^:]+$/.test(base.eventSourceArn)) return { ...common, source: 'sqs', batchSize: 10 };
  if (/^arn:aws:dynamodb:[^:]+:\d{12}:table\/[^/]+\/stream\/.+$/.test(base.eventSourceArn)) {
    return {
      ...common,
      source: 'dynamodb',
      batchSize: 100,
      startingPosition: 'TRIM_HORIZON',
      bisectOnError: false,
      maximumRetryAttempts: -1,
      maximumRecordAgeSeconds: -1,
    };
  }
  throw unsupported('lambda', `the event source ${base.eventSourceArn}`);
}

/**
 * Applies the given members to a mapping. Throws Lambda's errors for invalid values and for members of other sources.
 */
export function withInput<M extends Mapping>(mapping: M, input: MappingInput): M {
  const common: Mapping = {
    ...mapping,
    enabled: input.Enabled ?? mapping.enabled,
    batchSize: input.BatchSize ?? mapping.batchSize,
    batchingWindowSeconds: input.MaximumBatchingWindowInSeconds ?? mapping.batchingWindowSeconds,
    filters: input.FilterCriteria ? readFilters(input.FilterCriteria) : mapping.filters,
    reportBatchItemFailures: input.FunctionResponseTypes
      ? input.FunctionResponseTypes.includes('ReportBatchItemFailures')
      : mapping.reportBatchItemFailures,
    tags: input.Tags ?? mapping.tags,
  };
  for (const type of input.FunctionResponseTypes ?? []) {
    checkEnum('FunctionResponseTypes', type, ['ReportBatchItemFailures']);
  }
  checkRange('BatchSize', common.batchSize, 1, 10_000);
  checkRange('MaximumBatchingWindowInSeconds', common.batchingWindowSeconds, 0, 300);
  return (common.source === 'sqs' ? withSqsInput(common, input) : withStreamInput(common, input)) as M;
}

function withSqsInput(mapping: SqsMapping, input: MappingInput): SqsMapping {
  for (const member of STREAM_ONLY) {
    if (input[member] !== undefined) {
      throw invalidParameter(`Unsupported parameter for given event source type: ${member}`);
    }
  }
  const fifo = mapping.eventSourceArn.endsWith('.fifo');
  if (mapping.batchSize > SQS_BATCH_WITHOUT_WINDOW && (fifo || mapping.batchingWindowSeconds === 0)) {
    throw invalidParameter(
      fifo
        ? 'Maximum batch size for FIFO queues is 10.'
        : 'Maximum batch window in seconds must be greater than 0 if maximum batch size is greater than 10',
    );
  }
  if (fifo && mapping.batchingWindowSeconds > 0) {
    throw invalidParameter('Batching window is not supported for FIFO queues.');
  }
  const { maximumConcurrency: current, ...rest } = mapping;
  const maximum = input.ScalingConfig ? input.ScalingConfig.MaximumConcurrency : current;
  checkRange('ScalingConfig.MaximumConcurrency', maximum, 2, 1000);
  return { ...rest, ...(maximum !== undefined && { maximumConcurrency: maximum }) };
}

function withStreamInput(mapping: StreamMapping, input: MappingInput): StreamMapping {
  if (input.ScalingConfig) throw invalidParameter('Unsupported parameter for given event source type: ScalingConfig');
  if ((input.ParallelizationFactor ?? 1) !== 1) throw unsupported('lambda', 'a ParallelizationFactor other than 1');
  if ((input.TumblingWindowInSeconds ?? 0) !== 0) throw unsupported('lambda', 'tumbling windows');
  if (input.DestinationConfig?.OnSuccess?.Destination)
    throw unsupported('lambda', 'DestinationConfig.OnSuccess of a stream');
  checkEnum('StartingPosition', input.StartingPosition, ['TRIM_HORIZON', 'LATEST']);
  checkRange('MaximumRetryAttempts', input.MaximumRetryAttempts, -1, 10_000);
  if (input.MaximumRecordAgeInSeconds !== -1) {
    checkRange('MaximumRecordAgeInSeconds', input.MaximumRecordAgeInSeconds, 60, 604_800);
  }
  const { onFailure: current, ...rest } = mapping;
  const onFailure = input.DestinationConfig ? input.DestinationConfig.OnFailure?.Destination : current;
  if (onFailure !== undefined && !onFailure.startsWith('arn:aws:sqs:')) {
    throw unsupported('lambda', `the failure destination ${onFailure}`);
  }
  return {
    ...rest,
    startingPosition: (input.StartingPosition as StreamMapping['startingPosition']) ?? mapping.startingPosition,
    bisectOnError: input.BisectBatchOnFunctionError ?? mapping.bisectOnError,
    maximumRetryAttempts: input.MaximumRetryAttempts ?? mapping.maximumRetryAttempts,
    maximumRecordAgeSeconds: input.MaximumRecordAgeInSeconds ?? mapping.maximumRecordAgeSeconds,
    ...(onFailure !== undefined && { onFailure }),
  };
}

function readFilters({ Filters = [] }: NonNullable<MappingInput['FilterCriteria']>): string[] {
  if (Filters.length > MAX_FILTERS) throw invalidParameter(`An event source has at most ${MAX_FILTERS} filters.`);
  return Filters.map(({ Pattern = '' }) => {
    try {
      parsePattern(Pattern);
    } catch (cause) {
      throw invalidParameter(`Invalid filter pattern definition. ${(cause as Error).message}`);
    }
    return Pattern;
  });
}

/** A mapping in the API's form. */
export function describeMapping(mapping: Mapping, arn: string, state: string, lastResult: string): object {
  const common = {
    UUID: mapping.uuid,
    EventSourceMappingArn: arn,
    EventSourceArn: mapping.eventSourceArn,
    FunctionArn: mapping.functionArn,
    BatchSize: mapping.batchSize,
    MaximumBatchingWindowInSeconds: mapping.batchingWindowSeconds,
    ...(mapping.filters.length > 0 && { FilterCriteria: { Filters: mapping.filters.map((Pattern) => ({ Pattern })) } }),
    FunctionResponseTypes: mapping.reportBatchItemFailures ? ['ReportBatchItemFailures'] : [],
    LastModified: mapping.lastModified / 1000,
    LastProcessingResult: lastResult,
    State: state,
    StateTransitionReason: 'USER_INITIATED',
  };
  if (mapping.source === 'sqs') {
    const { maximumConcurrency } = mapping;
    return {
      ...common,
      ...(maximumConcurrency !== undefined && { ScalingConfig: { MaximumConcurrency: maximumConcurrency } }),
    };
  }
  return {
    ...common,
    StartingPosition: mapping.startingPosition,
    ParallelizationFactor: 1,
    BisectBatchOnFunctionError: mapping.bisectOnError,
    MaximumRetryAttempts: mapping.maximumRetryAttempts,
    MaximumRecordAgeInSeconds: mapping.maximumRecordAgeSeconds,
    TumblingWindowInSeconds: 0,
    DestinationConfig: { OnFailure: mapping.onFailure === undefined ? {} : { Destination: mapping.onFailure } },
  };
}
