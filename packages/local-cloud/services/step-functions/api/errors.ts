import { AwsError } from '../../../core/aws-error.ts';
import type { FaultErrors } from '../../../core/operations.ts';

export const faultErrors: FaultErrors = {
  throttled: () => new AwsError('ThrottlingException', 'Rate exceeded'),
  internal: () => new AwsError('InternalServerException', 'An internal error occurred.', { status: 500 }),
};

export function validationError(member: string, value: unknown, constraint: string): AwsError {
  const shown = value === undefined ? 'null' : `'${String(value).slice(0, 200)}'`;
  return new AwsError(
    'ValidationException',
    `1 validation error detected: Value ${shown} at '${member}' failed to satisfy constraint: ${constraint}`,
  );
}

export function missing(member: string): AwsError {
  return validationError(member, undefined, 'Member must not be null');
}

export function machineDoesNotExist(arn: string): AwsError {
  return new AwsError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
}

export function executionDoesNotExist(arn: string): AwsError {
  return new AwsError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
}

export function invalidArn(arn: string): AwsError {
  return new AwsError('InvalidArn', `Invalid Arn: '${arn}'`);
}

/** AWS's rule: 1–80 characters without white space, brackets, wildcards and the like. */
export function checkName(name: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what the rule forbids
  if (!/^[^\s<>{}[\]?*"#%\\^|~`$&,;:/\u0000-\u001f\u007f-\u009f]{1,80}$/u.test(name)) {
    throw new AwsError('InvalidName', `Invalid Name: '${name}'`);
  }
}

/** Throws for text above AWS's limit. */
export function checkLength(member: string, text: string | undefined, maxLength: number): void {
  if (text !== undefined && text.length > maxLength) {
    throw validationError(member, text, `Member must have length less than or equal to ${maxLength}`);
  }
}

/** Page size: absent or 0 means the default. */
export function pageSize(maxResults: number | undefined): number {
  if (maxResults === undefined || maxResults === 0) return 100;
  if (Number.isInteger(maxResults) && maxResults > 0 && maxResults <= 1000) return maxResults;
  throw validationError('maxResults', maxResults, 'Member must have value less than or equal to 1000');
}

/** A page token is opaque to callers: the key of the last item shown. */
export function pageToken(key: string | number): string {
  return Buffer.from(JSON.stringify([key])).toString('base64url');
}

export function readPageToken(token: string | undefined): string | number | undefined {
  if (token === undefined) return undefined;
  try {
    const [key] = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as unknown[];
    if (typeof key === 'string' || typeof key === 'number') return key;
  } catch {
    // Falls through: any other token is not ours.
  }
  throw new AwsError('InvalidToken', `Invalid Token: '${token}'`);
}
