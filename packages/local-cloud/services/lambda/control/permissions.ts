import { AwsError } from '../../../core/aws-error.ts';
import type { RestRoute } from '../../../core/rest-json.ts';
import { parseFunctionReference } from '../arns.ts';
import type { PolicyStatement } from '../model.ts';
import type { FunctionStore } from '../store.ts';

interface PermissionInput {
  FunctionName: string;
  Qualifier?: string;
  StatementId: string;
  Action: string;
  Principal: string;
  SourceArn?: string;
  SourceAccount?: string;
}

/** The policy of a function, version or alias; undefined without one. */
export function policyText(store: FunctionStore, arn: string): string | undefined {
  if (!arn.includes(':function:')) return undefined;
  const { name, qualifier = '' } = parseFunctionReference(arn);
  const statements = store.find(name)?.policies[qualifier] ?? [];
  return statements.length === 0 ? undefined : documentOf(statements);
}

function documentOf(statements: PolicyStatement[]): string {
  return JSON.stringify({ Version: '2012-10-17', Id: 'default', Statement: statements });
}

/** AddPermission, RemovePermission and GetPolicy: who may call a function. */
export function permissionRoutes(store: FunctionStore): RestRoute[] {
  const located = (input: { FunctionName: string; Qualifier?: string }) => {
    const { record, qualifier, invokedArn } = store.resolve(input.FunctionName, input.Qualifier);
    return { record, key: qualifier ?? '', arn: invokedArn, statements: record.policies[qualifier ?? ''] ?? [] };
  };
  const nothing = () =>
    new AwsError('ResourceNotFoundException', 'The resource you requested does not exist.', { status: 404 });

  function add(input: PermissionInput) {
    const { record, key, arn, statements } = located(input);
    if (statements.some(({ Sid }) => Sid === input.StatementId)) {
      throw new AwsError(
        'ResourceConflictException',
        `The statement id (${input.StatementId}) provided already exists. Please provide a new statement id, or remove the existing statement.`,
        { status: 409 },
      );
    }
    const statement: PolicyStatement = {
      Sid: input.StatementId,
      Effect: 'Allow',
      Principal: principalOf(input.Principal),
      Action: input.Action,
      Resource: arn,
      ...((input.SourceArn || input.SourceAccount) && {
        Condition: {
          ...(input.SourceAccount && { StringEquals: { 'AWS:SourceAccount': input.SourceAccount } }),
          ...(input.SourceArn && { ArnLike: { 'AWS:SourceArn': input.SourceArn } }),
        },
      }),
    };
    store.save({ ...record, policies: { ...record.policies, [key]: [...statements, statement] } });
    return { Statement: JSON.stringify(statement) };
  }

  function principalOf(principal: string): unknown {
    if (principal === '*') return '*';
    return principal.endsWith('.amazonaws.com')
      ? { Service: principal }
      : { AWS: /^\d{12}$/.test(principal) ? `arn:aws:iam::${principal}:root` : principal };
  }

  function remove(input: PermissionInput) {
    const { record, key, statements } = located(input);
    const left = statements.filter(({ Sid }) => Sid !== input.StatementId);
    if (left.length === statements.length) {
      throw new AwsError(
        'ResourceNotFoundException',
        `Statement ${input.StatementId} is not found in resource policy.`,
        { status: 404 },
      );
    }
    store.save({ ...record, policies: { ...record.policies, [key]: left } });
  }

  function get(input: PermissionInput) {
    const { record, statements } = located(input);
    if (statements.length === 0) throw nothing();
    return {
      Policy: documentOf(statements),
      RevisionId: record.latest.revisionId,
    };
  }

  const path = '/2015-03-31/functions/{FunctionName}/policy';
  return [
    {
      operation: 'AddPermission',
      method: 'POST',
      path,
      status: 201,
      members: ['FunctionName', 'Qualifier', 'StatementId', 'Action', 'Principal', 'SourceArn', 'SourceAccount'],
      run: add,
    },
    { operation: 'GetPolicy', method: 'GET', path, status: 200, members: ['FunctionName', 'Qualifier'], run: get },
    {
      operation: 'RemovePermission',
      method: 'DELETE',
      path: `${path}/{StatementId}`,
      status: 204,
      members: ['FunctionName', 'Qualifier', 'StatementId'],
      run: remove,
    },
  ];
}
