import type { ErrorObject } from 'ajv';
import type { Issue } from '../errors/app-error.ts';

const MAX_ISSUES = 100;

/** Says every issue that a validator found, each with its place under `base` (a JSON pointer such as `` or `/query`). */
export function toIssues(errors: readonly ErrorObject[] | null | undefined, base = ''): Issue[] {
  const issues = new Map<string, Issue>();
  for (const error of errors ?? []) {
    // A union reports the issues of all its variants; the issue of the union itself is the useful one.
    if (error.keyword === 'if' || error.keyword === 'const') continue;
    const issue = toIssue(error, base);
    const id = `${issue.pointer} ${issue.code}`;
    if (!issues.has(id)) issues.set(id, issue);
    if (issues.size === MAX_ISSUES) break;
  }
  return [...issues.values()];
}

function toIssue(error: ErrorObject, base: string): Issue {
  const place = base + error.instancePath;
  const member = (name: string) => `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  switch (error.keyword) {
    case 'required':
      return { pointer: member(error.params.missingProperty), code: 'REQUIRED', message: 'is required' };
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return {
        pointer: member(error.params.additionalProperty ?? error.params.unevaluatedProperty),
        code: 'UNKNOWN_MEMBER',
        message: 'is not a known member here',
      };
    case 'enum':
      return {
        pointer: place,
        code: 'ENUM',
        message: `must be one of ${error.params.allowedValues.map((value: unknown) => JSON.stringify(value)).join(', ')}`,
      };
    case 'discriminator':
      return {
        pointer: member(error.params.tag),
        code: 'ENUM',
        message: 'does not name a known variant',
      };
    case 'format':
      return {
        pointer: place,
        code: 'FORMAT',
        message: `must be a valid ${FORMATS[error.params.format] ?? error.params.format}`,
      };
    case 'anyOf':
    case 'oneOf':
      return { pointer: place, code: 'SHAPE', message: 'has none of the allowed shapes' };
    default:
      return {
        pointer: place,
        code: error.keyword.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
        message: error.message ?? 'is not valid',
      };
  }
}

const FORMATS: Record<string, string> = {
  uuid: 'UUID',
  'date-time': 'ISO 8601 timestamp',
  uri: 'URL',
  email: 'email address',
};
