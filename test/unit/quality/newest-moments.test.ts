import { describe, expect, it } from 'vitest';
import type { StoredColumnProfile } from '../../../shared/data/profiles/profile.ts';
import { freshnessOf } from '../../../shared/domains/quality/scans/freshness.ts';
import { momentOf, type NewestMoments, withMoment } from '../../../shared/domains/quality/scans/newest-moments.ts';

const column = (name: string, dataType: string, max: string | null) => ({ name, dataType, max }) as StoredColumnProfile;
const scan = (before: NewestMoments | undefined, at: string, ...columns: StoredColumnProfile[]) =>
  withMoment(before, { columns }, { scannedAt: new Date(at) });

describe('the newest dates of a table', () => {
  it('are those of the column that is closest to now, and stay with it', () => {
    const first = scan(
      undefined,
      '2026-03-10T06:00:00Z',
      column('born', 'date', '1999-01-01'),
      column('created', 'timestamp', '2026-03-09 23:10:00'),
      column('due', 'date', '2026-12-31'),
      column('code', 'string', '2026-03-10'),
    );
    expect(first).toEqual({ columnName: 'created', at: ['2026-03-09T23:10:00.000Z'] });
    const columns = [column('created', 'timestamp', '2026-03-10T23:20:00'), column('changed', 'date', '2026-03-11')];
    const second = scan(first, '2026-03-11T06:00:00Z', ...columns);
    expect(second).toEqual({ columnName: 'created', at: ['2026-03-09T23:10:00.000Z', '2026-03-10T23:20:00.000Z'] });
    expect(scan(second, '2026-03-11T07:00:00Z', ...columns)).toEqual(second);
    expect(scan(second, '2026-03-12T07:00:00Z', column('changed', 'date', '2026-03-11'))).toEqual({
      columnName: 'changed',
      at: ['2026-03-11T00:00:00.000Z'],
    });
    expect(scan(second, '2026-03-12T07:00:00Z', column('created', 'timestamp', null))).toBeUndefined();
  });

  it('are those of the column that a scan names, and stay with it', () => {
    const columns = [column('created', 'date', '2026-03-09'), column('changed', 'date', '2026-03-10')];
    const given = { columnName: 'created', maxAgeMinutes: 60 };
    const found = scan(undefined, '2026-03-10T06:00:00Z', ...columns)!;
    const first = withMoment(found, { columns }, { scannedAt: new Date('2026-03-10T06:00:00Z'), given });
    expect(first).toEqual({ columnName: 'created', at: ['2026-03-09T00:00:00.000Z'], chosen: given });
    expect(scan(first, '2026-03-11T06:00:00Z', columns[1]!)).toEqual(first);
    expect(withMoment(undefined, { columns: [] }, { scannedAt: new Date(), given })).toEqual({
      columnName: 'created',
      at: [],
      chosen: given,
    });
  });

  it('show when a table is late', () => {
    const days = Array.from({ length: 20 }, (_, i) => `2026-03-${String(i + 1).padStart(2, '0')}`);
    const moments = days.reduce<NewestMoments | undefined>(
      (before, day) => scan(before, `${day}T23:00:00Z`, column('day', 'date', day)),
      undefined,
    )!;
    expect(moments.at).toHaveLength(15);
    const asOf = (now: string) =>
      freshnessOf({ lastLoadedAt: moments.at.at(-1)!, schedule: null, loads: moments.at }, new Date(now)).status;
    expect([asOf('2026-03-21T12:00:00Z'), asOf('2026-03-22T12:00:00Z')]).toEqual(['fresh', 'stale']);
  });

  it.each([
    ['2026-03-10', '2026-03-10T00:00:00.000Z'],
    ['2026-03-10T01:02:03', '2026-03-10T01:02:03.000Z'],
    ['2026-03-10 01:02:03.5', '2026-03-10T01:02:03.500Z'],
    ['2026-03-10T01:02:03Z', '2026-03-10T01:02:03.000Z'],
    ['2026-03-10T01:02:03+02:00', '2026-03-09T23:02:03.000Z'],
  ])('take %s for %s', (text, instant) => {
    expect(new Date(momentOf(text)).toISOString()).toBe(instant);
  });
});
