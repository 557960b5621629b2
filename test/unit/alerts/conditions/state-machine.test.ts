import { describe, expect, it } from 'vitest';
import {
  type Finding,
  type InstanceState,
  newInstance,
  type StatePolicy,
  step,
} from '../../../../shared/domains/alerts/conditions/index.ts';

const T0 = '2026-03-01T08:00:00.000Z';
const T1 = '2026-03-01T09:00:00.000Z';

const usual: StatePolicy = { for: 1, recoverFor: 1, noData: 'keep', repeatMs: null };
const episode = { id: T0, firedAt: T0, notifiedAt: T0 };
const error: Finding = { kind: 'error', error: { code: 'QUERY_TIMEOUT', message: 'too slow' } };

const BEFORE: Record<string, Partial<InstanceState>> = {
  unknown: {},
  ok: { state: 'ok' },
  pending: { state: 'pending', count: 1 },
  triggered: { state: 'triggered', episode },
  recovering: { state: 'recovering', count: 1, episode },
};

const found = (kind: 'breach' | 'band' | 'clear' | 'none'): Finding => ({ kind });

/** The state before, the finding, members of the policy, then the state, the count and the edges afterwards. */
type Row = [keyof typeof BEFORE, Finding, Partial<StatePolicy>, InstanceState['state'], number, string[]];

const rows: Row[] = [];
for (const before of ['unknown', 'ok'] as const) {
  rows.push(
    [before, found('breach'), {}, 'triggered', 0, ['fire']],
    [before, found('breach'), { for: 2 }, 'pending', 1, []],
    [before, found('band'), {}, 'ok', 0, []],
    [before, found('clear'), {}, 'ok', 0, []],
    [before, found('none'), { noData: 'keep' }, before, 0, []],
    [before, found('none'), { noData: 'ok' }, 'ok', 0, []],
    [before, found('none'), { noData: 'alert' }, 'triggered', 0, ['no_data', 'fire']],
    [before, found('none'), { noData: 'alert', for: 2 }, 'pending', 1, ['no_data']],
    [before, error, {}, before, 0, []],
  );
}
rows.push(
  ['pending', found('breach'), { for: 2 }, 'triggered', 0, ['fire']],
  ['pending', found('breach'), { for: 3 }, 'pending', 2, []],
  ['pending', found('band'), { for: 2 }, 'ok', 0, []],
  ['pending', found('clear'), { for: 2 }, 'ok', 0, []],
  ['pending', found('none'), { for: 2, noData: 'keep' }, 'pending', 1, []],
  ['pending', found('none'), { for: 2, noData: 'ok' }, 'ok', 0, []],
  ['pending', found('none'), { for: 2, noData: 'alert' }, 'triggered', 0, ['no_data', 'fire']],
  ['pending', found('none'), { for: 3, noData: 'alert' }, 'pending', 2, ['no_data']],
  ['pending', error, { for: 2 }, 'pending', 1, []],
  ['triggered', found('breach'), {}, 'triggered', 0, []],
  ['triggered', found('breach'), { repeatMs: 3_600_000 }, 'triggered', 0, ['repeat']],
  ['triggered', found('breach'), { repeatMs: 3_600_001 }, 'triggered', 0, []],
  ['triggered', found('band'), { repeatMs: 3_600_000 }, 'triggered', 0, []],
  ['triggered', found('clear'), {}, 'ok', 0, ['recover']],
  ['triggered', found('clear'), { recoverFor: 2 }, 'recovering', 1, []],
  ['triggered', found('none'), { noData: 'keep', repeatMs: 1 }, 'triggered', 0, []],
  ['triggered', found('none'), { noData: 'ok' }, 'ok', 0, ['recover']],
  ['triggered', found('none'), { noData: 'alert', repeatMs: 3_600_000 }, 'triggered', 0, ['no_data', 'repeat']],
  ['triggered', error, { repeatMs: 1 }, 'triggered', 0, []],
  ['recovering', found('breach'), { recoverFor: 2 }, 'triggered', 0, []],
  ['recovering', found('band'), { recoverFor: 2 }, 'triggered', 0, []],
  ['recovering', found('clear'), { recoverFor: 2 }, 'ok', 0, ['recover']],
  ['recovering', found('clear'), { recoverFor: 3 }, 'recovering', 2, []],
  ['recovering', found('none'), { recoverFor: 2, noData: 'keep' }, 'recovering', 1, []],
  ['recovering', found('none'), { recoverFor: 2, noData: 'ok' }, 'ok', 0, ['recover']],
  ['recovering', found('none'), { recoverFor: 2, noData: 'alert' }, 'triggered', 0, ['no_data']],
  ['recovering', error, { recoverFor: 2 }, 'recovering', 1, []],
);

describe('The table of transitions', () => {
  it.each(rows)('%s, %o, %o: %s %i %o', (before, finding, policy, state, count, edges) => {
    const given = { ...newInstance(T0), ...BEFORE[before] };
    const { next, edges: made } = step(given, finding, T1, { ...usual, ...policy });
    expect({ state: next.state, count: next.count, edges: made }).toEqual({ state, count, edges });
  });

  it('keeps the episode from the firing to the recovery, and gives the next firing another one', () => {
    const fired = step(newInstance(T0), found('breach'), T0, usual).next;
    expect(fired.episode).toEqual(episode);
    const wavered = step({ ...fired, state: 'recovering', count: 1 }, found('breach'), T1, { ...usual, recoverFor: 2 });
    expect(wavered.next.episode).toEqual(episode);
    const over = step(fired, found('clear'), T1, usual).next;
    expect(over.episode).toBeNull();
    expect(step(over, found('breach'), T1, usual)).toMatchObject({ edges: ['fire'], next: { episode: { id: T1 } } });
  });
});

describe('Health', () => {
  it('reports an error after the second failed evaluation in a row, once, and its end', () => {
    let state = newInstance(T0);
    const edges = [error, error, error, found('clear'), error, found('clear')].map((finding) => {
      const moved = step(state, finding, T1, usual);
      state = moved.next;
      return moved.edges;
    });
    expect(edges).toEqual([[], ['error'], [], ['error_over'], [], []]);
  });

  it('keeps an error apart from the state, with its beginning', () => {
    const triggered = { ...newInstance(T0), ...BEFORE.triggered };
    const failed = step(triggered, error, T1, usual).next;
    expect(failed).toMatchObject({ state: 'triggered', health: 'error', healthSince: T1, episode });
    expect(failed.error).toEqual({ code: 'QUERY_TIMEOUT', message: 'too slow' });
    const again = step(failed, found('breach'), T1, usual).next;
    expect(again).toMatchObject({ state: 'triggered', health: 'ok', error: null });
  });

  it('tells the owner when values are missing and when they are back only if absent values alert', () => {
    const missing = step({ ...newInstance(T0), state: 'ok' }, found('none'), T1, usual);
    expect(missing).toMatchObject({ edges: [], next: { health: 'no_data', healthSince: T1, state: 'ok' } });
    const alerting = { ...usual, noData: 'alert' as const, for: 2 };
    const told = step({ ...newInstance(T0), state: 'ok' }, found('none'), T1, alerting);
    expect(told.edges).toEqual(['no_data']);
    expect(step(told.next, found('clear'), T1, alerting).edges).toEqual(['data_back']);
  });

  it('tells of an error that ends in missing values', () => {
    const failing = { ...newInstance(T0), health: 'error' as const, errors: 2 };
    expect(step(failing, found('none'), T1, usual)).toMatchObject({
      edges: ['error_over'],
      next: { health: 'no_data' },
    });
  });
});
