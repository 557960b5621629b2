import { expect } from 'vitest';
import type { Api, Caller } from '../api.ts';
import { givenDataset } from './dataset.ts';
import { posted } from './model.ts';

export const ALERTS = '/api/dashboard-alerts';

/** A saved query over a dataset of four hosts, each with its load. */
export async function givenLoad(api: Api, loads: Readonly<Record<string, number | null>> = { a: 10, b: 20, c: 30 }) {
  const dataset = await loadHosts(api, loads);
  const query = await posted(api, '/api/saved-queries', {
    name: `Load ${crypto.randomUUID()}`,
    sql: 'SELECT host, load, label FROM hosts ORDER BY host',
  });
  return { dataset, queryId: query.id };
}

/** A run of the tests takes less. */
const HOUR_MS = 3_600_000;

/** The next version of the dataset. The platform does not announce it, so that only the test evaluates its alerts. */
export const loadHosts = (api: Api, loads: Readonly<Record<string, number | null>>) => {
  const rows = Object.entries(loads).map(([host, load], index) => `('${host}', ${load ?? 'NULL'}, 'label ${index}')`);
  const none = "SELECT '' AS host, 0 AS load, '' AS label WHERE false";
  const sql =
    rows.length === 0
      ? none
      : `SELECT host, load::INTEGER AS load, label FROM (VALUES ${rows.join(', ')}) t(host, load, label)`;
  return givenDataset(api, { name: 'hosts', sql, at: new Date(Date.now() + HOUR_MS) });
};

/** A condition on the largest load of the query. */
export const onLoad = (queryId: string, more: object = {}) => ({
  ...{ kind: 'field', source: { kind: 'savedQuery', id: queryId }, column: 'load', reduce: 'max' },
  ...{ operator: 'gt', threshold: 25 },
  ...more,
});

/** Without `onRefresh`, only the test evaluates it, and not the platform whenever its tick announces new versions. */
export async function givenAlert(api: Api, body: { condition: object; [member: string]: unknown }, caller?: Caller) {
  const alert = { name: `Alert ${crypto.randomUUID()}`, onRefresh: false, ...body };
  const reply = await (caller ?? api.as('editor')).post(ALERTS, alert);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return { ...reply.body, path: `${ALERTS}/${reply.body.id}` } as {
    id: string;
    path: string;
    ownerId: string;
    revision: number;
    [member: string]: unknown;
  };
}
