import { describe, expect } from 'vitest';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import { type Api, it } from '../../../support/api.ts';
import { sample } from '../../../support/cases.ts';
import type { Reply } from '../../../support/conformance.ts';
import { readCorpus } from '../../../support/corpus.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { ATTACKS, MANY_FAULTS, RUNAWAYS } from './corpus/attacks.ts';
import { TABLES } from './corpus/tables.ts';

const KNOWN = readCorpus(new URL('../../../unit/data/sql/corpus/hostile.sql', import.meta.url));
const run = (api: Api, sql: string, more: object = {}) => api.as('editor').post('/api/query', { sql, ...more });

const givenTables = (api: Api) =>
  Promise.all(Object.entries(TABLES).map(([name, sql]) => givenDataset(api, { name, sql })));

/** What only files, settings and the environment of the machine hold. */
const leaks = ({ body }: Reply) => /root:x:|AWS_SECRET_ACCESS_KEY=|"temp_directory"/.test(JSON.stringify(body));

async function isUnharmed(api: Api): Promise<void> {
  expect((await run(api, 'SELECT count(*), sum(id) FROM orders')).body.rows).toEqual([[200, '20100']]);
}

describe('POST /api/query', () => {
  it('refuses every attack of the corpus with the code that says why, at its place', async ({ api }) => {
    await givenTables(api);
    const attacks = Object.entries(ATTACKS).flatMap(([code, texts]) => texts.map((sql) => ({ code, sql })));
    expect(attacks.length).toBeGreaterThanOrEqual(150);
    const wrong: unknown[] = [];
    await inParallel(4, attacks, async ({ code, sql }) => {
      const startedAt = performance.now();
      const reply = await run(api, sql);
      const ms = performance.now() - startedAt;
      const pointsAt = reply.body.errors?.[0]?.pointer === '/sql';
      if (reply.status !== 400 || reply.body.code !== code || !pointsAt || ms > 20_000 || leaks(reply))
        wrong.push({ sql: sql.slice(0, 200), expected: code, ms, status: reply.status, code: reply.body.code });
    });
    expect(wrong).toEqual([]);
    await isUnharmed(api);
  });

  it("refuses statements of the gate's own corpus as well, of which its own test knows every one", async ({ api }) => {
    await givenTables(api);
    const accepted: string[] = [];
    const some = sample(KNOWN, (_sql, index) => index % 8 === 0);
    await inParallel(4, some, async (sql) => {
      const reply = await run(api, sql);
      if (reply.status !== 400 || leaks(reply)) accepted.push(sql);
    });
    expect(accepted).toEqual([]);
    await isUnharmed(api);
  });

  it('names the first issues of a text that holds thousands, at once', async ({ api }) => {
    for (const sql of MANY_FAULTS) {
      const reply = await run(api, sql);
      expect(reply.status).toBe(400);
      expect(reply.body.errors).toHaveLength(50);
    }
  });

  it('ends every runaway within its limits, and others get their answers meanwhile', async ({ api }) => {
    await givenTables(api);
    const wrong: unknown[] = [];
    let others = 0;
    await inParallel(2, RUNAWAYS, async (sql) => {
      const startedAt = performance.now();
      const [stopped, other] = await Promise.all([
        run(api, sql, { timeoutMs: 400 }),
        run(api, 'SELECT count(*) FROM orders'),
      ]);
      const ms = performance.now() - startedAt;
      if (other.body.rows?.[0]?.[0] === 200) others += 1;
      const isStopped = ['QUERY_TIMEOUT', 'QUERY_TOO_HEAVY', 'SQL_ERROR', 'RESULT_TOO_LARGE'].includes(
        stopped.body.code,
      );
      if (!isStopped || ms > 8000)
        wrong.push({
          sql,
          ms,
          status: stopped.status,
          code: stopped.body.code,
          rows: stopped.body.rows,
          detail: stopped.body.detail,
        });
    });
    expect(wrong).toEqual([]);
    expect(others).toBe(RUNAWAYS.length);
    await isUnharmed(api);
  });
});
