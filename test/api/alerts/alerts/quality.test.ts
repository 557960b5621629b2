import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { evaluate, feedOf } from '../../../support/given/alert-work.ts';
import { givenAlert, givenLoad, onLoad } from '../../../support/given/alerts.ts';
import { givenTest, QUALITY, ranAll } from '../../../support/given/quality.ts';

describe('An alert that is held while its data is doubtful', () => {
  it('reports an error to its owner instead of firing, until the issue is over', async ({ api }) => {
    const { queryId } = await givenLoad(api, { a: 10, b: -5, c: 30 });
    const held = await givenAlert(api, { condition: onLoad(queryId), holdOnQuality: true });
    const usual = await givenAlert(api, { condition: onLoad(queryId) });
    const editor = api.as('editor');
    expect(held).toMatchObject({ holdOnQuality: true });
    expect(usual).toMatchObject({ holdOnQuality: false });
    await givenTest(api, {
      ...{ testType: 'no_negative', severity: 'critical', tableName: 'hosts', columnName: 'load' },
    });
    expect(await ranAll(api)).toMatchObject({ status: 'succeeded' });
    const { items } = (await editor.get(`${QUALITY}/issues`)).body;
    expect(items).toMatchObject([{ severity: 'critical', status: 'open', tableName: 'hosts' }]);
    for (const minute of [1, 2]) await evaluate(api, [held, usual], minute);
    expect((await editor.get(held.path)).body).toMatchObject({
      ...{ state: 'unknown', health: 'error', error: { code: 'DATA_NOT_TRUSTED' }, firedAt: null },
    });
    expect(await feedOf(editor, usual)).toEqual(['fire 30']);
    expect(await feedOf(editor, held)).toEqual(['error null']);
    expect((await editor.put(`${QUALITY}/issues/${items[0].id}/status`, { status: 'ignored' })).status).toBe(200);
    await evaluate(api, [held], 3);
    expect((await editor.get(held.path)).body).toMatchObject({ state: 'triggered', health: 'ok', error: null });
    expect((await feedOf(editor, held)).toSorted()).toEqual(['error null', 'error_over 30', 'fire 30']);
  });

  it('fires for data with less than critical issues', async ({ api }) => {
    const { queryId } = await givenLoad(api, { a: -10, b: 20, c: 30 });
    const alert = await givenAlert(api, { condition: onLoad(queryId), holdOnQuality: true });
    await givenTest(api, { testType: 'no_negative', severity: 'low', tableName: 'hosts', columnName: 'load' });
    expect(await ranAll(api)).toMatchObject({ status: 'succeeded' });
    await evaluate(api, [alert], 1);
    expect(await feedOf(api.as('editor'))).toEqual(['fire 30']);
  });
});
