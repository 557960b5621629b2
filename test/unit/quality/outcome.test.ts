import { describe, expect, it } from 'vitest';
import { configIssues } from '../../../shared/data/quality/config-issues.ts';
import { outcomeOf, passRateOf } from '../../../shared/data/quality/outcome.ts';
import type { QualityTest } from '../../../shared/data/quality/tests.ts';

const rows = (evaluatedRows: number, failedRows: number) => ({
  evaluatedRows,
  failedRows,
  compiled: { kind: 'rows' as const },
});
const test = (config: object) => ({ type: 'not_null', column: 'a', config }) as QualityTest;

describe('the outcome of a test', () => {
  it.each<[string, object, [number, number], string]>([
    ['no row may fail by default', {}, [100, 1], 'failed'],
    ['all rows pass', {}, [100, 0], 'passed'],
    ['mostly is a share that must pass', { mostly: 0.99 }, [100, 1], 'passed'],
    ['mostly is missed', { mostly: 0.99 }, [100, 2], 'failed'],
    ['maxNullPct may be reached', { maxNullPct: 1 }, [100, 1], 'passed'],
    ['maxNullPct may not be exceeded', { maxNullPct: 1 }, [100, 2], 'failed'],
    ['a percentage is exact', { maxNullPct: 0.57 }, [10_000, 57], 'passed'],
    ['failAt fails once it is reached', { failAt: 2 }, [100, 2], 'failed'],
    ['below failAt a test passes', { failAt: 2 }, [100, 1], 'passed'],
    ['warnAt warns between the two', { warnAt: 1, failAt: 2 }, [100, 1], 'warned'],
    ['warnAt alone never fails', { warnAt: 1 }, [100, 100], 'warned'],
    ['failAt of 0 lets no row fail, and passes without one', { failAt: 0 }, [100, 0], 'passed'],
    ['maxFailing counts rows', { maxFailing: 2 }, [100, 2], 'passed'],
    ['maxFailing is exceeded', { maxFailing: 2 }, [100, 3], 'failed'],
    ['an empty table is skipped', {}, [0, 0], 'skipped'],
    ['an empty table can fail', { onEmpty: 'fail' }, [0, 0], 'failed'],
    ['an empty table can pass', { onEmpty: 'pass' }, [0, 0], 'passed'],
  ])('%s', (_title, config, [evaluated, failed], expected) => {
    expect(outcomeOf(test(config), rows(evaluated, failed))).toBe(expected);
  });

  it('of a whole table is whether there is an issue', () => {
    const count = { evaluatedRows: 0, failedRows: 0, compiled: { kind: 'count' as const } };
    expect(outcomeOf(test({}), count)).toBe('passed');
    expect(outcomeOf(test({}), { ...count, issue: '0 rows are fewer than 1.' })).toBe('failed');
    expect(passRateOf(count)).toBeNull();
  });

  it('has a pass rate between 0 and 1, even if a statement returns more rows than the table has', () => {
    expect(passRateOf(rows(8, 2))).toBe(0.75);
    expect(passRateOf(rows(2, 8))).toBe(0);
    expect(passRateOf(rows(0, 0))).toBeNull();
  });

  it('allows one limit beside warnAt', () => {
    expect(configIssues(test({ mostly: 0.5, maxNullPct: 3 }), '/config')).toMatchObject([
      { pointer: '/config/maxNullPct', code: 'NOT_ALLOWED' },
    ]);
    expect(configIssues(test({ warnAt: 3, failAt: 2 }), '/config')).toMatchObject([{ pointer: '/config/warnAt' }]);
    expect(configIssues(test({ warnAt: 1, failAt: 2 }), '/config')).toEqual([]);
  });
});
