import { unsupported } from '../../../core/aws-error.ts';
import { badRequest } from '../errors.ts';

export interface PatchOperation {
  op: string;
  path: string;
  value?: string;
}

/** How to apply a patch: `replace /name` handles exactly that path; `*` stands for the last segment. */
export type PatchRules<T> = Record<string, (thing: T, value: string, segment: string) => T>;

/**
 * Applies the operations of an Update request in order. Throws `BadRequestException` for one without a value, and
 * `UnsupportedOperationException` for one without a rule.
 */
export function applyPatch<T>(operation: string, thing: T, patch: readonly PatchOperation[], rules: PatchRules<T>): T {
  return patch.reduce((patched, { op, path, value }) => {
    const slash = path.lastIndexOf('/');
    const segment = path
      .slice(slash + 1)
      .replaceAll('~1', '/')
      .replaceAll('~0', '~');
    const rule = rules[`${op} ${path}`] ?? rules[`${op} ${path.slice(0, slash)}/*`];
    if (!rule) throw unsupported('apigateway', `the patch operation ${op} ${path} of ${operation}`);
    if (op === 'replace' && value === undefined) throw badRequest(`Invalid patch path ${path}: a value is required`);
    return rule(patched, value ?? '', segment);
  }, thing);
}
