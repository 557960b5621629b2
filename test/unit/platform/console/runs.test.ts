import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { CAUSES } from '../../../../functions/platform/console/site/data/run-causes.ts';
import {
  firstToShow,
  groupsOf,
  nextFailed,
} from '../../../../functions/platform/console/site/screens/runs/step-groups.ts';
import { durationOf } from '../../../../functions/platform/console/site/ui/format.ts';

const step = (stepId: string, status: string, more: object = {}) =>
  ({ stepId, status, type: 'load', item: null, itemIndex: null, startedAt: null, finishedAt: null, ...more }) as never;

describe('why a step failed', () => {
  it('is said as in the guide', async () => {
    const guide = await readFile('docs/pipelines-operating.md', 'utf8');
    const part = guide.slice(guide.indexOf('## Why a step failed'), guide.indexOf('## Lineage'));
    const plain = (text: string) => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
    const rows = [...part.matchAll(/^\| `([A-Z_]+)` +\| (.*?) +\| (.*?) +\|$/gm)];
    expect(rows.length).toBeGreaterThan(20);
    expect(CAUSES).toEqual(
      Object.fromEntries(
        rows.map(([, code, happened, remedy]) => [code, { happened: plain(happened!), remedy: plain(remedy!) }]),
      ),
    );
  });
});

describe('the steps of a run', () => {
  it('begin with the one that failed first, else with one that runs', () => {
    const early = step('early', 'failed', { finishedAt: '2026-01-01T00:00:01Z' });
    const late = step('late', 'failed', { finishedAt: '2026-01-01T00:00:09Z' });
    const running = step('running', 'running');
    const done = step('done', 'succeeded');
    expect(firstToShow([done, late, running, early])).toBe(early);
    expect(firstToShow([done, running])).toBe(running);
    expect(firstToShow([done])).toBe(done);
    expect(firstToShow([])).toBeUndefined();
    expect(nextFailed([done, late, running, early], late)).toBe(early);
    expect(nextFailed([done, late, running, early], early)).toBe(late);
    expect(nextFailed([done], done)).toBeUndefined();
  });

  it('are grouped by their step, with the status that asks most for attention', () => {
    const groups = groupsOf({
      steps: [
        step('each', 'succeeded', { itemIndex: 0, item: 'a' }),
        step('each', 'failed', { itemIndex: 1, item: 'b' }),
        step('keep', 'skipped'),
      ],
      dependencies: { each: [], keep: ['each', 'gone'] },
    });
    expect(groups.map(({ stepId, status, dependsOn }) => [stepId, status, dependsOn])).toEqual([
      ['each', 'failed', []],
      ['keep', 'skipped', ['each']],
    ]);
  });
});

describe('durations', () => {
  it('are said in the unit that suits them', () => {
    expect([0, 49, 9_949, 9_950, 59_400, 59_600, 185_000, 7_440_000].map(durationOf)).toEqual([
      '0 ms',
      '49 ms',
      '9.9 s',
      '10 s',
      '59 s',
      '1 min 0 s',
      '3 min 5 s',
      '2 h 4 min',
    ]);
  });
});
