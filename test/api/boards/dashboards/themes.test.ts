import { expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { issuesOf } from '../../../support/given/model.ts';

const tokens = { palette: ['#1f77b4'], fonts: { heading: 'serif', body: 'sans' }, radius: 8, dark: false };

it('themes are made by admins; one of them is the default and stays', async ({ api }) => {
  const owner = api.as('owner');
  const made = await owner.post('/api/themes', { name: 'House', tokens });
  expect(made).toMatchObject({ status: 201, body: { name: 'House', tokens, isDefault: false, revision: 1 } });
  const path = `/api/themes/${made.body.id}`;
  expect(await api.as('viewer').get(path)).toMatchObject({ status: 200, body: made.body });
  expect(await api.as('editor').put(path, { name: 'x' })).toMatchObject({ status: 403 });
  const { body: other } = await owner.post('/api/themes', { name: 'Dark', tokens: { ...tokens, dark: true } });
  const taken = { status: 409, body: { code: 'THEME_NAME_TAKEN' } };
  expect(await owner.post('/api/themes', { name: 'HOUSE', tokens })).toMatchObject(taken);
  expect(await owner.put(path, { name: 'dark' })).toMatchObject(taken);
  expect(await owner.put(path, { tokens: { ...tokens, radius: 0 } }, { headers: { 'if-match': '"1"' } })).toMatchObject(
    {
      status: 200,
      body: { name: 'House', tokens: { radius: 0 }, revision: 2 },
    },
  );
  expect((await owner.delete(path, { headers: { 'if-match': '"1"' } })).status).toBe(412);

  expect(await owner.post(`${path}/default`)).toMatchObject({ status: 200, body: { isDefault: true } });
  expect(await owner.delete(path)).toMatchObject({ status: 409, body: { code: 'THEME_IS_DEFAULT' } });
  expect(await owner.post(`/api/themes/${other.id}/default`)).toMatchObject({ status: 200 });
  const list = await api.as('viewer').get('/api/themes');
  expect(list.body.items).toMatchObject([
    { name: 'Dark', isDefault: true },
    { name: 'House', isDefault: false },
  ]);
  expect((await api.as('viewer').get('/api/themes?search=hou')).body.total).toBe(1);
  expect(await owner.get('/api/themes?offset=20000')).toMatchObject({ body: { code: 'OFFSET_TOO_LARGE' } });
  expect((await owner.delete(path)).status).toBe(204);
  const notFound = { status: 404, body: { code: 'THEME_NOT_FOUND' } };
  for (const reply of [
    await owner.get(path),
    await owner.put(path, {}),
    await owner.delete(path),
    await owner.post(`${path}/default`),
    await api.as('stranger').get(`/api/themes/${other.id}`),
  ]) {
    expect(reply).toMatchObject(notFound);
  }
});

it('themes hold colors, fonts and numbers, never style sheets', async ({ api }) => {
  const create = async (more: object) =>
    issuesOf(await api.as('owner').post('/api/themes', { name: 'x', tokens: { ...tokens, ...more } }));
  const places = async (more: object) => [...new Set((await create(more)).map((issue) => issue.split(' ')[0]))];
  expect(await places({ palette: ['red'] })).toEqual(['/tokens/palette/0']);
  expect(await places({ palette: ['url(https://example.com)'] })).toEqual(['/tokens/palette/0']);
  expect(await places({ palette: [] })).toEqual(['/tokens/palette']);
  expect(await places({ fonts: { heading: 'sans; } body {', body: 'sans' } })).toEqual(['/tokens/fonts/heading']);
  expect(await places({ radius: 99 })).toEqual(['/tokens/radius']);
  expect(await places({ css: 'body{}' })).toEqual(['/tokens/css']);
});
