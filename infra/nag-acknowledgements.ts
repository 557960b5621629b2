import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { OBJECT_AREAS } from '../functions/resources.ts';
import { withoutProfile } from './constructs/language-model.ts';
import type { Settings } from './settings.ts';

/** Every accepted finding of the security rule packs, each with its reason. Findings are acknowledged only here. */
const acknowledged = (
  deployment: string,
  models: readonly string[],
  restoredBucket: string | null,
): readonly { id: string; reason: string }[] => [
  {
    id: 'AwsSolutions::AwsSolutions-APIG4',
    reason: 'The functions distinguish and check five kinds of credentials, also on one machine.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-COG4',
    reason: 'There is no Cognito pool: the product has its own sessions, API keys and other tokens.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-APIG2',
    reason: 'Requests are validated in the functions from the declared schemas, which report every issue at once.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-APIG6',
    reason: 'Execution logs would contain request bodies, and with them secrets. Access logs are on.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-APIG3',
    reason: 'A web application firewall costs money while idle; it is an option of the edge stack.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-S1',
    reason: 'The functions that sign object access log it; a second bucket would only add cost.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    reason: 'API Gateway writes its access logs with the managed policy that AWS provides for this purpose.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
    reason: 'X-Ray has no resource names for writing traces; the actions are restricted.',
  },
  ...Object.values(OBJECT_AREAS).map((area) => ({
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::${bucketArn(deployment, restoredBucket)}/${area}]`,
    reason: 'Object keys contain workspaces, runs and digests, which are unknown when the role is created.',
  })),
  {
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:glue:<AWS::Region>:<AWS::AccountId>:table/${deployment.toLowerCase()}runtime_steps/rows_*]`,
    reason: 'Each attempt on Athena has tables of its own, in a database that contains nothing else.',
  },
  ...models.map((model) => ({
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:bedrock:*::foundation-model/${withoutProfile(model)}]`,
    reason: 'An inference profile runs its model in any region with capacity. The model is restricted.',
  })),
  {
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ecs:<AWS::Region>:<AWS::AccountId>:task-definition/${deployment}Runtime-run-step:*]`,
    reason: 'An execution that started before the last deployment runs the newest revision of this one task.',
  },
  {
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ecs:<AWS::Region>:<AWS::AccountId>:task/${deployment}Runtime-run-step/*]`,
    reason: 'Tasks get their names when they start. They are restricted to the cluster for steps.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-ECS2',
    reason: 'The container gets only names: of the table, the bucket and the parameter with the secret.',
  },
  {
    id: 'Serverless::Serverless-LambdaTracing',
    reason: 'Functions are traced with the sampled calls of the API; active tracing would bill every poll and tick.',
  },
  {
    id: 'Serverless::Serverless-LambdaDLQ',
    reason: 'Functions are called synchronously or from queues and streams, which have dead-letter queues.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-SF1',
    reason:
      'Failures are logged; logging every event of every step would cost more than the steps. The service keeps the history.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-SQS3',
    reason: 'Reported for the queue of failed stream records, which is a dead-letter queue itself.',
  },
  {
    id: 'Serverless::Serverless-SQSRedrivePolicy',
    reason: 'Reported only for dead-letter queues. Every other queue has one.',
  },
  {
    id: 'Serverless::Serverless-LambdaEventSourceMappingDestination',
    reason: 'Reported only for queue consumers; their failures go to the dead-letter queue of the queue.',
  },
];

/** The ARN of the data bucket in the form in which the rules report it. */
const bucketArn = (deployment: string, restoredBucket: string | null): string =>
  restoredBucket === null
    ? `{"Fn::GetStackOutput":{"StackName":"${deployment}Data","Region":{"Ref":"AWS::Region"},"OutputName":"PublishOutputFnGetAttData666C94C7Arn14D6E0D7"}}`
    : `arn:<AWS::Partition>:s3:::${restoredBucket}`;

export function acknowledgeFindings(
  scope: IConstruct,
  { name, ai, restoredBucket }: Pick<Settings, 'name' | 'ai' | 'restoredBucket'>,
): void {
  const models = ai ? [ai.model, ...(ai.embeddingModel ? [ai.embeddingModel] : [])] : [];
  for (const finding of acknowledged(name, models, restoredBucket)) Validations.of(scope).acknowledge(finding);
}
