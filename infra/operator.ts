import { randomBytes } from 'node:crypto';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { ParameterAlreadyExists, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import type { CreatedOwner, NewOwner } from '../functions/identity/workers/create-owner/handler.ts';
import type {
  ChangedEntitlements,
  EntitlementChange,
} from '../functions/tenancy/workers/change-entitlements/change.ts';
import { type Account, clientConfig } from './account.ts';

/**
 * An operator's tasks besides deploying, the same on AWS and on one machine: only the endpoint of the clients differs.
 */
export interface Clients {
  ssm: SSMClient;
  lambda: LambdaClient;
}

/** Configuration of a client for the local cloud at an endpoint, or for an AWS account. */
export function clientConfigOf(target: string | Account) {
  return typeof target === 'string'
    ? { endpoint: target, region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
    : clientConfig(target);
}

/** Clients for the local cloud at an endpoint, or for an AWS account. */
export function operatorClients(target: string | Account): Clients {
  const config = clientConfigOf(target);
  return { ssm: new SSMClient(config), lambda: new LambdaClient(config) };
}

/**
 * Creates the master secret if the deployment has none; never changes an existing one. Returns whether it created one.
 */
export async function ensureMasterSecret({ ssm }: Clients, parameter: string): Promise<boolean> {
  try {
    await ssm.send(
      new PutParameterCommand({
        Name: parameter,
        Type: 'SecureString',
        Value: randomBytes(32).toString('base64'),
        Overwrite: false,
        Description:
          'Every key of the analytics platform is derived from this secret. If it is lost, the stored credentials cannot be decrypted.',
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ParameterAlreadyExists) return false;
    throw error;
  }
}

/** Stores the key of the AI provider, replacing an earlier one. */
export async function storeAiKey({ ssm }: Clients, parameter: string, key: string): Promise<void> {
  await ssm.send(
    new PutParameterCommand({
      Name: parameter,
      Type: 'SecureString',
      Value: key,
      Overwrite: true,
      Description: 'The key of the AI provider of the analytics platform.',
    }),
  );
}

/** Creates a company with its owner. Throws with the function's message, for example if the email is taken. */
export function createOwner(clients: Clients, functionName: string, owner: NewOwner): Promise<CreatedOwner> {
  return invoke<CreatedOwner>(clients, functionName, owner, 'the owner could not be created');
}

/**
 * Changes what a company may use, or only shows it. Throws with the function's message, for example for an unknown
 * company.
 */
export function changeEntitlements(
  clients: Clients,
  functionName: string,
  change: EntitlementChange,
): Promise<ChangedEntitlements> {
  return invoke<ChangedEntitlements>(clients, functionName, change, 'the entitlements could not be changed');
}

async function invoke<T>({ lambda }: Clients, functionName: string, input: object, failure: string): Promise<T> {
  const reply = await lambda.send(
    new InvokeCommand({ FunctionName: functionName, Payload: Buffer.from(JSON.stringify(input)) }),
  );
  const answer = JSON.parse(Buffer.from(reply.Payload ?? []).toString('utf8') || 'null');
  if (reply.FunctionError) throw new Error(answer?.errorMessage ?? failure);
  return answer as T;
}

/** A generated password with 144 random bits. */
export function randomPassword(): string {
  return randomBytes(18).toString('base64url');
}
