import { describe, expect, it } from 'vitest';
import {
  DASHBOARDS,
  type DashboardSchedule,
  hasFilters,
} from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import {
  type DeliveryDeps,
  deliveryRuns,
  runByHand,
  runDueDelivery,
  type StoredMail,
  type StoredRun,
  scheduledRunId,
} from '../../../../shared/domains/delivery/deliveries/index.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();
const INSTANT = new Date('2026-03-02T08:00:00.000Z');
const later = (minutes: number) => new Date(INSTANT.getTime() + minutes * 60_000);

describe('a run of a delivery', () => {
  it('is skipped while an earlier one has not ended, and is not continued after its end', async () => {
    const [workspaceId, deliveryId, userId] = [newId(), newId(), newId()];
    const runs = deliveryRuns(local.open(), DASHBOARDS);
    const owner = { userId, membershipId: newId() };
    const delivery = {
      ...{ id: deliveryId, workspaceId, owner, recipients: [owner], cron: '*/15 * * * *', timezone: 'UTC' },
      ...{ isActive: true, apiUrl: 'https://example.com/api', createdAt: later(-60).toISOString() },
    } as unknown as DashboardSchedule;
    let now = INSTANT;
    const deps = {
      ...{ kind: DASHBOARDS, runs, now: () => now, isOver: () => true },
      deliveries: { get: async () => delivery },
      workspace: async () => ({ name: 'Test', companyId: 'company' }),
      members: async () => new Map([[userId, { name: 'Ann', membershipId: owner.membershipId, isActive: true }]]),
      admins: async () => [],
      queue: { send: async () => {} },
      mails: { send: async () => {} },
      open: async () => ({ write: expect.unreachable, left: expect.unreachable, ended: async () => [] }),
    } as unknown as DeliveryDeps<DashboardSchedule, StoredMail>;
    const due = (at: Date) => runDueDelivery(deps, { ...message, scheduledAt: at.toISOString() });
    const message = { op: 'delivery-due', kind: DASHBOARDS.name, workspaceId, deliveryId } as const;
    const run = (at: Date) => ({ workspaceId, deliveryId, runId: scheduledRunId(DASHBOARDS, deliveryId, at) });

    await due(INSTANT);
    now = later(15);
    await due(INSTANT);
    await due(later(15));
    expect(await runs.get(run(INSTANT))).toMatchObject({ status: 'queued' });
    expect(await runs.get(run(later(15)))).toMatchObject({ status: 'skipped', reason: 'STILL_RUNNING' });
    await runs.end(run(INSTANT), { status: 'sent', reason: null }, now, []);
    expect(await runs.claim(run(INSTANT), now, later(60)), 'a run that has ended').toBeUndefined();
    now = later(30);
    await due(later(30));
    expect(await runs.get(run(later(30)))).toMatchObject({ status: 'queued' });
  });
});

describe('a run that is continued twice', () => {
  it('is worked on by one worker at a time, and by another one once that has crashed', async () => {
    const place = { workspaceId: newId(), deliveryId: newId(), runId: newId() };
    const runs = deliveryRuns(local.open(), DASHBOARDS);
    const run = { id: place.runId, status: 'queued', createdAt: INSTANT.toISOString() } as StoredRun;
    await runs.create(place, run, INSTANT);
    const claims = await Promise.all([1, 2, 3].map(() => runs.claim(place, INSTANT, later(15))));
    const [lease, ...others] = claims.filter((each) => each !== undefined);
    expect(others).toEqual([]);
    expect(await runs.claim(place, later(4), later(20)), 'while the first one works').toBeUndefined();
    const second = await runs.claim(place, later(5), later(20));
    expect(second, 'after the time that a worker has').toBeDefined();
    await runs.release(place, lease!);
    expect(await runs.claim(place, later(5), later(20)), 'the lease of the second one stays').toBeUndefined();
    await runs.release(place, second!);
    expect(await runs.claim(place, later(5), later(20))).toBeDefined();
  });
});

describe('runs by hand', () => {
  it('are at most five an hour, also when they are started at the same time', async () => {
    const place = { workspaceId: newId(), deliveryId: newId() };
    const runs = deliveryRuns(local.open(), DASHBOARDS);
    const owner = { userId: newId(), membershipId: newId() };
    const delivery = { id: place.deliveryId, workspaceId: place.workspaceId, owner, recipients: [owner] };
    const start = () =>
      runByHand(
        { kind: DASHBOARDS, runs, queue: { send: async () => {} }, now: () => INSTANT },
        delivery as unknown as DashboardSchedule,
        { runId: newId(), userId: owner.userId, logged: [] },
      );
    const started = await Promise.allSettled(Array.from({ length: 12 }, start));
    expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const each of started)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'RATE_LIMITED' });
    expect(await runs.list(place, 20)).toHaveLength(5);
  });
});

describe('a schedule', () => {
  it('needs the filters that it sets', () => {
    const filters = [{ id: 'region' }] as unknown as Parameters<typeof hasFilters>[0]['filters'];
    const set = (filterId: string) => ({ filters: [{ filterId, op: 'eq' as const, values: ['eu'] }] });
    expect(hasFilters({ filters }, set('region'))).toBe(true);
    expect(hasFilters({ filters: [] }, set('region'))).toBe(false);
  });
});
