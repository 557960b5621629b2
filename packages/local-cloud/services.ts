import type { Credentials } from './core/access/credentials.ts';
import type { EventsPort, StatesPort } from './core/ports.ts';
import type { CloudContext, LocalService } from './core/service.ts';
import type { PolicySources } from './iam/resource-policies.ts';
import { type ApiGateway, createApiGateway } from './services/api-gateway/api-gateway.ts';
import { createDynamoDb, type DynamoDb } from './services/dynamodb/dynamodb.ts';
import { createEcs, type Ecs, type EcsPorts } from './services/ecs/ecs.ts';
import { createEvents, type Events } from './services/events/events.ts';
import { createLambda, type Lambda, type LambdaPorts } from './services/lambda/lambda.ts';
import { createLogs, type Logs } from './services/logs/logs.ts';
import { createS3, type S3 } from './services/s3/s3.ts';
import { createScheduler, type Scheduler } from './services/scheduler/scheduler.ts';
import { createSes, type Ses } from './services/ses/ses.ts';
import { createSqs, type Sqs } from './services/sqs/sqs.ts';
import { createSsm, type Ssm } from './services/ssm/ssm.ts';
import { createStepFunctions, type StepFunctions } from './services/step-functions/step-functions.ts';

/** The services with AWS wire protocols, by the name of their data folder. */
export interface AwsServices {
  dynamodb: DynamoDb;
  ecs: Ecs;
  events: Events;
  lambda: Lambda;
  logs: Logs;
  s3: S3;
  scheduler: Scheduler;
  ses: Ses;
  sqs: Sqs;
  ssm: Ssm;
  states: StepFunctions;
}

export interface Services {
  aws: AwsServices;
  apiGateway: ApiGateway;
}

/** Creates and connects all services. `contextOf` gives each its context by name. */
export function createServices(
  contextOf: (service: keyof AwsServices | 'api-gateway') => CloudContext,
  sources: { code: LambdaPorts['codeSource']; images: EcsPorts['images']; host: LambdaPorts['host'] },
  credentials: Credentials,
  policySources: PolicySources,
): Services {
  // Events start machines, machines call functions, and machines and buckets publish events. A service resumes stored
  // work as soon as it is created, so calls around this circle wait until all services exist.
  const { promise: complete, resolve } = Promise.withResolvers<AwsServices>();
  const events: EventsPort = { publish: async (list, caller) => (await complete).events.publish(list, caller) };
  const states: StatesPort = { start: async (call) => (await complete).states.start(call) };

  const logs = createLogs(contextOf('logs'));
  const ssm = createSsm(contextOf('ssm'));
  const sqs = createSqs(contextOf('sqs'));
  const dynamodb = createDynamoDb(contextOf('dynamodb'));
  const s3 = createS3(contextOf('s3'), { events });
  const lambda = createLambda(contextOf('lambda'), {
    sqs,
    streams: dynamodb,
    logs,
    codeSource: sources.code,
    host: sources.host,
    credentials,
  });
  // Before the first call between services.
  Object.assign(policySources, { s3: s3.policyOf, sqs: sqs.policyOf, lambda: lambda.policyOf });
  const ecs = createEcs(contextOf('ecs'), { logs, images: sources.images, credentials });
  const aws: AwsServices = {
    dynamodb,
    ecs,
    events: createEvents(contextOf('events'), { lambda, sqs, states }),
    lambda,
    logs,
    s3,
    scheduler: createScheduler(contextOf('scheduler'), { lambda, sqs, states, events }),
    ses: createSes(contextOf('ses')),
    sqs,
    ssm,
    states: createStepFunctions(contextOf('states'), { lambda, sqs, events, ecs }),
  };
  resolve(aws);
  return { aws, apiGateway: createApiGateway(contextOf('api-gateway'), { lambda, logs }) };
}

/** Closes the services, callers before the services that they call. */
export async function closeServices({ aws, apiGateway }: Services): Promise<void> {
  const order: Pick<LocalService, 'close'>[] = [
    apiGateway,
    aws.scheduler,
    aws.s3,
    aws.events,
    aws.states,
    aws.lambda,
    aws.ecs,
    aws.dynamodb,
    aws.ses,
    aws.sqs,
    aws.ssm,
    aws.logs,
  ];
  for (const service of order) await service.close();
}
