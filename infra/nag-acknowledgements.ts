import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { OBJECT_AREAS } from '../functions/resources.ts';
import { withoutProfile } from './constructs/language-model.ts';
import type { Settings } from './settings.ts';

/**
 * Every finding of the security rule packs that we live with, each with its reason. Nothing is acknowledged elsewhere.
 */
const acknowledged = (deployment: string, model: string): readonly { id: string; reason: string }[] => [
  {
    id: 'AwsSolutions::AwsSolutions-APIG4',
    reason: 'The functions distinguish and check five kinds of credentials, also on one machine.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-COG4',
    reason: "There is no Cognito pool: sessions, API keys and the other tokens are the product's own.",
  },
  {
    id: 'AwsSolutions::AwsSolutions-APIG2',
    reason: 'Requests are validated in the functions from the declared schemas, which report every issue at once.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-APIG6',
    reason: 'Execution logs would hold request bodies, and with them secrets. Access logs are on.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-APIG3',
    reason: 'A web application firewall costs money when idle; it is an option of the edge stack.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-S1',
    reason: 'Object access is logged by the functions that sign it; a second bucket would only cost.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    reason: 'API Gateway writes its access logs with the managed policy that AWS keeps for this purpose alone.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
    reason: 'X-Ray offers no resources to name for writing traces; the actions are named.',
  },
  ...Object.values(OBJECT_AREAS).map((area) => ({
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::{"Fn::GetStackOutput":{"StackName":"${deployment}Data","Region":{"Ref":"AWS::Region"},"OutputName":"PublishOutputFnGetAttData666C94C7Arn14D6E0D7"}}/${area}]`,
    reason: 'Objects are named after workspaces, runs and digests, which are unknown when the role is made.',
  })),
  {
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:glue:<AWS::Region>:<AWS::AccountId>:table/${deployment.toLowerCase()}runtime_steps/rows_*]`,
    reason: 'Each attempt that Athena works on has tables of its own, in a database that holds nothing else.',
  },
  {
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:bedrock:*::foundation-model/${model}]`,
    reason: 'An inference profile is served by its model in whatever region has room. The model is named.',
  },
  {
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ecs:<AWS::Region>:<AWS::AccountId>:task-definition/${deployment}Runtime-run-step:*]`,
    reason: 'An execution that is older than the last deployment runs the newest revision of this one task.',
  },
  {
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ecs:<AWS::Region>:<AWS::AccountId>:task/${deployment}Runtime-run-step/*]`,
    reason: 'Tasks are named when they begin. They are those of the one cluster for steps.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-ECS2',
    reason: 'The container gets only names: of the table, the bucket and the parameter that holds the secret.',
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
      'Failures are logged; every event of every step would cost more than the steps. The service keeps the history.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-SQS3',
    reason: 'Found on the queue for stream records that could not be handled: it is where those end.',
  },
  {
    id: 'Serverless::Serverless-SQSRedrivePolicy',
    reason: 'Found on dead-letter queues alone: they are where messages end. Every other queue has one.',
  },
  {
    id: 'Serverless::Serverless-LambdaEventSourceMappingDestination',
    reason: 'Found on queue consumers alone: their failures go to the dead-letter queue of the queue itself.',
  },
];

export function acknowledgeFindings(scope: IConstruct, { name, ai }: Pick<Settings, 'name' | 'ai'>): void {
  for (const finding of acknowledged(name, withoutProfile(ai?.model ?? ''))) Validations.of(scope).acknowledge(finding);
}
