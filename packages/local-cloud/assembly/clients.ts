import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SQSClient } from '@aws-sdk/client-sqs';
import { SSMClient } from '@aws-sdk/client-ssm';

export interface Clients {
  dynamodb: DynamoDBClient;
  events: EventBridgeClient;
  lambda: LambdaClient;
  logs: CloudWatchLogsClient;
  s3: S3Client;
  scheduler: SchedulerClient;
  sqs: SQSClient;
  ssm: SSMClient;
  states: SFNClient;
}

/** Clients for the services behind one local endpoint. Call `destroyClients` when done, or their sockets stay open. */
export function createClients(endpoint: string, region: string): Clients {
  const options = { endpoint, region, credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
  return {
    dynamodb: new DynamoDBClient(options),
    events: new EventBridgeClient(options),
    lambda: new LambdaClient(options),
    logs: new CloudWatchLogsClient(options),
    s3: new S3Client({ ...options, forcePathStyle: true }),
    scheduler: new SchedulerClient(options),
    sqs: new SQSClient(options),
    ssm: new SSMClient(options),
    states: new SFNClient(options),
  };
}

export function destroyClients(clients: Clients): void {
  for (const client of Object.values(clients)) client.destroy();
}
