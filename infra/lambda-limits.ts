import { type AccountLimit, GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { WORKERS } from '../functions/workers.ts';
import { type Account, accountOptions } from './account.ts';
import type { Clients } from './operator.ts';

/** What established accounts have; new ones start with 10. */
const USUAL_CONCURRENCY = 1000;

/** Lambda's "Concurrent executions" in Service Quotas. */
const CONCURRENCY_QUOTA = 'L-B99A9384';

/**
 * Reads what the account lets functions do, and reports what will be too small. A role without the right to read it may
 * deploy.
 */
export async function reportLimits({ lambda }: Clients, account: Account, log: (line: string) => void): Promise<void> {
  try {
    const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
    for (const line of limitWarnings(AccountLimit ?? {}, account)) log(line);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AccessDeniedException') throw error;
    log('The limits of Lambda could not be read: your role lacks lambda:GetAccountSettings.');
  }
}

/** What of the platform does not fit into the account, and how to ask for more. */
export function limitWarnings(
  { UnreservedConcurrentExecutions: free }: Pick<AccountLimit, 'UnreservedConcurrentExecutions'>,
  account: Account,
): string[] {
  if (free === undefined || free > concurrencyOfQueues()) return [];
  const request = `aws service-quotas request-service-quota-increase --service-code lambda --quota-code ${CONCURRENCY_QUOTA} --desired-value ${USUAL_CONCURRENCY}`;
  return [
    `Warning: in this account and region ${free} executions of functions can run at once. The queues alone use up to ${concurrencyOfQueues()}, and every call of the API and every open event stream uses one. While all are in use, calls reply 503 and work waits. Ask for more: ${`${request} ${accountOptions(account)}`.trim()}`,
    `Warning: the account seems to be new. New accounts may be limited to 3,008 MB of memory per function, which cannot be read in advance; the largest function has ${largestMemoryMb().toLocaleString('en')} MB. If the deployment fails with "'MemorySize' value failed to satisfy constraint", ask AWS Support for the full memory of Lambda and deploy again.`,
  ];
}

/** The executions that the queues start at once when all of them are full. */
export function concurrencyOfQueues(): number {
  return WORKERS.flatMap(({ consumes = [] }) => consumes).reduce((sum, { maxConcurrency }) => sum + maxConcurrency, 0);
}

function largestMemoryMb(): number {
  return Math.max(...WORKERS.flatMap(({ memoryMb, sizes }) => [memoryMb, ...Object.values(sizes?.memoryMb ?? {})]));
}
