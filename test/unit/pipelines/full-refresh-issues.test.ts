import { expect, it } from 'vitest';
import type { Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { fullRefreshIssues } from '../../../shared/domains/pipelines/definition/full-refresh.ts';

const extract = (id: string, object: object, mode: string): Step => ({ id, type: 'extract', config: { object, mode } });
const dag = {
  steps: [
    extract('rows', { table: 'orders' }, 'incremental'),
    extract('all', { table: 'orders' }, 'full'),
    extract('changes', { stream: 'orders', table: 'orders' }, 'incremental'),
  ],
};
const places = (fullRefresh: true | string[] | undefined) =>
  fullRefreshIssues(dag, fullRefresh).map(({ pointer, code }) => `${pointer} ${code}`);

it('accepts incremental extracts, and rejects others and those of CDC streams', () => {
  expect(places(undefined)).toEqual([]);
  expect(places(['rows'])).toEqual([]);
  expect(places(['rows', 'all', 'changes', 'none'])).toEqual([
    '/fullRefresh/1 NOT_INCREMENTAL',
    '/fullRefresh/2 NOT_ALLOWED',
    '/fullRefresh/3 STEP_UNKNOWN',
  ]);
  expect(places(true)).toEqual(['/fullRefresh NOT_ALLOWED']);
});
