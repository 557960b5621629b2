import { expect, inject, it } from 'vitest';
import { type AccessReport, coverageOf } from '../support/grants.ts';
import { STEADY_DEPLOYMENTS } from '../support/setup/ask.ts';

const DEPLOYMENTS = [...STEADY_DEPLOYMENTS, 'failing'];

/**
 * Runs after every API test. A grant is needed if a call was allowed by nothing else: without the grant the call would
 * have been denied, because the evaluation depends on nothing but the call and the policies.
 */
it('every grant of the stacks was needed by a call of the tests, or is explained', async () => {
  const reports = await Promise.all(DEPLOYMENTS.map(reportOf));
  const { figures, unexplained, stale } = coverageOf(reports);
  console.log(figures);
  expect({ unexplained, stale }).toEqual({ unexplained: [], stale: [] });
});

it('no call was denied', async () => {
  const reports = await Promise.all(DEPLOYMENTS.map(reportOf));
  expect(reports.flatMap(({ denials }) => denials)).toEqual([]);
});

async function reportOf(deployment: string): Promise<AccessReport> {
  const reply = await fetch(`${inject('sharedSetup')}/deployments/${deployment}`);
  const { endpoint } = (await reply.json()) as { endpoint: string };
  return (await fetch(`${endpoint}/_local/access`)).json() as Promise<AccessReport>;
}
