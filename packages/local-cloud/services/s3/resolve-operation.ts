import { notImplemented, S3Error } from './errors.ts';
import type { Operation } from './operation.ts';
import { type OperationDeclaration, operations, preflightOperation, type Scope } from './operations.ts';
import { isSigningParameter } from './presigned-url.ts';
import type { S3Request } from './request.ts';

/** `x-amz-` headers for signing and addressing, allowed with any request. */
const commonHeaders = [
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-expected-bucket-owner',
  'x-amz-security-token',
  'x-amz-user-agent',
];

/**
 * Finds the operation of a request. Throws `NotImplemented` with the name of an unsupported sub-resource, parameter or
 * header, and `MethodNotAllowed`.
 */
export function resolveOperation(request: S3Request): { name: string; run: Operation } {
  if (request.method === 'OPTIONS') return preflightOperation;
  const scope = scopeOf(request);
  const candidates = operations.filter((operation) => operation.method === request.method && operation.scope === scope);
  const operation =
    candidates.find((candidate) => candidate.subresource !== undefined && isSelected(candidate, request)) ??
    candidates.find((candidate) => candidate.subresource === undefined && isSelected(candidate, request));
  const named = [...request.query.keys()].filter((parameter) => !isFree(parameter));
  if (!operation) {
    if (named[0] !== undefined) throw rejection(request, scope, named[0]);
    throw new S3Error('MethodNotAllowed', { fields: { Method: request.method, ResourceType: scope.toUpperCase() } });
  }
  const known = new Set([operation.subresource, ...(operation.parameters ?? [])]);
  const unknown = named.find((parameter) => !known.has(parameter));
  if (unknown !== undefined) throw rejection(request, scope, unknown);
  rejectUnknownHeaders(request, operation);
  return operation;
}

function scopeOf(request: S3Request): Scope {
  if (request.bucket === undefined) return 'service';
  return request.key === undefined ? 'bucket' : 'object';
}

function isSelected(operation: OperationDeclaration, request: S3Request): boolean {
  return (
    (operation.subresource === undefined || request.query.has(operation.subresource)) &&
    (operation.selectedBy === undefined || request.header(operation.selectedBy) !== undefined)
  );
}

/** Parameters that do not affect the operation; `x-` ones are the caller's own, for its logs. */
function isFree(parameter: string): boolean {
  return isSigningParameter(parameter) || parameter.startsWith('x-');
}

function rejection(request: S3Request, scope: Scope, parameter: string): S3Error {
  return notImplemented(`the sub-resource or parameter "${parameter}" in ${request.method} on a ${scope}`);
}

function rejectUnknownHeaders(request: S3Request, operation: OperationDeclaration): void {
  const known = [...commonHeaders, ...(operation.headers ?? [])];
  const unknown = Object.keys(request.headers).find(
    (name) =>
      name.startsWith('x-amz-') &&
      !known.some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern)),
  );
  if (unknown === undefined) return;
  throw new S3Error('NotImplemented', {
    message: `A header you provided implies functionality that is not implemented: ${unknown} in ${operation.name}`,
    fields: { Header: unknown },
  });
}
