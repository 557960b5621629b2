import { AwsError } from '../../../core/aws-error.ts';

export function invalidParameter(message: string): AwsError {
  return new AwsError('InvalidParameterValueException', message, { fields: { Type: 'User' } });
}

/** A member that must be a whole number in a range, when it is given. Throws `ValidationException` in AWS's words. */
export function checkRange(name: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined) return;
  const member = name.charAt(0).toLowerCase() + name.slice(1);
  const refuse = (constraint: string) =>
    new AwsError(
      'ValidationException',
      `1 validation error detected: Value '${value}' at '${member}' failed to satisfy constraint: ${constraint}`,
    );
  if (!Number.isInteger(value)) throw refuse('Member must be an integer');
  if (value < least) throw refuse(`Member must have value greater than or equal to ${least}`);
  if (value > most) throw refuse(`Member must have value less than or equal to ${most}`);
}

/** A member that must be one of a set of words, when it is given. Throws `ValidationException`. */
export function checkEnum(name: string, value: string | undefined, allowed: readonly string[]): void {
  if (value === undefined || allowed.includes(value)) return;
  const member = name.charAt(0).toLowerCase() + name.slice(1);
  throw new AwsError(
    'ValidationException',
    `1 validation error detected: Value '${value}' at '${member}' failed to satisfy constraint: Member must satisfy enum value set: [${allowed.join(', ')}]`,
  );
}

/** A revision id that the caller has seen must still be the current one. Throws `PreconditionFailedException`. */
export function checkRevision(expected: string | undefined, current: string): void {
  if (expected === undefined || expected === current) return;
  throw new AwsError(
    'PreconditionFailedException',
    'The Revision Id provided does not match the latest Revision Id. Call the GetFunction/GetAlias API to retrieve the latest Revision Id',
    { status: 412 },
  );
}
