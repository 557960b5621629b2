import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { MasterSecret } from '../../../../shared/platform/crypto/master-secret.ts';
import { cursors } from '../../../../shared/platform/http/cursor.ts';
import { DAY_MS } from '../../../../shared/platform/schedule/durations.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { it } from '../../../support/api.ts';
import { givenDashboard } from '../../../support/given/dashboard.ts';
import { posted } from '../../../support/given/model.ts';
import { readMasterSecret } from '../../../support/master-secret.ts';

it('lists of more than 5,000 dashboards, themes, reports or links say what to do', async ({ api }) => {
  for (const area of ['DASHBOARD', 'THEME', 'REPORT', 'SHARE']) {
    const total = { pk: `W#${api.workspaceId}#${area}`, sk: '#TOTAL' };
    await api.table.db.send(new UpdateCommand(updateOf(api.table, total, { set: { count: 5001 } })));
  }
  const lists = ['/api/dashboards', '/api/dashboards/page', '/api/themes?sort=name'];
  for (const path of [...lists, '/api/reports?sort=name', '/api/shares?contentType=dashboard'])
    expect(await api.as('owner').get(path), path).toMatchObject({ status: 400, body: { code: 'LIST_TOO_LARGE' } });
});

it('cursors of dashboards are those of the platform, for a day', async ({ api }) => {
  const owner = api.as('owner');
  const { path } = await givenDashboard(api);
  for (const list of ['/api/dashboards/page', `${path}/access`])
    expect(await owner.get(`${list}?cursor=x`), list).toMatchObject({ status: 400, body: { code: 'CURSOR_INVALID' } });
  const sealer = cursors(new MasterSecret(() => readMasterSecret(api.endpoint)));
  const userId = (await owner.get('/api/auth/me')).body.user.id;
  const filters = { includeDeleted: false, publishedOnly: false };
  const scope = { workspaceId: api.workspaceId, list: ['dashboards', userId, 'all', filters] };
  const at = new Date(Date.now() - DAY_MS - 60_000);
  const old = await sealer.seal({ after: '2026-01-01T00:00:00.000Z#x', asOf: at.toISOString() }, scope, at);
  expect(await owner.get(`/api/dashboards/page?cursor=${old}`)).toMatchObject({ body: { code: 'CURSOR_EXPIRED' } });
});

it('a filter and a theme are changed only in the revision that was read', async ({ api }) => {
  const headers = { 'if-match': '"999"' };
  const stale = { status: 412, body: { code: 'PRECONDITION_FAILED' } };
  const { path } = await givenDashboard(api);
  const filter = await posted(api, `${path}/filters`, { fieldId: 'region', filterType: 'text' });
  expect(await api.as('editor').delete(`${path}/filters/${filter.id}`, { headers })).toMatchObject(stale);
  const tokens = { palette: ['#1f77b4'], fonts: { heading: 'sans', body: 'sans' }, radius: 8, dark: false };
  const theme = await api.as('owner').post('/api/themes', { name: 'House', tokens });
  expect(await api.as('owner').put(`/api/themes/${theme.body.id}`, { name: 'Other' }, { headers })).toMatchObject(
    stale,
  );
});
