import { AwsError } from '../../core/aws-error.ts';

export interface Place {
  region: string;
  accountId: string;
}

export function functionArn(place: Place, name: string, qualifier?: string): string {
  const arn = `arn:aws:lambda:${place.region}:${place.accountId}:function:${name}`;
  return qualifier === undefined ? arn : `${arn}:${qualifier}`;
}

export function mappingArn(place: Place, uuid: string): string {
  return `arn:aws:lambda:${place.region}:${place.accountId}:event-source-mapping:${uuid}`;
}

const REFERENCE =
  /^(?:arn:aws:lambda:(?<region>[a-z0-9-]+):(?<arnAccount>\d{12}):function:|(?<account>\d{12}):function:)?(?<name>[A-Za-z0-9_-]{1,140})(?::(?<qualifier>\$LATEST|[A-Za-z0-9_-]{1,128}))?$/;

/**
 * Parses a function reference: name, `name:qualifier`, partial or full ARN. A separate qualifier must not contradict
 * the one inside.
 */
export function parseFunctionReference(reference: string, apart?: string): { name: string; qualifier?: string } {
  const parts = REFERENCE.exec(reference)?.groups;
  if (!parts?.name) {
    throw new AwsError(
      'ValidationException',
      `1 validation error detected: Value '${reference}' at 'functionName' failed to satisfy constraint: Member must satisfy regular expression pattern: (arn:(aws[a-zA-Z-]*)?:lambda:)?([a-z]{2}(-gov)?-[a-z]+-\\d{1}:)?(\\d{12}:)?(function:)?([a-zA-Z0-9-_]+)(:(\\$LATEST|[a-zA-Z0-9-_]+))?`,
    );
  }
  if (apart !== undefined && parts.qualifier !== undefined && apart !== parts.qualifier) {
    throw new AwsError(
      'InvalidParameterValueException',
      'The derived qualifier from the function name does not match the specified qualifier.',
    );
  }
  const qualifier = parts.qualifier ?? apart;
  return qualifier === undefined ? { name: parts.name } : { name: parts.name, qualifier };
}
