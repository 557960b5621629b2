import { AwsError, unsupported } from '../../core/aws-error.ts';
import { invalidAttributeValue, unknownAttribute } from './errors.ts';

export const MESSAGE_LIMIT_BYTES = 1_048_576;

/** Read-only attributes. */
export const READ_ONLY_ATTRIBUTES = [
  'QueueArn',
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
  'CreatedTimestamp',
  'LastModifiedTimestamp',
];

const NUMBERS: Record<string, { min: number; max: number; default: number }> = {
  DelaySeconds: { min: 0, max: 900, default: 0 },
  MaximumMessageSize: { min: 1024, max: MESSAGE_LIMIT_BYTES, default: MESSAGE_LIMIT_BYTES },
  MessageRetentionPeriod: { min: 60, max: 1_209_600, default: 345_600 },
  ReceiveMessageWaitTimeSeconds: { min: 0, max: 20, default: 0 },
  VisibilityTimeout: { min: 0, max: 43_200, default: 30 },
};

const FIFO_WORDS: Record<string, string[]> = {
  DeduplicationScope: ['queue', 'messageGroup'],
  FifoThroughputLimit: ['perQueue', 'perMessageGroupId'],
};

const DOCUMENTS = ['Policy', 'RedrivePolicy', 'RedriveAllowPolicy'];
const BOOLEANS = ['FifoQueue', 'ContentBasedDeduplication', 'SqsManagedSseEnabled'];
const KEY_ATTRIBUTES = ['KmsMasterKeyId', 'KmsDataKeyReusePeriodSeconds'];

/** Default attributes of a new queue. */
export function defaultAttributes(fifo: boolean): Record<string, string> {
  const numbers = Object.entries(NUMBERS).map(([name, range]) => [name, String(range.default)]);
  return {
    ...Object.fromEntries(numbers),
    SqsManagedSseEnabled: 'true',
    ...(fifo && {
      FifoQueue: 'true',
      ContentBasedDeduplication: 'false',
      DeduplicationScope: 'queue',
      FifoThroughputLimit: 'perQueue',
    }),
  };
}

/**
 * Checks and normalises the given attributes; an empty document (`''`) removes one. Throws `InvalidAttributeName` or
 * `InvalidAttributeValue`.
 */
export function readAttributes(given: Record<string, unknown>, fifo: boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, readAttribute(name, String(value), fifo)]),
  );
}

function readAttribute(name: string, value: string, fifo: boolean): string {
  const range = NUMBERS[name];
  if (range) {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= range.min && number <= range.max)) throw invalidAttributeValue(name);
    return String(number);
  }
  if (FIFO_WORDS[name]) {
    if (!fifo) {
      throw new AwsError('InvalidAttributeName', `You can specify the ${name} only when FifoQueue is set to true.`);
    }
    if (!FIFO_WORDS[name].includes(value)) throw invalidAttributeValue(name);
    return value;
  }
  if (BOOLEANS.includes(name)) return readBoolean(name, value, fifo);
  if (DOCUMENTS.includes(name)) {
    if (value !== '') parseDocument(name, value);
    return value;
  }
  if (KEY_ATTRIBUTES.includes(name)) throw unsupported('sqs', `the queue attribute ${name}`);
  throw unknownAttribute(name);
}

function readBoolean(name: string, value: string, fifo: boolean): string {
  if (!['true', 'false'].includes(value.toLowerCase())) throw invalidAttributeValue(name);
  if (name === 'ContentBasedDeduplication' && !fifo) throw unknownAttribute(name);
  if (name === 'FifoQueue' && !fifo) throw unknownAttribute(name);
  return value.toLowerCase();
}

export interface RedrivePolicy {
  deadLetterTargetArn: string;
  maxReceiveCount: number;
}

/** Destination and maximum receives; undefined without a policy. */
export function redrivePolicy(attributes: Record<string, string>): RedrivePolicy | undefined {
  if (!attributes.RedrivePolicy) return undefined;
  const { deadLetterTargetArn, maxReceiveCount } = parseDocument('RedrivePolicy', attributes.RedrivePolicy);
  return { deadLetterTargetArn: String(deadLetterTargetArn), maxReceiveCount: Number(maxReceiveCount) };
}

/** Throws `InvalidParameterValue` for a malformed redrive policy. */
export function checkRedrivePolicy(text: string): RedrivePolicy {
  const policy = parseDocument('RedrivePolicy', text);
  const wrong = (reason: string) =>
    new AwsError(
      'InvalidParameterValueException',
      `Value ${text} for parameter RedrivePolicy is invalid. Reason: ${reason}`,
    );
  for (const key of ['maxReceiveCount', 'deadLetterTargetArn']) {
    if (policy[key] === undefined) {
      throw wrong(`Redrive policy does not contain mandatory attribute: ${key}.`);
    }
  }
  const stranger = Object.keys(policy).find((key) => !['maxReceiveCount', 'deadLetterTargetArn'].includes(key));
  if (stranger !== undefined) throw wrong(`Unknown attribute: ${stranger}.`);
  const maxReceiveCount = Number(policy.maxReceiveCount);
  if (!Number.isInteger(maxReceiveCount) || maxReceiveCount < 1 || maxReceiveCount > 1000) {
    throw wrong('Invalid value for maxReceiveCount: must be between 1 and 1000.');
  }
  return { deadLetterTargetArn: String(policy.deadLetterTargetArn), maxReceiveCount };
}

/** Whether the dead-letter queue with these attributes accepts `sourceArn` as a source. */
export function allowsSource(attributes: Record<string, string>, sourceArn: string): boolean {
  if (!attributes.RedriveAllowPolicy) return true;
  const policy = parseDocument('RedriveAllowPolicy', attributes.RedriveAllowPolicy);
  if (policy.redrivePermission === 'denyAll') return false;
  if (policy.redrivePermission === 'byQueue') return (policy.sourceQueueArns as string[]).includes(sourceArn);
  return true;
}

/** Throws `InvalidAttributeValue` for a malformed redrive allow policy. */
export function checkRedriveAllowPolicy(text: string): void {
  const { redrivePermission, sourceQueueArns, ...more } = parseDocument('RedriveAllowPolicy', text);
  const byQueue = redrivePermission === 'byQueue';
  const sourcesFit = byQueue
    ? Array.isArray(sourceQueueArns) && sourceQueueArns.length >= 1 && sourceQueueArns.length <= 10
    : sourceQueueArns === undefined;
  const known = ['allowAll', 'denyAll', 'byQueue'].includes(String(redrivePermission));
  if (!known || !sourcesFit || Object.keys(more).length > 0) throw invalidAttributeValue('RedriveAllowPolicy');
}

function parseDocument(name: string, text: string): Record<string, unknown> {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw invalidAttributeValue(name);
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) throw invalidAttributeValue(name);
  return document as Record<string, unknown>;
}
