import { Stack } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import {
  type Access,
  INVOKED_FUNCTIONS,
  type InvokedFunction,
  MACHINES,
  type MachineName,
  QUEUES,
  type QueueName,
  SECRETS,
  type SecretName,
  type SettingName,
  type TaskResult,
} from '../../functions/resources.ts';
import { allow, grantInvoke, grantObjects, grantTable } from './grants.ts';
import { machineArn } from './pipeline-machine.ts';

/** The resources of this deployment that declarations refer to. */
export interface Deployment {
  table: ITableV2;
  bucket: IBucket;
  /** Names of SSM parameters (SecureString). */
  secrets: Record<SecretName, string>;
  settings: Partial<Record<SettingName, string>>;
  queues?: ReadonlyMap<QueueName, Queue>;
  functions?: ReadonlyMap<string, IFunction>;
  /** The resources that a call of the language model accesses; absent for providers outside of AWS. */
  languageModelArns?: readonly string[];
  /** The domain of the sender of mails, which is an identity of SES; absent where no mail is sent. */
  mailDomain?: string | undefined;
}

/** The environment variables through which a function or container finds its resources. */
export function environmentOf(scope: Construct, access: Access, deployment: Deployment): Record<string, string> {
  const { table, bucket, secrets, settings } = deployment;
  const machines = [...(access.startsMachines ?? []), ...(access.describesMachines ?? [])];
  const variables: Record<string, string | undefined> = {
    TABLE_NAME: access.table && table.tableName,
    DATA_BUCKET: access.objects && bucket.bucketName,
    ...valuesOf(access.secrets, SECRETS, (name) => secrets[name]),
    ...valuesOf(access.sendsTo, QUEUES, (name) => queueOf(deployment, name).queueUrl),
    ...valuesOf(access.invokes, INVOKED_FUNCTIONS, (name) => functionOf(deployment, name).functionName),
    ...valuesOf(machines, MACHINES, (name) => machineArn(scope, name)),
    ...Object.fromEntries((access.settings ?? []).map((name) => [name, settings[name]])),
    ...access.variables,
  };
  return Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function valuesOf<Name extends string>(
  names: readonly Name[] = [],
  variables: Readonly<Record<Name, string>>,
  value: (name: Name) => string,
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [variables[name], value(name)]));
}

const TASK_ACTIONS: Record<TaskResult, string> = {
  success: 'states:SendTaskSuccess',
  failure: 'states:SendTaskFailure',
};

/** Grants access to the declared resources, and to nothing else. */
export function grantAccess(scope: Construct, grantee: IGrantable, access: Access, deployment: Deployment): void {
  const arns = (names: readonly MachineName[]) => names.map((name) => machineArn(scope, name));
  grantTable(grantee, deployment.table, access);
  if (access.objects) grantObjects(grantee, deployment.bucket, access.objects);
  for (const name of access.secrets ?? []) grantParameter(scope, grantee, deployment.secrets[name]);
  for (const name of access.sendsTo ?? []) allow(grantee, ['sqs:SendMessage'], [queueOf(deployment, name).queueArn]);
  for (const name of access.invokes ?? []) grantInvoke(grantee, functionOf(deployment, name));
  if (access.startsMachines) allow(grantee, ['states:StartExecution'], arns(access.startsMachines));
  if (access.describesMachines) allow(grantee, ['states:DescribeStateMachine'], arns(access.describesMachines));
  // Task tokens have no resource name, so these actions cannot be restricted.
  const results = (access.returnsTaskTokens ?? []).map((result) => TASK_ACTIONS[result]);
  if (results.length > 0) allow(grantee, results, ['*']);
  const { mailDomain } = deployment;
  if (access.sendsMail && mailDomain) {
    const identity = { service: 'ses', resource: 'identity', resourceName: mailDomain };
    allow(grantee, ['ses:SendEmail'], [Stack.of(scope).formatArn(identity)]);
  }
  const models = access.callsLanguageModel ? (deployment.languageModelArns ?? []) : [];
  if (models.length > 0) allow(grantee, ['bedrock:InvokeModel'], [...models]);
}

function grantParameter(scope: Construct, grantee: IGrantable, name: string): void {
  const arn = Stack.of(scope).formatArn({ service: 'ssm', resource: 'parameter', resourceName: name.slice(1) });
  allow(grantee, ['ssm:GetParameter'], [arn]);
}

function queueOf({ queues }: Deployment, name: QueueName): Queue {
  return queues?.get(name) ?? missing(`the queue ${name}`, 'a worker declares in `consumes`');
}

function functionOf({ functions }: Deployment, name: InvokedFunction): IFunction {
  return functions?.get(name) ?? missing(`the function ${name}`, '`functions/api.ts` and `functions/workers.ts` list');
}

function missing(what: string, who: string): never {
  throw new Error(`A function uses ${what}, which this stack does not have; it has those that ${who}`);
}
