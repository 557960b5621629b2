import type { Principal } from './access/principal.ts';

/**
 * What the services of the local cloud need from one another, in process. Each service implements the port named after
 * it and receives the ports that it uses. Services share nothing else. A call names
 * its caller, as the signature of a request does.
 */

export interface InvokeResult {
  /** 200 for a synchronous call, 202 for an accepted asynchronous one. */
  statusCode: number;
  /** `Unhandled` or `Handled` if the function failed; `payload` is then its error object. */
  functionError?: string;
  payload: Buffer;
}

export interface LambdaPort {
  /**
   * Calls a function by name or ARN (with or without qualifier). `Event` returns once the event is stored; it is
   * retried as on AWS. Rejects with `AwsError` (`ResourceNotFoundException`, `TooManyRequestsException`, …) if the call
   * is not possible.
   */
  invoke(call: {
    functionName: string;
    payload: string | Buffer;
    type: 'RequestResponse' | 'Event';
    caller: Principal;
  }): Promise<InvokeResult>;
  /** Calls a function whose handler was made with `awslambda.streamifyResponse`, or buffers one that was not. */
  invokeStreaming(
    call: { functionName: string; payload: string | Buffer; caller: Principal },
    sink: StreamingSink,
  ): Promise<void>;
}

export interface StreamingSink {
  /** The prelude of an HTTP response (status, headers), always before the first chunk. */
  start(prelude: {
    statusCode: number;
    headers: Record<string, string>;
    multiValueHeaders?: Record<string, string[]>;
    cookies?: string[];
  }): void;
  write(chunk: Buffer): void;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface QueueMessage {
  messageId: string;
  receiptHandle: string;
  body: string;
  md5OfBody: string;
  /** System attributes: `ApproximateReceiveCount`, `SentTimestamp`, `MessageGroupId`, … */
  attributes: Record<string, string>;
  messageAttributes: Record<string, unknown>;
}

export interface SqsPort {
  /** Rejects with `AwsError` `QueueDoesNotExist` (wire name as AWS) for an unknown ARN. */
  send(message: {
    queueArn: string;
    body: string;
    delaySeconds?: number;
    messageGroupId?: string;
    /** Message attributes of type `String`. */
    attributes?: Record<string, string>;
    caller: Principal;
  }): Promise<{ messageId: string }>;
  /** Waits up to `waitMs` for at least one message. */
  receive(call: {
    queueArn: string;
    max: number;
    waitMs: number;
    visibilitySeconds?: number;
    signal?: AbortSignal;
    caller: Principal;
  }): Promise<QueueMessage[]>;
  delete(call: { queueArn: string; receiptHandle: string; caller: Principal }): Promise<void>;
  changeVisibility(call: {
    queueArn: string;
    receiptHandle: string;
    seconds: number;
    caller: Principal;
  }): Promise<void>;
  attributes(queueArn: string): Promise<Record<string, string> | undefined>;
}

export interface StatesPort {
  /** Starting again with an open execution's name and input returns that execution, as on AWS. */
  start(call: {
    stateMachineArn: string;
    name?: string;
    input: string;
    caller: Principal;
  }): Promise<{ executionArn: string }>;
}

/** A container task, with the members that describe its end; further members are those of the wire format. */
export interface EcsTask {
  taskArn: string;
  clusterArn: string;
  stopCode?: string;
  stoppedReason?: string;
  containers: { exitCode?: number; reason?: string }[];
}

export interface EcsPort {
  /** An operation with input and output as on the wire, such as `RunTask`. Rejects with `AwsError`. */
  perform<Output>(
    operation:
      | 'RunTask'
      | 'StopTask'
      | 'CreateCluster'
      | 'DeleteCluster'
      | 'RegisterTaskDefinition'
      | 'DeregisterTaskDefinition',
    input: object,
    caller: Principal,
  ): Promise<Output>;
  /** The task once it has stopped. */
  whenStopped(taskArn: string, caller: Principal): Promise<EcsTask>;
}

export interface CloudEvent {
  source: string;
  detailType: string;
  detail: unknown;
  resources?: string[];
  time?: Date;
}

export interface EventsPort {
  /** Puts events on the default bus; matching rules deliver them at least once. */
  publish(events: CloudEvent[], caller: Principal): Promise<void>;
}

export interface StreamRecord {
  eventID: string;
  eventName: 'INSERT' | 'MODIFY' | 'REMOVE';
  eventVersion: string;
  eventSource: 'aws:dynamodb';
  awsRegion: string;
  dynamodb: Record<string, unknown>;
  userIdentity?: Record<string, string>;
}

export interface StreamsPort {
  /** Records after `afterSequence` (undefined: from the oldest kept), oldest first, at most `max`. */
  read(call: { streamArn: string; afterSequence?: string; max: number; caller: Principal }): {
    records: StreamRecord[];
    lastSequence?: string;
  };
  /** Sequence number of the newest record, for a reader that starts at LATEST. */
  latest(streamArn: string): string | undefined;
  /** Calls back after new records until the returned function is called. */
  subscribe(streamArn: string, onRecords: () => void): () => void;
}
