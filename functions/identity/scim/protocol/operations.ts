import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { isObject } from './values.ts';

/** An operation of a PATCH request (RFC 7644, section 3.5.2). */
export interface Operation {
  op: 'add' | 'replace' | 'remove';
  path?: string;
  value?: unknown;
}

const MAX_OPERATIONS = 1_000;

export const invalidSyntax = (detail: string) => new AppError('SCIM_INVALID_SYNTAX', { detail });

/** Reads `Operations`; names and operators in any case, as Entra sends `Add`. Throws `SCIM_INVALID_SYNTAX`. */
export function readOperations(body: Record<string, unknown>): Operation[] {
  const listed = memberNamed(body, 'operations');
  const operations = isObject(listed) ? [listed] : listed;
  if (!Array.isArray(operations) || operations.length === 0)
    throw invalidSyntax('The body needs "Operations", a list of at least one operation.');
  if (operations.length > MAX_OPERATIONS)
    throw invalidSyntax(`A request may have at most ${MAX_OPERATIONS} operations.`);
  return operations.map(readOperation);
}

function readOperation(given: unknown, index: number): Operation {
  const place = `Operations[${index}]`;
  if (!isObject(given)) throw invalidSyntax(`${place} must be an object.`);
  const word = memberNamed(given, 'op');
  const op = typeof word === 'string' ? word.toLowerCase() : undefined;
  if (op !== 'add' && op !== 'replace' && op !== 'remove')
    throw invalidSyntax(`${place} needs an "op" of "add", "replace" or "remove".`);
  const path = memberNamed(given, 'path');
  if (path !== undefined && path !== null && typeof path !== 'string')
    throw invalidSyntax(`${place} has a "path" that is not a text.`);
  const operation: Operation = { op, value: memberNamed(given, 'value') };
  if (path) operation.path = path;
  else if (op === 'remove') throw new AppError('SCIM_NO_TARGET', { detail: `${place} removes without a "path".` });
  else if (!isObject(operation.value))
    throw invalidSyntax(`${place} has no "path", so its "value" must be an object of attributes.`);
  return operation;
}

function memberNamed(object: Record<string, unknown>, name: string): unknown {
  const found = Object.keys(object).find((key) => key.toLowerCase() === name);
  return found === undefined ? undefined : object[found];
}
