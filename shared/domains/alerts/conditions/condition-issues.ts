import { DEFAULT_THRESHOLD } from '../../../data/statistics/robust-baseline.ts';
import type { Issue } from '../../../platform/errors/app-error.ts';
import type { Check } from './check-value.ts';
import type { AlertCondition, MetricCondition } from './schemas.ts';
import type { StatePolicy } from './state-machine.ts';
import { CHANGE_OPERATORS, meets, type Operator, type Test, type Threshold } from './zones.ts';

const isChange = (operator: Operator): boolean => (CHANGE_OPERATORS as readonly string[]).includes(operator);
const takesRange = (operator: Operator): boolean => operator === 'between' || operator === 'outside';

const issue = (pointer: string, code: string, message: string): Issue => ({
  pointer: `/condition${pointer}`,
  code,
  message,
});

/** What is wrong with a condition by itself, without its source. Pointers begin with `/condition`. */
export function conditionIssues(condition: AlertCondition): Issue[] {
  return [
    ...thresholdIssues(condition),
    ...compareIssues(condition),
    ...recoverIssues(condition),
    ...(condition.kind === 'field' ? sourceIssues(condition) : periodIssues(condition)),
  ];
}

function thresholdIssues(condition: AlertCondition): Issue[] {
  const { operator, threshold, kind } = condition;
  const at = '/threshold';
  if (operator === 'is_behind_target') {
    if (kind === 'field')
      return [issue('/operator', 'NOT_A_METRIC', 'is for metrics only; choose another operator for a column')];
    return threshold === undefined ? [] : [issue(at, 'NOT_ALLOWED', 'is not used by is_behind_target; leave it out')];
  }
  if (threshold === undefined) return operator === 'unusual' ? [] : [issue(at, 'REQUIRED', 'is required')];
  if (typeof threshold === 'object' && !Array.isArray(threshold)) {
    const isFit = kind === 'metric' && !takesRange(operator) && !isChange(operator) && operator !== 'unusual';
    return isFit
      ? []
      : [
          issue(
            at,
            'NOT_ALLOWED',
            'can be the target only for metrics, with an operator that takes one value, such as `lt`',
          ),
        ];
  }
  if (takesRange(operator)) return rangeIssues(at, operator, threshold);
  if (typeof threshold !== 'number') return [issue(at, 'WRONG_TYPE', `must be one number for ${operator}`)];
  if (operator === 'unusual' && (threshold < 2 || threshold > 20))
    return [issue(at, 'OUT_OF_RANGE', 'must be between 2 and 20 robust standard deviations')];
  if (isChange(operator) && threshold < 0)
    return [issue(at, 'OUT_OF_RANGE', 'must not be negative; a decrease has a positive threshold too')];
  return [];
}

function rangeIssues(at: string, operator: string, threshold: number | readonly number[]): Issue[] {
  if (typeof threshold === 'number') return [issue(at, 'WRONG_TYPE', `must be two numbers for ${operator}`)];
  return threshold[0]! > threshold[1]! ? [issue(at, 'ORDER', 'must have the lower end first')] : [];
}

function compareIssues({ kind, operator, compare, ...condition }: AlertCondition): Issue[] {
  if (!isChange(operator)) {
    return compare
      ? [
          issue(
            '/compare',
            'NOT_ALLOWED',
            `is not used by ${operator}; leave it out, or choose increases_by, decreases_by or changes_by`,
          ),
        ]
      : [];
  }
  if (kind === 'metric') return [];
  const issues: Issue[] = [];
  if (compare && compare.to !== 'previous_run')
    issues.push(issue('/compare/to', 'NOT_A_METRIC', 'must be previous_run for columns, which have no periods'));
  if ('reduce' in condition && condition.reduce === 'any_row')
    issues.push(
      issue(
        '/reduce',
        'NOT_ALLOWED',
        'cannot be any_row for changes, because single rows have no earlier value; choose another one, such as sum',
      ),
    );
  return issues;
}

function recoverIssues({ operator, threshold, recover }: AlertCondition): Issue[] {
  if (!recover) return [];
  if (operator === 'unusual' || operator === 'is_behind_target')
    return [issue('/recover', 'NOT_ALLOWED', `is not used by ${operator}; leave it out`)];
  const at = '/recover/threshold';
  if (takesRange(recover.operator)) {
    const issues = rangeIssues(at, recover.operator, recover.threshold);
    if (issues.length > 0) return issues;
  } else if (typeof recover.threshold !== 'number') {
    return [issue(at, 'WRONG_TYPE', `must be one number for ${recover.operator}`)];
  }
  const fires = testOf(operator, threshold);
  if (!fires || !recoversWhereItFires(fires, recover as Test)) return [];
  return [
    issue(at, 'OVERLAPS', 'overlaps the values at which the alert fires; choose one on the other side of `threshold`'),
  ];
}

