import type { LambdaPort } from './core/ports.ts';
import type { CloudContext, LocalService } from './core/service.ts';
import { type ApiGateway, createApiGateway } from './services/api-gateway/api-gateway.ts';
import { createDynamoDb, type DynamoDb } from './services/dynamodb/dynamodb.ts';
import { createLambda, type Lambda, type LambdaPorts } from './services/lambda/lambda.ts';
import { createLogs, type Logs } from './services/logs/logs.ts';
import { createSqs, type Sqs } from './services/sqs/sqs.ts';
import { createSsm, type Ssm } from './services/ssm/ssm.ts';

/** The services that answer AWS's wire protocols, by the name under which they keep their data. */
export interface AwsServices {
  dynamodb: DynamoDb;
  lambda: Lambda;
  logs: Logs;
  sqs: Sqs;
  ssm: Ssm;
}

export interface Services {
  aws: AwsServices;
  apiGateway: ApiGateway;
}

/** Makes all services and connects them. `contextOf` gives each its context by name. */
export function createServices(
  contextOf: (service: keyof AwsServices | 'api-gateway') => CloudContext,
  codeSource: LambdaPorts['codeSource'],
): Services {
  // First those that others need while they take up the work of before.
  const logs = createLogs(contextOf('logs'));
  const ssm = createSsm(contextOf('ssm'));
  const sqs = createSqs(contextOf('sqs'));
  const dynamodb = createDynamoDb(contextOf('dynamodb'));
  const lambda: LambdaPort & Lambda = createLambda(contextOf('lambda'), { sqs, streams: dynamodb, logs, codeSource });
  const apiGateway = createApiGateway(contextOf('api-gateway'), { lambda, logs });
  return { aws: { dynamodb, lambda, logs, sqs, ssm }, apiGateway };
}

/** Closes the services, those first that give work to others. */
export async function closeServices({ aws, apiGateway }: Services): Promise<void> {
  const { lambda, dynamodb, sqs, ssm, logs } = aws;
  const order: Pick<LocalService, 'close'>[] = [apiGateway, lambda, dynamodb, sqs, ssm, logs];
  for (const service of order) await service.close();
}
