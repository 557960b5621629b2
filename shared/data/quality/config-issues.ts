import type { Issue } from '../../platform/errors/app-error.ts';
import { isDateBound, isReversed } from './dates.ts';
import type { QualityTest, TestConfig } from './tests.ts';

/** Issues of settings whose shape is valid. */
export function configIssues(test: QualityTest, at: string): Issue[] {
  return [...limitIssues(test, at), ...settingIssues(test, at)];
}

/** Several limits of failing rows would contradict each other. */
function limitIssues({ config }: QualityTest, at: string): Issue[] {
  const given = ['failAt', 'mostly', 'maxNullPct', 'maxFailing'].filter((name) => name in config);
  const { warnAt, failAt } = config as { warnAt?: number; failAt?: number };
  const isNever = warnAt !== undefined && failAt !== undefined && warnAt >= failAt;
  return [
    ...given
      .slice(1)
      .map((name) => issue(`${at}/${name}`, 'NOT_ALLOWED', `cannot be combined with ${given[0]}; remove one`)),
    ...(isNever ? [issue(`${at}/warnAt`, 'RANGE_REVERSED', 'must be less than failAt')] : []),
  ];
}

function settingIssues(test: QualityTest, at: string): Issue[] {
  switch (test.type) {
    case 'value_range':
      return [...rangeIssues(test.config, at), ...emptyIssues(test.config, at)];
    case 'date_range':
      return [...rangeIssues(test.config, at), ...dateIssues(test.config, at)];
    case 'row_count': {
      const { min, max, comparePrevious } = test.config;
      return min === undefined && max === undefined && !comparePrevious
        ? [issue(at, 'REQUIRED', 'must have min, max or comparePrevious')]
        : reversedIssues({ min, max }, at);
    }
    case 'regex':
      return /\(\?(=|!|<=|<!)|\\[1-9]/.test(test.config.pattern)
        ? [issue(`${at}/pattern`, 'PATTERN', 'must not use lookaround or backreferences, which RE2 does not support')]
        : [];
    case 'allowed_values': {
      const { values, query } = test.config;
      if (values && query !== undefined)
        return [issue(`${at}/query`, 'NOT_ALLOWED', 'cannot be combined with values; remove one')];
      return values || query !== undefined ? [] : [issue(`${at}/values`, 'REQUIRED', 'must have values or query')];
    }
    case 'no_future_date':
      return isZone(test.config.timezone)
        ? []
        : [issue(`${at}/timezone`, 'UNKNOWN_TIMEZONE', 'must be an IANA name such as Europe/Berlin')];
    default:
      return [];
  }
}

function rangeIssues({ min, max }: { min?: unknown; max?: unknown }, at: string): Issue[] {
  if (min === undefined && max === undefined) return [issue(at, 'REQUIRED', 'must have min or max')];
  return reversedIssues({ min, max }, at);
}

/** Compares numbers only; `dateIssues` compares dates. */
function reversedIssues({ min, max }: { min?: unknown; max?: unknown }, at: string): Issue[] {
  const isReversed = typeof min === 'number' && typeof max === 'number' && min > max;
  return isReversed ? [issue(`${at}/max`, 'RANGE_REVERSED', 'must not be less than min')] : [];
}

/** Equal bounds that are not inclusive admit no value. */
function emptyIssues({ min, max, inclusive = true }: TestConfig<'value_range'>, at: string): Issue[] {
  const isEmpty = !inclusive && min !== undefined && min === max;
  return isEmpty ? [issue(`${at}/max`, 'RANGE_EMPTY', 'must be greater than min unless the range is inclusive')] : [];
}

function dateIssues({ min, max }: TestConfig<'date_range'>, at: string): Issue[] {
  const issues = Object.entries({ min, max }).flatMap(([name, bound]) =>
    bound === undefined || isDateBound(bound)
      ? []
      : [issue(`${at}/${name}`, 'DATE_INVALID', 'must be a date or an instant')],
  );
  if (issues.length > 0 || min === undefined || max === undefined || !isReversed(min, max)) return issues;
  return [issue(`${at}/max`, 'RANGE_REVERSED', 'must not be before min')];
}

function isZone(name: string | undefined): boolean {
  if (name === undefined) return true;
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

const issue = (pointer: string, code: string, message: string): Issue => ({ pointer, code, message });
