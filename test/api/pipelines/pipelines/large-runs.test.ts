import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { dagKey, stepKey } from '../../../../shared/domains/pipelines/store/run-keys.ts';
import type { StoredRun } from '../../../../shared/domains/pipelines/store/run-record.ts';
import { runRepository } from '../../../../shared/domains/pipelines/store/run-store.ts';
import type { StepRun, StoredStep } from '../../../../shared/domains/pipelines/store/step-record.ts';
import { MasterSecret } from '../../../../shared/platform/crypto/master-secret.ts';
import { cursors } from '../../../../shared/platform/http/cursor.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { type Api, it } from '../../../support/api.ts';
import { readMasterSecret } from '../../../support/master-secret.ts';
import { UNKNOWN_ID } from './given.ts';

/** What the reply of a function may carry beside its frame, as the reply's text is quoted in it. */
const MAX_BYTES = 5.5 * 1024 * 1024;
const AT = '2026-01-31T08:15:30.000Z';

const quotedBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(JSON.stringify(value)));

/** A run that is over, without the work: as many steps as there are messages, each failed with its own. */
async function givenRun(api: Api, messages: readonly string[]): Promise<string> {
  const { workspaceId } = api;
  const run: StoredRun = {
    id: newId(new Date()),
    workspaceId,
    pipelineId: newId(new Date()),
    pipelineName: 'large',
    status: 'failed',
    attempt: 1,
    trigger: { kind: 'manual', scheduledAt: null, upstreamRunId: null, actor: null },
    parameters: {},
    dagVersion: 1,
    dagHash: 'none',
    logicalDate: null,
    intervalStart: null,
    intervalEnd: null,
    backfillId: null,
    createdAt: AT,
    startedAt: AT,
    finishedAt: AT,
    updatedAt: AT,
    executionSeconds: 0,
    rowsMoved: 0,
    bytesMoved: 0,
    error: null,
    cancelReason: null,
    seq: 1,
  };
  await runRepository(api.table).create(run);
  const text = JSON.stringify({ version: 1, steps: [{ id: 'a', type: 'transform_sql', config: { sql: 'SELECT 1' } }] });
  const definition = { ...dagKey(workspaceId, run.dagHash), entity: 'dag', text };
  await api.table.db.send(new PutCommand({ TableName: api.table.name, Item: definition }));
  const stored = messages.flatMap((message, place) => [
    { ...nodeOf(run, 2 * place), error: { code: 'SQL_ERROR', message } },
    // Between the steps lie nodes that are none.
    { ...nodeOf(run, 2 * place + 1), kind: 'barrier' as const, type: null },
  ]);
  await Promise.all(stored.map((step) => store(api, step)));
  return run.id;
}

function nodeOf(run: StoredRun, index: number): StoredStep {
  return {
    workspaceId: run.workspaceId,
    runId: run.id,
    index,
    kind: 'step',
    stepId: `step-${index}`,
    type: 'transform_sql',
    item: null,
    itemIndex: null,
    status: 'failed',
    epoch: 1,
    attempt: 1,
    attemptsBefore: 0,
    maxAttempts: 1,
    skipReason: null,
    executionSeconds: 0.5,
  };
}

const store = (api: Api, step: StoredStep) =>
  api.table.db.send(
    new PutCommand({
      TableName: api.table.name,
      Item: { ...stepKey(step.workspaceId, step.runId, step.index), entity: 'step', ...step },
    }),
  );

const read = async (api: Api, runId: string) => (await api.as('viewer').get(`/api/pipelines/runs/${runId}`)).body;

/** The steps from a cursor on, page after page. */
async function listed(
  api: Api,
  runId: string,
  limit: number,
  from: string | null = '',
  status = '',
): Promise<StepRun[]> {
  const steps: StepRun[] = [];
  const filter = status && `&status=${status}`;
  for (let cursor = from; cursor !== null; ) {
    const path = `/api/pipelines/runs/${runId}/steps?limit=${limit}${filter}${cursor && `&cursor=${cursor}`}`;
    const { status, body } = await api.as('viewer').get(path);
    expect(status, JSON.stringify(body).slice(0, 500)).toBe(200);
    expect(body.items.length).toBeGreaterThan(0);
    steps.push(...body.items);
    cursor = body.nextCursor;
  }
  return steps;
}

const namesOf = (steps: readonly StepRun[]) => steps.map(({ stepId }) => stepId);
const allNames = (count: number) => Array.from({ length: count }, (_, place) => `step-${2 * place}`);