/** Undefined where the numbers are known only at the evaluation. */
function testOf(operator: Operator, threshold: AlertCondition['threshold']): Test | undefined {
  if (threshold === undefined || (typeof threshold === 'object' && !Array.isArray(threshold))) return undefined;
  const named = isChange(operator) ? 'gte' : operator;
  return { operator: named as Test['operator'], threshold: threshold as Threshold };
}

/** Whether some value meets both, looked for at the ends of both and around them. */
function recoversWhereItFires(fires: Test, recover: Test): boolean {
  const ends = [fires.threshold, recover.threshold].flat().sort((a, b) => a - b);
  const between = ends.slice(1).map((end, index) => (end + ends[index]!) / 2);
  const around = [ends[0]! - Math.max(1, Math.abs(ends[0]!)), ends.at(-1)! + Math.max(1, Math.abs(ends.at(-1)!))];
  return [...ends, ...between, ...around].some((value) => meets(value, fires) && meets(value, recover));
}

/** What a metric divides and waits for. */
function periodIssues({ operator, threshold, by, includePartial, settle }: MetricCondition): Issue[] {
  const issues: Issue[] = [];
  const isWhole =
    operator === 'unusual' || operator === 'is_behind_target' || (typeof threshold === 'object' && 'ref' in threshold);
  if (by && isWhole) {
    const message = 'is not for the target of a metric or for unusual, which are about the whole metric; leave it out';
    issues.push(issue('/by', 'NOT_ALLOWED', message));
  }
  if (settle && includePartial)
    issues.push(issue('/settle', 'NOT_ALLOWED', 'is for complete periods only; leave out it or `includePartial`'));
  return issues;
}

function sourceIssues({ source, reduce }: Extract<AlertCondition, { kind: 'field' }>): Issue[] {
  const { kind, dashboardId, params, query, filters } = source;
  const issues: Issue[] = [];
  const only = (name: string, isGiven: boolean, isFit: boolean, kinds: string) => {
    if (isGiven && !isFit) issues.push(issue(`/source/${name}`, 'NOT_ALLOWED', `is for ${kinds} only; leave it out`));
  };
  only('dashboardId', dashboardId !== undefined, kind === 'card', 'cards');
  only('filters', filters !== undefined, kind === 'card', 'cards');
  only('params', params !== undefined, kind === 'savedQuery', 'saved queries');
  const isAsked = ASKED_KINDS.has(kind);
  only('query', query !== undefined, isAsked, 'models, datasets and blends');
  if (kind === 'card' && dashboardId === undefined)
    issues.push(issue('/source/dashboardId', 'REQUIRED', 'is required for cards'));
  if (isAsked && query === undefined && !(reduce in PUSHED))
    issues.push(
      issue('/source/query', 'REQUIRED', `is required for ${reduce}, which is computed from the rows of a query`),
    );
  return issues;
}

/** The kinds of sources that answer a question, and so can reduce rows themselves. */
export const ASKED_KINDS: ReadonlySet<string> = new Set(['model', 'dataset', 'blend']);

/** The reducers that such a source computes itself, by the name of its aggregation. */
export const PUSHED: Readonly<Record<string, 'sum' | 'avg' | 'min' | 'max' | 'count'>> = {
  sum: 'sum',
  avg: 'avg',
  min: 'min',
  max: 'max',
  count: 'count',
};

/** The condition as it is checked. `target` is the value of the metric's target, if it has one. */
export function checkOf(condition: AlertCondition, target: number | null = null): Check {
  const { operator, threshold, recover, compare } = condition;
  const isTarget = typeof threshold === 'object' && !Array.isArray(threshold);
  const fallback = operator === 'unusual' ? DEFAULT_THRESHOLD : null;
  return {
    operator,
    threshold: isTarget ? target : ((threshold ?? fallback) as Threshold | null),
    recover: (recover as Test | undefined) ?? null,
    unit: compare?.unit ?? 'percent',
  };
}

export function policyOf(condition: AlertCondition, { repeatMs }: { repeatMs: number | null }): StatePolicy {
  const { for: breaches = 1, recoverFor = 1, noData = 'keep' } = condition;
  return { for: breaches, recoverFor, noData, repeatMs };
}
