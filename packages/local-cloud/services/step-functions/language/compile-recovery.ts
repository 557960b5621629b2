import { type Fields, MAX_SECONDS } from './diagnostics.ts';
import type { Catcher, Retrier } from './program.ts';
import { compileTemplate } from './template.ts';

/** `Retry` of a Task, Parallel or Map state, with the defaults of Amazon States Language. */
export function compileRetriers(fields: Fields): Retrier[] {
  const entries = fields.objects('Retry');
  return entries.map((entry, index) => {
    entry.allowOnly(
      ['ErrorEquals', 'IntervalSeconds', 'MaxAttempts', 'BackoffRate', 'MaxDelaySeconds', 'JitterStrategy', 'Comment'],
      'a retrier',
    );
    const intervalSeconds = entry.number('IntervalSeconds', { min: 1, whole: true }) ?? 1;
    const maxDelaySeconds = entry.number('MaxDelaySeconds', { min: 1, max: 31_622_400, whole: true });
    if (maxDelaySeconds !== undefined && maxDelaySeconds <= intervalSeconds) {
      entry.issue('MaxDelaySeconds', "The field 'MaxDelaySeconds' must be greater than 'IntervalSeconds'");
    }
    const jitter = entry.text('JitterStrategy') ?? 'NONE';
    if (jitter !== 'FULL' && jitter !== 'NONE')
      entry.issue('JitterStrategy', "JitterStrategy must be 'FULL' or 'NONE'");
    return {
      errors: errorNames(entry, index === entries.length - 1),
      intervalSeconds,
      maxAttempts: entry.number('MaxAttempts', { min: 0, max: MAX_SECONDS, whole: true }) ?? 3,
      backoffRate: entry.number('BackoffRate', { min: 1, whole: false }) ?? 2,
      ...(maxDelaySeconds !== undefined && { maxDelaySeconds }),
      jitter: jitter === 'FULL' ? 'FULL' : 'NONE',
    };
  });
}

/** `Catch` of a Task, Parallel or Map state. */
export function compileCatchers(fields: Fields): Catcher[] {
  const entries = fields.objects('Catch');
  return entries.map((entry, index) => {
    entry.allowOnly(['ErrorEquals', 'Next', 'Assign', 'Output', 'Comment'], 'a catcher');
    const template = (name: string) => {
      const value = entry.value(name);
      return value === undefined ? undefined : compileTemplate(value, name, (message) => entry.issue(name, message));
    };
    if (entry.has('Assign')) entry.object('Assign');
    const assign = template('Assign');
    const output = template('Output');
    return {
      errors: errorNames(entry, index === entries.length - 1),
      next: entry.text('Next', true) ?? '',
      ...(assign && { assign }),
      ...(output && { output }),
    };
  });
}

/** States.ALL is a wildcard: it must be alone and last, because nothing after it could match. */
function errorNames(entry: Fields, isLast: boolean): string[] {
  const names = entry.value('ErrorEquals');
  if (!Array.isArray(names) || names.length === 0 || !names.every((name) => typeof name === 'string')) {
    entry.issue('ErrorEquals', "The field 'ErrorEquals' must be a non-empty array of strings");
    return [];
  }
  if (names.includes('States.ALL') && (names.length > 1 || !isLast)) {
    entry.issue('ErrorEquals', 'States.ALL must appear alone and in the last entry');
  }
  for (const name of names) {
    if (name.startsWith('States.') && !RESERVED_ERRORS.has(name)) {
      entry.issue('ErrorEquals', `'${name}' is not an error name of Amazon States Language`);
    }
  }
  return names;
}

const RESERVED_ERRORS = new Set(
  ['ALL', 'DataLimitExceeded', 'HeartbeatTimeout', 'NoChoiceMatched', 'Permissions', 'BranchFailed']
    .concat(['QueryEvaluationError', 'Runtime', 'TaskFailed', 'Timeout', 'ItemReaderFailed', 'ResultWriterFailed'])
    .concat(['ExceedToleratedFailureThreshold', 'IntrinsicFailure', 'ParameterPathFailure', 'ResultPathMatchFailure'])
    .map((name) => `States.${name}`),
);
