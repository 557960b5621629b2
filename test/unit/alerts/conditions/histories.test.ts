import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advance,
  type ClassState,
  type Finding,
  type GroupFinding,
  newClassState,
  stepsWithoutQuery,
} from '../../../../shared/domains/alerts/conditions/index.ts';
import { cases } from '../../../support/cases.ts';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-03-01T00:00:00.000Z');
const instant = (hour: number) => new Date(START + hour * HOUR_MS).toISOString();

const kinds = ['breach', 'band', 'clear', 'none', 'error'] as const;
const findingOf = (kind: (typeof kinds)[number]): Finding =>
  kind === 'error' ? { kind, error: { code: 'QUERY_FAILED', message: 'it failed' } } : { kind };
const found = (kind: (typeof kinds)[number], group = ''): GroupFinding => ({
  group,
  finding: findingOf(kind),
  value: kind === 'none' || kind === 'error' ? null : 1,
});

const policies = fc.record({
  for: fc.integer({ min: 1, max: 3 }),
  recoverFor: fc.integer({ min: 1, max: 3 }),
  noData: fc.constantFrom('keep' as const, 'ok' as const, 'alert' as const),
  repeatMs: fc.constantFrom(null, HOUR_MS, 3 * HOUR_MS),
  isSnoozed: fc.constant(false),
});

/** A second, plain account of the rules: whether it is firing, from the sequence of findings alone. */
function model(
  sequence: readonly (typeof kinds)[number][],
  policy: { for: number; recoverFor: number; noData: string },
) {
  const edges: string[] = [];
  let [isFiring, breaches, clears] = [false, 0, 0];
  sequence.forEach((kind, hour) => {
    const meaning = kind === 'none' ? { keep: undefined, ok: 'clear', alert: 'breach' }[policy.noData] : kind;
    if (meaning === undefined || meaning === 'error') return;
    breaches = meaning === 'breach' ? breaches + 1 : 0;
    clears = meaning === 'clear' ? clears + 1 : 0;
    if (!isFiring && breaches >= policy.for) {
      isFiring = true;
      edges.push(`fire ${hour}`);
    } else if (isFiring && clears >= policy.recoverFor) {
      isFiring = false;
      edges.push(`recover ${hour}`);
    }
  });
  return edges;
}

describe('Histories of evaluations', () => {
  it('have exactly the edges of the model, however triggers are doubled, late and reordered', () => {
    const histories = fc.record({
      policy: policies,
      sequence: fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 25 }),
      noise: fc.infiniteStream(fc.nat(99)),
    });
    fc.assert(
      fc.property(histories, ({ policy, sequence, noise }) => {
        let state: ClassState = newClassState();
        const edges: string[] = [];
        const accepted: (typeof kinds)[number][] = [];
        const apply = (hour: number, isKilled: boolean) => {
          const moved = advance(state, { at: instant(hour), findings: [found(sequence[hour]!)] }, policy);
          // A worker that is killed before its write leaves nothing; its message comes again.
          if (!moved || isKilled) return;
          state = moved.next;
          accepted[hour] = sequence[hour]!;
          const told = moved.edges.filter(({ edge }) => edge === 'fire' || edge === 'recover');
          edges.push(...told.map(({ edge }) => `${edge} ${hour}`));
        };
        for (const [hour] of sequence.entries()) {
          for (let again = 0; again < 3; again++) {
            const dice = noise.next().value!;
            if (again > 0 && dice < 50) continue;
            apply(hour, again === 0 && dice < 20);
            // An earlier one comes late.
            if (dice >= 80) apply(Math.floor((hour * dice) / 100), false);
          }
          apply(hour, false);
        }
        expect(accepted).toEqual(sequence);
        expect(edges).toEqual(model(sequence, policy));
      }),
      { numRuns: cases(200, 1_000) },
    );
  });

  it('repeat at most once in each interval, and only while the condition is met', () => {
    fc.assert(
      fc.property(policies, fc.array(fc.constantFrom(...kinds), { maxLength: 25 }), (policy, sequence) => {
        let state = newClassState();
        let lastNotice = Number.NEGATIVE_INFINITY;
        for (const [hour, kind] of sequence.entries()) {
          const moved = advance(state, { at: instant(hour), findings: [found(kind)] }, policy)!;
          state = moved.next;
          for (const { edge } of moved.edges) {
            if (edge === 'fire') lastNotice = hour;
            if (edge !== 'repeat') continue;
            expect((hour - lastNotice) * HOUR_MS).toBeGreaterThanOrEqual(policy.repeatMs!);
            expect(kind === 'breach' || (kind === 'none' && policy.noData === 'alert')).toBe(true);
            lastNotice = hour;
          }
        }
      }),
      { numRuns: cases(200, 1_000) },
    );
  });
});

