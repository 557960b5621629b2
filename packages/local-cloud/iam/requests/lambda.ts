import type { AccessRequest, Place, Requirements } from '../../core/access/authorizer.ts';
import { ANY, arnOf, passRole } from './place.ts';

interface Input {
  FunctionName?: string;
  Qualifier?: string;
  Role?: string;
  UUID?: string;
  Resource?: string;
}

export const lambdaRequests: Requirements = (operation, input: Input, place) => {
  const { FunctionName, Qualifier, Role, UUID, Resource } = input;
  const resource =
    Resource ??
    (UUID === undefined ? undefined : arnOf('lambda', place, `event-source-mapping:${UUID}`)) ??
    (FunctionName === undefined ? ANY : functionArn(FunctionName, Qualifier, place));
  return [{ action: `lambda:${operation}`, resource }, ...passRole(Role, 'lambda.amazonaws.com')];
};

/** Buffered, streamed and asynchronous calls need the same permission. */
export function invokeFunction(reference: string, qualifier: string | undefined, place: Place): AccessRequest {
  return { action: 'lambda:InvokeFunction', resource: functionArn(reference, qualifier, place) };
}

/** A reference is a name, `name:qualifier`, or a partial or full ARN. */
function functionArn(reference: string, qualifier: string | undefined, place: Place): string {
  const named = reference.replace(/^.*:function:/, '');
  const whole = qualifier === undefined || named.includes(':') ? named : `${named}:${qualifier}`;
  return arnOf('lambda', place, `function:${whole}`);
}
