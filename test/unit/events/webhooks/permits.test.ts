import { beforeEach, describe, expect, it } from 'vitest';
import { permitsInUse } from '../../../../functions/events/workers/deliver-webhook/lease-item.ts';
import { type PermitKind, permitKind } from '../../../../functions/events/workers/deliver-webhook/permit-rules.ts';
import { type Permit, Permits } from '../../../../functions/events/workers/deliver-webhook/permits.ts';
import { HEALTHY } from '../../../../shared/domains/events/webhooks/health.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { Crashed } from '../../../support/crash.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const REQUEST_MS = 15_000;

const local = useLocalTable();

let now = Date.now();
let workspaceId: string;
beforeEach(() => {
  workspaceId = newId();
  writes = [];
});
let writes: string[] = [];
/** `crash`: what becomes of its first write. */
function sender(crash?: 'before' | 'after', patienceMs = 50): Permits {
  let next = crash;
  const table = local.open(() => {
    writes.push(workspaceId);
    const now = next;
    next = undefined;
    return now;
  });
  return new Permits(table, { now: () => new Date(now), requestMs: REQUEST_MS, maxWaitMs: patienceMs });
}

/** As many permits as there are to be had for a webhook, asked for one after the other. */
async function takeAll(permits: Permits, webhook: { id: string; kind: PermitKind }): Promise<Permit[]> {
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
  it('are ten for a webhook, however many senders ask at once', async () => {
    const senders = Array.from({ length: 6 }, sender);
    const webhooks = Array.from({ length: 7 }, (_, index) => ({ id: `hook-${index}`, kind: 'proven' as const }));
    const asked = senders.flatMap((each) =>
      webhooks.flatMap((webhook) => [1, 2, 3].map(() => each.take(workspaceId, webhook))),
    );
    const granted = (await Promise.all(asked)).filter((permit) => permit !== undefined);
    expect(granted.length).toBeGreaterThan(10);
    for (const { id } of webhooks) {
      expect(granted.filter(({ share }) => share.webhookId === id).length).toBeLessThanOrEqual(10);
    }
  });

  it('lapse when their sender dies, and not before its request must be over', async () => {
    const webhook = { id: 'hook', kind: 'proven' as const };
    expect(await takeAll(sender(), webhook)).toHaveLength(10);
    now += REQUEST_MS;
    expect(await sender().take(workspaceId, webhook)).toBeUndefined();
    now += REQUEST_MS + 1;
    expect(await takeAll(sender(), webhook)).toHaveLength(10);
  });

  it('are used again by the same sender without a write, and given back when others may want them', async () => {
    const [first, second] = [sender(), sender()];
    const webhook = { id: 'hook', kind: 'proven' as const };
    const permit = await first.take(workspaceId, webhook);
    first.giveBack(permit!, { works: true });
    const { length } = writes;
    expect(await first.take(workspaceId, webhook)).toBeDefined();
    expect(writes).toHaveLength(length);
    first.giveBack(permit!, { works: true });

    const taken = await takeAll(second, webhook);
    expect(taken).toHaveLength(9);
    for (const each of taken) second.giveBack(each, { works: true });
    await second.settled();
    expect((await takeAll(sender(), webhook)).length).toBeGreaterThanOrEqual(4);
  });

  it('are given back at once when the webhook fails: its next attempt may be with another sender', async () => {
    const [first, second] = [sender(), sender()];
    for (const kind of ['proven', 'doubtful', 'failing'] as const) {
      const webhook = { id: `hook-${kind}`, kind };
      const taken = await takeAll(first, webhook);
      for (const each of taken) first.giveBack(each, { works: false });
      await first.settled();
      expect(await takeAll(second, webhook)).toHaveLength(taken.length);
    }
  });

  it('pass from one delivery of a sender to the next that waits for one', async () => {
    const permits = sender(undefined, 10_000);
    const webhook = { id: 'hook', kind: 'proven' as const };
    const taken = await Promise.all(Array.from({ length: 10 }, () => permits.take(workspaceId, webhook)));
    const waiting = permits.take(workspaceId, webhook);
    await permits.settled();
    permits.giveBack(taken[3]!, { works: true });
    expect(await waiting).toBeDefined();
  });

  it('are two for a webhook that fails, and twenty-five for all of those', async () => {
    const permits = sender();
    const granted: Permit[] = [];
    for (let index = 0; index < 20; index += 1) {
      granted.push(...(await takeAll(permits, { id: `failing-${index}`, kind: 'failing' as const })));
    }
    expect(granted).toHaveLength(25);
    expect(granted.filter(({ share }) => share.webhookId === 'failing-0')).toHaveLength(2);
    expect(await takeAll(permits, { id: 'working', kind: 'proven' as const })).toHaveLength(10);
  });

  it('are two hundred for webhooks that work, and free for others as soon as those that have them hang', async () => {
    const permits = sender();
    const webhooks = Array.from({ length: 20 }, (_, index) => ({ id: `hook-${index}`, kind: 'proven' as const }));
    const taken = await Promise.all(webhooks.map((webhook) => takeAll(permits, webhook)));
    expect(taken.flat()).toHaveLength(200);
    const other = { id: 'other', kind: 'proven' as const };
    expect(await permits.take(workspaceId, other)).toBeUndefined();

    for (const permit of taken.slice(0, 10).flat()) permits.markDoubtful(permit);
    await permits.settled();
    expect(await takeAll(sender(), other)).toHaveLength(10);
    // They are under way, whatever the number; others like them have to wait for their end.
    const doubtful = { id: 'doubtful', kind: 'doubtful' as const };
    expect(await sender().take(workspaceId, doubtful)).toBeUndefined();
    for (const permit of taken.slice(0, 10).flat()) permits.giveBack(permit, { works: false });
    await permits.settled();
    expect(await takeAll(sender(), doubtful)).toHaveLength(10);
  });

  it('stay when their answer was lost and the write is made again', async () => {
    const lossy = sender('after');
    const webhook = { id: 'hook', kind: 'proven' as const };
    await expect(lossy.take(workspaceId, webhook)).rejects.toThrow(Crashed);
    expect(await takeAll(lossy, webhook)).toHaveLength(10);
  });

  it('leave nothing behind of webhooks and senders that have none any more', async () => {
    const permits = sender();
    for (let index = 0; index < 30; index += 1) {
      const permit = await permits.take(workspaceId, { id: `hook-${index}`, kind: 'failing' });
      permits.giveBack(permit!, { works: false });
      await permits.settled();
    }
    const hook = { id: 'hook', kind: 'failing' as const };
    await takeAll(permits, hook);
    const { counters, senders } = await permitsInUse(local.open(), workspaceId);
    expect(counters).toEqual({ unproven: 2, 'w#hook': 2, 'f#hook': 2 });
    expect(senders).toMatchObject([{ leases: [{ webhookId: 'hook', kind: 'failing', count: 2 }] }]);
  });

  it('are for a webhook in doubt when it is late or has never answered, and for a failing one when it fails', () => {
    const at = new Date();
    const answered = { ...HEALTHY, answeredAt: at.toISOString() };
    const until = (milliseconds: number) => new Date(at.getTime() + milliseconds).toISOString();
    expect(permitKind(answered, at)).toBe('proven');
    expect(permitKind(HEALTHY, at)).toBe('doubtful');
    expect(permitKind({ ...answered, slowUntil: until(1) }, at)).toBe('doubtful');
    expect(permitKind({ ...answered, slowUntil: until(0) }, at)).toBe('proven');
    expect(permitKind({ ...answered, slowUntil: until(1), consecutiveFailures: 1 }, at)).toBe('failing');
  });
});
