import type { FaultRule } from '../../packages/local-cloud/index.ts';
import type { Api } from './api.ts';

/**
 * Makes the local cloud misbehave while `work` runs. Every test of the deployment would meet it: tests that use it
 * stand in files of their own (`*.faults.test.ts`), which run one after the other on a deployment of their own.
 */
export async function withFault<T>(
  api: Pick<Api, 'endpoint' | 'joinAll'>,
  rule: FaultRule,
  work: () => Promise<T>,
): Promise<T> {
  await api.joinAll();
  const put = (rules: FaultRule[]) =>
    fetch(`${api.endpoint}/_local/faults`, { method: 'PUT', body: JSON.stringify(rules) });
  await put([rule]);
  try {
    return await work();
  } finally {
    await put([]);
  }
}

/** The engine is as busy as its concurrency allows. */
export const BUSY_ENGINE: FaultRule = { service: 'lambda', effect: 'throttle', resource: 'engine' };
