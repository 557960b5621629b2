import { describe, expect, it } from 'vitest';
import { announceDue } from '../../../functions/platform/workers/minute-tick/announce-due.ts';
import { scheduledJobs } from '../../../functions/platform/workers/minute-tick/scheduled-jobs.ts';
import { isRun } from '../../../shared/domains/quality/runs/input.ts';
import { dueScan, scanScheduleRepository, showScanSchedule } from '../../../shared/domains/quality/scans/schedules.ts';
import { tableKey } from '../../../shared/domains/quality/table.ts';
import { testRepository } from '../../../shared/domains/quality/tests/repository.ts';
import type { JobMessage } from '../../../shared/platform/jobs/queue.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { useLocalTable } from '../../support/local-table.ts';
import { testOf } from './given-tables.ts';

const local = useLocalTable();
const place = { sourceId: 'datasets', schemaName: '', tableName: 'orders' };
const HOUR_MS = 60 * 60 * 1000;
const schedule = { cron: '30 2 * * *', timezone: 'Europe/Berlin', enabled: true };

/** A test and a scan of one table at half past two in Berlin, stored at the given time. */
async function givenSchedules(from: Date) {
  const table = local.open();
  const workspaceId = newId();
  const test = await testRepository(table).create(testOf(workspaceId, place, from, { schedule }));
  const schedules = scanScheduleRepository(table);
  const { createdBy, updatedBy, createdAt, updatedAt } = test;
  const scan = await schedules.create({
    ...{ id: newId(), workspaceId, ...place, tableKey: tableKey(place), config: {}, schedule },
    ...{ createdBy, updatedBy, createdAt, updatedAt, revision: 1 },
  });
  return { table, workspaceId, test, schedules, scan };
}

/** What a tick in each hour announces for the workspace. */
async function announced({ table, workspaceId }: Awaited<ReturnType<typeof givenSchedules>>, from: Date, until: Date) {
  const due: (JobMessage & { op: 'due' })[] = [];
  for (let now = from; now < until; now = new Date(now.getTime() + HOUR_MS)) {
    const queue = {
      send: async (sent: readonly { message: JobMessage }[]) =>
        void due.push(...sent.flatMap(({ message }) => (message.op === 'due' ? [message] : []))),
    };
    await announceDue({ table, now: () => now }, scheduledJobs(table, queue), ({ error }) => {
      throw error;
    });
  }
  return due.filter((message) => message.workspaceId === workspaceId);
}

describe('tests and scans at half past two in Berlin', () => {
  it.each([
    ['once, at the end of the hour that is skipped in spring', '2026-03-28', ['2026-03-28T01:30', '2026-03-29T01:00']],
    ['once, in the first of the two hours in autumn', '2026-10-24', ['2026-10-24T00:30', '2026-10-25T00:30']],
  ])('start %s', async (_title, day, minutes) => {
    const from = new Date(`${day}T00:00:00Z`);
    const given = await givenSchedules(from);
    const expected = minutes.map((minute) => `${minute}:00.000Z`);
    expect(showScanSchedule(given.scan, from).nextScanAt).toBe(expected[0]);
    const due = await announced(given, from, new Date(from.getTime() + 2 * 24 * 60 * 60 * 1000));
    const of = (kind: string) => due.filter((message) => message.kind === kind).map(({ scheduledAt }) => scheduledAt);
    expect(of('quality_run')).toEqual(expected);
    expect(of('quality_scan')).toEqual(expected);
    // Workers take these instants for those of the schedule, and no other.
    const accepted = async (scheduledAt: string) => [
      isRun({ scope: 'due', tableKey: given.test.tableKey, scheduledAt }, given.test),
      (await dueScan(given.schedules, {
        ...{ workspaceId: given.workspaceId, subjectId: given.scan.tableKey, scheduledAt: new Date(scheduledAt) },
      })) !== undefined,
    ];
    for (const at of expected) expect(await accepted(at), at).toEqual([true, true]);
    const wrong = new Date(Date.parse(expected[1]!) + HOUR_MS).toISOString();
    expect(await accepted(wrong), wrong).toEqual([false, false]);
  });
});
