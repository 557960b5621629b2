import { AwsError } from '../../../core/aws-error.ts';

export function invalidParameter(message: string): AwsError {
  return new AwsError('InvalidParameterValueException', message, { fields: { Type: 'User' } });
}

/** Checks an optional whole number. Throws `ValidationException` with AWS's message. */
export function checkRange(name: string, value: number | undefined, min: number, max: number): void {
  if (value === undefined) return;
  const member = name.charAt(0).toLowerCase() + name.slice(1);
  const reject = (constraint: string) =>
    new AwsError(
      'ValidationException',
      `1 validation error detected: Value '${value}' at '${member}' failed to satisfy constraint: ${constraint}`,
    );
  if (!Number.isInteger(value)) throw reject('Member must be an integer');
  if (value < min) throw reject(`Member must have value greater than or equal to ${min}`);
  if (value > max) throw reject(`Member must have value less than or equal to ${max}`);
}

/** Checks an optional enumeration member. Throws `ValidationException`. */
export function checkEnum(name: string, value: string | undefined, allowed: readonly string[]): void {
  if (value === undefined || allowed.includes(value)) return;
  const member = name.charAt(0).toLowerCase() + name.slice(1);
  throw new AwsError(
    'ValidationException',
    `1 validation error detected: Value '${value}' at '${member}' failed to satisfy constraint: Member must satisfy enum value set: [${allowed.join(', ')}]`,
  );
}

/** Checks the caller's revision id, if given, against the current one. Throws `PreconditionFailedException`. */
export function checkRevision(expected: string | undefined, current: string): void {
  if (expected === undefined || expected === current) return;
  throw new AwsError(
    'PreconditionFailedException',
    'The Revision Id provided does not match the latest Revision Id. Call the GetFunction/GetAlias API to retrieve the latest Revision Id',
    { status: 412 },
  );
}
