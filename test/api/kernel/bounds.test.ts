import { expect } from 'vitest';
import { it } from '../../support/api.ts';
import { dagOf, givenPipeline, sql } from '../pipelines/given.ts';

it('rejects a schedule whose texts are too long, wherever it can be set', async ({ api }) => {
  const long = { cron: `${'1,'.repeat(100_000)}1 * * * *`, timezone: 'x'.repeat(100_000) };
  const { id } = await givenPipeline(api, dagOf(sql('one', 'SELECT 1 AS id')));
  const issues = (place: string) => [
    { pointer: `${place}/cron`, code: 'MAX_LENGTH' },
    { pointer: `${place}/timezone`, code: 'MAX_LENGTH' },
  ];
  const editor = api.as('editor');
  const direct = await editor.put(`/api/pipelines/${id}/schedule`, long);
  expect(direct).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', errors: issues('') } });
  const beside = await editor.patch(`/api/pipelines/${id}`, { schedule: long });
  expect(beside).toMatchObject({ status: 400, body: { errors: issues('/schedule') } });
  const inside = await editor.post(`/api/pipelines/${id}/validate`, {
    dag: { ...dagOf(sql('one', 'SELECT 1 AS id')), schedule: long },
  });
  expect(inside.body.issues).toMatchObject(
    issues('/dag/schedule').map(({ pointer, code }) => ({ path: pointer, code })),
  );
});

it('ends a page before it is too large for a reply, and goes on after it without a gap', async ({ api }) => {
  const large = (pipeline: number) =>
    dagOf(
      ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((step) =>
        sql(`s${step}`, `SELECT ${pipeline} AS n /*${'x'.repeat(95_000)}*/`),
      ),
    );
  const ids: string[] = [];
  for (const pipeline of [1, 2, 3, 4, 5, 6, 7]) ids.unshift((await givenPipeline(api, large(pipeline))).id);
  for (const sort of ['-createdAt', '-updatedAt', 'createdAt']) {
    const found: string[] = [];
    let pages = 0;
    for (let offset = 0; offset < ids.length; pages++) {
      const { status, body } = await api.as('viewer').get(`/api/pipelines?limit=50&offset=${offset}&sort=${sort}`);
      expect(status, JSON.stringify(body).slice(0, 300)).toBe(200);
      expect(body.total).toBe(7);
      found.push(...body.items.map((item: { id: string }) => item.id));
      offset += body.limit;
    }
    expect(found).toEqual(sort === 'createdAt' ? ids.toReversed() : ids);
    expect(pages).toBe(2);
  }
});
