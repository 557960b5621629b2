import { beforeAll, describe, expect, it } from 'vitest';
import type { FaultRule } from '../../packages/local-cloud/index.ts';
import { AIRPORT_COUNT, finished, givenAppendingPipeline, rowCount } from './kill-and-finish.ts';
import { usePlatform } from './use-platform.ts';

const under = usePlatform();
let pipelineId: string;
let runs = 0;
beforeAll(async () => {
  pipelineId = await givenAppendingPipeline(under.platform, 'faulty');
});

/** Runs the pipeline while the cloud misbehaves; the run must end right, with each row there once. */
async function survives(rules: FaultRule[]): Promise<void> {
  const { platform } = under;
  const run = await platform.request('POST', `/api/pipelines/${pipelineId}/run`);
  await platform.misbehave(rules);
  try {
    expect(await finished(platform, run.id)).toBe('succeeded');
  } finally {
    await platform.misbehave([]);
  }
  runs += 1;
  expect(await rowCount(platform, 'faulty')).toBe(AIRPORT_COUNT * runs);
}

describe('a run on a cloud that misbehaves', () => {
  it(
    'loads each row once when the step function is killed in the middle',
    () =>
      survives([
        { service: 'lambda', operation: 'Invoke', resource: 'run-step', effect: 'kill', delayMs: 60, times: 1 },
      ]),
    300_000,
  );

  it(
    'loads each row once when every task is called twice',
    () => survives([{ service: 'states', operation: 'Task', effect: 'duplicate' }]),
    300_000,
  );

  it(
    'loads each row once when queue messages come twice',
    () => survives([{ service: 'sqs', effect: 'duplicate' }]),
    300_000,
  );

  it(
    'loads each row once while the table is throttled',
    () => survives([{ service: 'dynamodb', effect: 'throttle', probability: 0.2 }]),
    300_000,
  );

  it(
    'loads each row once when answers of the table are lost',
    () => survives([{ service: 'dynamodb', effect: 'lostAnswer', probability: 0.1, times: 20 }]),
    300_000,
  );
});
