import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { givenDashboard } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { issuesOf } from '../../../support/given/model.ts';

describe('former names of members', () => {
  it('are accepted, shown beside the current ones, and rejected where both differ', async ({ api }) => {
    const editor = api.as('editor');
    await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS amount' });
    const { path } = await givenDashboard(api);
    const test = { testType: 'not_null', targetType: 'source_table', tableName: 'orders', columnName: 'amount' };
    const places = [
      [`${path}/schedules`, { name: 'daily' }, 'cronExpression'],
      ['/api/data-quality/tests', { ...test, name: 'present' }, 'scheduleCron'],
      ['/api/data-quality/scan-schedules', { tableName: 'orders' }, 'scheduleCron'],
    ] as const;
    for (const [place, body, old] of places) {
      const differing = await editor.post(place, { ...body, cron: '@daily', [old]: '@weekly' });
      expect(issuesOf(differing), place).toContain(`/${old} CONFLICT`);
      const wrong = await editor.post(place, { ...body, [old]: 'often' });
      expect(issuesOf(wrong)[0], place).toMatch(`/${old} `);
      const made = await editor.post(place, { ...body, [old]: '@daily' });
      expect(made, JSON.stringify(made.body)).toMatchObject({
        status: 201,
        body: { cron: '@daily', [old]: '@daily' },
      });
    }

    const zone = 'Europe/Zurich';
    const me = { status: 200, body: { timezone: zone, timeZone: zone } };
    expect(await editor.patch('/api/auth/me', { timezone: zone })).toMatchObject(me);
    expect(await editor.patch('/api/auth/me', { timeZone: zone })).toMatchObject(me);
    expect(issuesOf(await editor.patch('/api/auth/me', { timezone: zone, timeZone: null }))).toEqual([
      '/timeZone CONFLICT',
    ]);

    for (const [place, text] of [
      ['/api/saved-queries', 'rev'],
      [`${path}/access/candidates`, 'ed'],
    ]) {
      const [now, before] = [await editor.get(`${place}?search=${text}`), await editor.get(`${place}?q=${text}`)];
      expect(now.status, place).toBe(200);
      expect(before.body, place).toEqual(now.body);
      expect(issuesOf(await editor.get(`${place}?q=${text}&search=other`)), place).toEqual(['/query/q CONFLICT']);
    }
  });
});