describe('a run with more steps than one reply can carry', () => {
  it('is answered with the first of them, in its stream too, and a cursor that leads to the others', async ({
    api,
  }) => {
    // Each quote takes four bytes in the answer of the function: 6 MB of what is 3 MB as text.
    const runId = await givenRun(api, Array(100).fill('"'.repeat(15_000)));
    const run = await read(api, runId);
    expect(run).toMatchObject({ id: runId, stepsTotal: 100, executionSeconds: 100 });
    expect(run.steps.length).toBeGreaterThan(80);
    expect(run.steps.length).toBeLessThan(100);
    expect(run.stepsNextCursor).toEqual(expect.any(String));
    const others = await listed(api, runId, 7, run.stepsNextCursor);
    expect(namesOf([...run.steps, ...others])).toEqual(allNames(100));
    expect(quotedBytes(run)).toBeLessThan(MAX_BYTES + 2_000);

    const stream = (await api.as('viewer').get(`/api/pipelines/runs/${runId}/events`)).body as unknown as string;
    const snapshot = JSON.parse(/^event: snapshot\ndata: (.*)$/m.exec(stream)![1]!);
    expect(snapshot.steps).toEqual(run.steps);
    expect(await listed(api, runId, 200, snapshot.stepsNextCursor)).toEqual(others);
  });

  it('is answered whole up to the last byte, and not with one more', async ({ api }) => {
    const messages = Array(15).fill('x'.repeat(380_000));
    const small = await read(api, await givenRun(api, messages));
    expect(small).toMatchObject({ stepsTotal: 15, stepsNextCursor: null });
    const { steps, stepsTotal: _total, stepsNextCursor: _cursor, ...head } = small;
    const used = [head, ...steps].reduce((sum, part) => sum + quotedBytes(part), 0);
    const last = quotedBytes({ ...steps[0], stepId: 'step-30', error: { code: 'SQL_ERROR', message: '' } });
    const fill = MAX_BYTES - used - last;
    const whole = await read(api, await givenRun(api, [...messages, 'x'.repeat(fill)]));
    expect(whole).toMatchObject({ stepsTotal: 16, stepsNextCursor: null });
    expect(whole.steps).toHaveLength(16);
    const larger = await read(api, await givenRun(api, [...messages, 'x'.repeat(fill + 1)]));
    expect(larger).toMatchObject({ stepsTotal: 16, stepsNextCursor: expect.any(String) });
    expect(larger.steps).toHaveLength(15);
  });
});

describe('GET /api/pipelines/runs/{runId}/steps', () => {
  it('shows every step once, in order, whatever the size of the page', async ({ api }) => {
    const runId = await givenRun(api, Array(9).fill('no'));
    for (const limit of [1, 2, 3, 9, 200]) expect(namesOf(await listed(api, runId, limit))).toEqual(allNames(9));
    expect(await listed(api, runId, 4)).toEqual((await read(api, runId)).steps);
  });

  it('lists the steps with one status, page by page', async ({ api }) => {
    const runId = await givenRun(api, Array(9).fill('no'));
    const run = (await runRepository(api.table).get(api.workspaceId, runId))!;
    for (const index of [2, 8, 16]) await store(api, { ...nodeOf(run, index), status: 'succeeded' });
    const failed = allNames(9).filter((_, place) => ![1, 4, 8].includes(place));
    for (const limit of [1, 2, 6, 200]) expect(namesOf(await listed(api, runId, limit, '', 'failed'))).toEqual(failed);
    const path = `/api/pipelines/runs/${runId}/steps`;
    const first = (await api.as('viewer').get(`${path}?status=succeeded&limit=1`)).body;
    expect(namesOf(first.items)).toEqual(['step-2']);
    expect((await api.as('viewer').get(`${path}?status=skipped`)).body).toEqual({ items: [], nextCursor: null });
    const unfiltered = await api.as('viewer').get(`${path}?cursor=${first.nextCursor}`);
    expect(unfiltered).toMatchObject({ status: 400, body: { code: 'CURSOR_MISMATCH' } });
  });

  it('ends a page early rather than answering more than a reply can carry', async ({ api }) => {
    const runId = await givenRun(api, Array(20).fill('x'.repeat(380_000)));
    const first = (await api.as('viewer').get(`/api/pipelines/runs/${runId}/steps?limit=200`)).body;
    expect(first.items).toHaveLength(15);
    expect(namesOf(await listed(api, runId, 200))).toEqual(allNames(20));
  });

  it('rejects a cursor that was made up, belongs to another run or has expired, and hides runs of other workspaces', async ({
    api,
  }) => {
    const [runId, other] = [await givenRun(api, ['a', 'b']), await givenRun(api, ['a', 'b'])];
    const path = `/api/pipelines/runs/${runId}/steps`;
    const { nextCursor } = (await api.as('viewer').get(`/api/pipelines/runs/${other}/steps?limit=1`)).body;
    const old = new Date(Date.now() - 24 * 60 * 60 * 1000);
    const expired = await cursors(new MasterSecret(() => readMasterSecret(api.endpoint))).seal(
      { after: '0', asOf: old.toISOString() },
      { workspaceId: api.workspaceId, list: ['step-runs', runId] },
      old,
    );
    for (const [cursor, status, code] of [
      ['x', 400, 'CURSOR_INVALID'],
      [nextCursor, 400, 'CURSOR_MISMATCH'],
      [expired, 404, 'CURSOR_EXPIRED'],
    ]) {
      expect(await api.as('viewer').get(`${path}?cursor=${cursor}`), code).toMatchObject({ status, body: { code } });
    }
    for (const [actor, id] of [
      ['stranger', runId],
      ['viewer', UNKNOWN_ID],
    ] as const) {
      expect(await api.as(actor).get(`/api/pipelines/runs/${id}/steps`)).toMatchObject({
        status: 404,
        body: { code: 'RUN_NOT_FOUND' },
      });
    }
  });
});
