import { AwsError, unsupported } from '../../core/aws-error.ts';
import type { CloudContext } from '../../core/service.ts';

const NAME = /^\/?[A-Za-z0-9_.-]+(?:\/[A-Za-z0-9_.-]+)*$/;
const MAX_NAME_LENGTH = 1011;
const MAX_LEVELS = 15;

export function validation(message: string): AwsError {
  return new AwsError('ValidationException', message);
}

/** Throws `ValidationException` or `HierarchyLevelLimitExceededException` for an invalid parameter name. */
export function checkName(name: string): void {
  if (/^\/?(?:aws|ssm)/i.test(name)) {
    throw validation(
      `Parameter name: can't be prefixed with "aws" or "ssm" (case-insensitive). If formed as a path, it can consist of sub-paths divided by slash symbol; each sub-path can be formed as a mix of letters, numbers and the following 3 symbols .-_`,
    );
  }
  if (!NAME.test(name) || (name.includes('/') && !name.startsWith('/'))) {
    throw validation(
      'Parameter name must be a fully qualified name. If formed as a path, it can consist of sub-paths divided by slash symbol; each sub-path can be formed as a mix of letters, numbers and the following 3 symbols .-_',
    );
  }
  if (name.length > MAX_NAME_LENGTH)
    throw validation(`Parameter name must not be longer than ${MAX_NAME_LENGTH} characters.`);
  if (name.split('/').length - 1 > MAX_LEVELS) {
    throw new AwsError(
      'HierarchyLevelLimitExceededException',
      `Hierarchy depth is too deep. A parameter name can have at most ${MAX_LEVELS} levels.`,
    );
  }
}

export function parameterArn(place: Pick<CloudContext, 'region' | 'accountId'>, name: string): string {
  return `arn:aws:ssm:${place.region}:${place.accountId}:parameter${name.startsWith('/') ? '' : '/'}${name}`;
}

/** Parses `name`, `name:version` or an ARN of either. Labels are rejected. */
export function parseReference(
  place: Pick<CloudContext, 'region' | 'accountId'>,
  reference: string,
): { name: string; version?: number } {
  const prefix = parameterArn(place, '/');
  const path = reference.startsWith(prefix) ? reference.slice(prefix.length - 1) : reference;
  const [text = '', selector] = path.split(':', 2);
  // An ARN adds a slash before a name without one, so such a name is found in both forms.
  const name = reference !== path && !text.slice(1).includes('/') ? text.slice(1) : text;
  if (selector === undefined) return { name };
  if (!/^\d+$/.test(selector)) throw unsupported('ssm', `the parameter label ${selector}`);
  return { name, version: Number(selector) };
}