describe('Groups', () => {
  const policy = { for: 1, recoverFor: 1, noData: 'ok', repeatMs: null, isSnoozed: false } as const;

  it('have states of their own: the second one fires while the first is triggered', () => {
    const first = advance(
      newClassState(),
      { at: instant(1), findings: [found('breach', 'a'), found('clear', 'b')] },
      policy,
    )!;
    expect(first.edges).toEqual([{ group: 'a', edge: 'fire' }]);
    const second = advance(
      first.next,
      { at: instant(2), findings: [found('breach', 'a'), found('breach', 'b')] },
      policy,
    )!;
    expect(second.edges).toEqual([{ group: 'b', edge: 'fire' }]);
  });

  it('that have gone have no value, and are forgotten once they are quiet', () => {
    const first = advance(
      newClassState(),
      { at: instant(1), findings: [found('breach', 'a'), found('clear', 'b')] },
      policy,
    )!;
    const gone = advance(first.next, { at: instant(2), findings: [found('clear', 'b')] }, policy)!;
    expect(gone.edges).toEqual([{ group: 'a', edge: 'recover' }]);
    expect(Object.keys(gone.next.groups)).toEqual(['b']);
  });

  it('all have the error of the query, which changes no state', () => {
    const first = advance(
      newClassState(),
      { at: instant(1), findings: [found('breach', 'a'), found('clear', 'b')] },
      policy,
    )!;
    const failed = advance(first.next, { at: instant(2), findings: [found('error')] }, policy)!;
    expect(Object.values(failed.next.groups)).toMatchObject([
      { state: 'triggered', health: 'error', value: 1 },
      { state: 'ok', health: 'error', value: 1 },
    ]);
  });
});

describe('A snooze', () => {
  const policy = { for: 1, recoverFor: 1, noData: 'keep', repeatMs: null, isSnoozed: false } as const;
  const at = (hour: number, kind: (typeof kinds)[number]) => ({ at: instant(hour), findings: [found(kind)] });

  it('lets states go on in silence, and ends with one summary', () => {
    const asleep = { ...policy, isSnoozed: true };
    const fired = advance(newClassState(), at(1, 'breach'), asleep)!;
    expect(fired).toMatchObject({
      edges: [],
      next: { groups: { '': { state: 'triggered', silenced: { fires: 1, recovers: 0 } } } },
    });
    const woke = advance(fired.next, at(2, 'breach'), policy)!;
    expect(woke.edges).toEqual([{ group: '', edge: 'woke', silenced: { fires: 1, recovers: 0 } }]);
    expect(advance(woke.next, at(3, 'breach'), policy)!.edges).toEqual([]);
  });

  it('leaves nothing to sum up if nothing happened', () => {
    const quiet = advance(newClassState(), at(1, 'clear'), { ...policy, isSnoozed: true })!;
    expect(advance(quiet.next, at(2, 'clear'), policy)!.edges).toEqual([]);
  });
});

describe('Unchanged data', () => {
  const policy = { for: 3, recoverFor: 1, noData: 'keep', repeatMs: null, isSnoozed: false } as const;

  it('needs no step while the state is at rest', () => {
    const quiet = advance(newClassState(), { at: instant(1), findings: [found('clear')] }, policy)!;
    expect(stepsWithoutQuery(quiet.next, policy)).toBeUndefined();
  });

  it('goes on with what was found before while the state waits', () => {
    const pending = advance(newClassState(), { at: instant(1), findings: [found('breach')] }, policy)!;
    const findings = stepsWithoutQuery(pending.next, policy)!;
    expect(findings).toEqual([found('breach')]);
    expect(advance(pending.next, { at: instant(2), findings }, policy)!.next.groups['']).toMatchObject({ count: 2 });
  });
});
