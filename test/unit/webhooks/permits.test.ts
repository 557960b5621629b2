import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Permit, withPermit } from '../../../functions/workers/deliver-webhook/permit-rules.ts';
import { Permits } from '../../../functions/workers/deliver-webhook/permits.ts';
import { LocalCloud } from '../../../infra/local/cloud.ts';
import { newId } from '../../../shared/storage/ids.ts';
import { createLocalTable, openCrashingTable } from '../../support/local-table.ts';

const REQUEST_MS = 15_000;

let folder: string;
let cloud: LocalCloud;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'analytics-permits-'));
  cloud = await LocalCloud.open({ dataDir: folder, port: 0 });
  await createLocalTable(cloud.endpoint);
});
afterAll(async () => {
  await cloud.close();
  rmSync(folder, { recursive: true, force: true });
});

let now = Date.now();
let workspaceId: string;
beforeEach(() => {
  workspaceId = newId();
});
const sender = () =>
  new Permits(
    openCrashingTable(cloud.endpoint, () => undefined),
    { now: () => new Date(now), requestMs: REQUEST_MS },
  );

/** As many permits as there are to be had for a webhook, asked for one after the other. */
async function takeAll(permits: Permits, webhook: { id: string; isFailing: boolean }): Promise<Permit[]> {
  const taken: Permit[] = [];
  for (
    let permit = await permits.take(workspaceId, webhook);
    permit;
    permit = await permits.take(workspaceId, webhook)
  ) {
    taken.push(permit);
  }
  return taken;
}

describe('permits to have a request under way', () => {
  it('are ten for a webhook and fifty for a workspace, however many senders ask at once', async () => {
    const senders = Array.from({ length: 6 }, sender);
    const webhooks = Array.from({ length: 7 }, (_, index) => ({ id: `hook-${index}`, isFailing: false }));
    const asked = senders.flatMap((each) =>
      webhooks.flatMap((webhook) => [1, 2, 3].map(() => each.take(workspaceId, webhook))),
    );
    const granted = (await Promise.all(asked)).filter((permit) => permit !== undefined);
    expect(granted.length).toBeGreaterThan(10);
    expect(granted.length).toBeLessThanOrEqual(50);
    for (const { id } of webhooks) {
      expect(granted.filter(({ webhookId }) => webhookId === id).length).toBeLessThanOrEqual(10);
    }
    expect(new Set(granted.map(({ id }) => id)).size).toBe(granted.length);
  });

  it('lapse when their sender dies, and not before its request must be over', async () => {
    const webhook = { id: 'hook', isFailing: false };
    expect(await takeAll(sender(), webhook)).toHaveLength(10);
    now += REQUEST_MS;
    expect(await sender().take(workspaceId, webhook)).toBeUndefined();
    now += REQUEST_MS + 1;
    expect(await takeAll(sender(), webhook)).toHaveLength(10);
  });

  it('are used again by the same sender without a write, and given back when others may want them', async () => {
    const [first, second] = [sender(), sender()];
    const webhook = { id: 'hook', isFailing: false };
    const permit = await first.take(workspaceId, webhook);
    first.giveBack(workspaceId, permit!, { works: true });
    expect(await first.take(workspaceId, webhook)).toBe(permit);
    first.giveBack(workspaceId, permit!, { works: true });

    const taken = await takeAll(second, webhook);
    expect(taken).toHaveLength(9);
    for (const each of taken) second.giveBack(workspaceId, each, { works: true });
    await second.settled();
    expect((await takeAll(sender(), webhook)).length).toBeGreaterThanOrEqual(4);
  });

  it('are given back at once when the webhook fails: its next attempt may be with another sender', async () => {
    const [first, second] = [sender(), sender()];
    for (const isFailing of [false, true]) {
      const webhook = { id: `hook-${isFailing}`, isFailing };
      const taken = await takeAll(first, webhook);
      for (const each of taken) first.giveBack(workspaceId, each, { works: false });
      await first.settled();
      expect(await takeAll(second, webhook)).toHaveLength(taken.length);
    }
  });

  it('pass from one delivery of a sender to the next that waits for one', async () => {
    const permits = sender();
    const webhook = { id: 'hook', isFailing: false };
    const taken = await Promise.all(Array.from({ length: 10 }, () => permits.take(workspaceId, webhook)));
    const waiting = permits.take(workspaceId, webhook);
    await permits.settled();
    permits.giveBack(workspaceId, taken[3]!, { works: true });
    expect(await waiting).toBe(taken[3]);
  });

  it('are two for a webhook that fails, and the half of the workspace for all of those', async () => {
    const permits = sender();
    const granted: Permit[] = [];
    for (let index = 0; index < 20; index += 1) {
      granted.push(...(await takeAll(permits, { id: `failing-${index}`, isFailing: true })));
    }
    expect(granted).toHaveLength(25);
    expect(granted.filter(({ webhookId }) => webhookId === 'failing-0')).toHaveLength(2);
    expect(await takeAll(permits, { id: 'working', isFailing: false })).toHaveLength(10);
  });

  it('is taken once when it is asked for twice under one id', () => {
    const permit = { id: 'a', webhookId: 'hook', until: 1, isFailing: false };
    const { inUse } = withPermit([], permit);
    expect(withPermit(inUse, permit)).toEqual({ inUse, isGranted: true });
  });
});
