import { ROLES } from '../../../../platform/auth/permissions.ts';
import { AppError, type Issue } from '../../../../platform/errors/app-error.ts';
import type { Edit, ModelDefinition } from '../definition/definition.ts';
import { isSameName } from '../definition/definition.ts';
import { findPart } from '../definition/find-part.ts';
import { assertRoom } from '../definition/limits.ts';
import type { Policy, PolicySubject } from '../definition/records.ts';
import { type Act, assertRemovable, changed, newStamps } from '../definition/stamps.ts';
import { checkedPolicy } from '../expressions/expressions.ts';

/** The expression is the text that authors write. */
export type PolicyInput = Pick<Policy, 'name' | 'tableId' | 'appliesTo'> & { filterExpression: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function addPolicy(definition: ModelDefinition, { id, ...input }: PolicyInput & { id: string }, act: Act): Edit {
  if (definition.policies.has(id)) return {};
  const { filterExpression, ...rest } = input;
  const unchecked = { id, ...rest, filterExpression: { segments: [] }, ...newStamps(act) };
  const policy = checked(definition, unchecked, filterExpression);
  assertRoom(definition, 'policies');
  return { put: { policies: [policy] } };
}

/** On another table, the expression must be sent again: it refers to fields of the table. */
export function updatePolicy(
  definition: ModelDefinition,
  { id, filterExpression, ...change }: Partial<PolicyInput> & { id: string },
  act: Act,
): Edit {
  const policy = findPart(definition, 'policies', id);
  const next = changed(policy, change, act);
  if (filterExpression === undefined && next.tableId !== policy.tableId) {
    const message = 'is required for another table';
    throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/filterExpression', code: 'REQUIRED', message }] });
  }
  return { put: { policies: [checked(definition, next, filterExpression)] } };
}

export function removePolicy(definition: ModelDefinition, { id }: { id: string }): Edit {
  assertRemovable(findPart(definition, 'policies', id));
  return { remove: { policies: [id] } };
}

function checked(definition: ModelDefinition, policy: Policy, text: string | undefined): Policy {
  const issues = subjectsIssues(policy.appliesTo);
  if (!definition.tables.has(policy.tableId))
    issues.push({ pointer: '/tableId', code: 'UNKNOWN_TABLE', message: 'is not a table of the model' });
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  const valid = text === undefined ? policy : checkedPolicy(definition, policy, text);
  for (const other of definition.policies.values())
    if (other.id !== policy.id && isSameName(other.name, policy.name)) throw new AppError('MODEL_POLICY_NAME_TAKEN');
  return valid;
}

export const subjectsIssues = (subjects: readonly PolicySubject[]): Issue[] => subjects.flatMap(subjectIssues);

function subjectIssues({ type, id }: PolicySubject, index: number): Issue[] {
  const issue = (code: string, message: string): Issue[] => [{ pointer: `/appliesTo/${index}/id`, code, message }];
  // Embed tokens end within the hour, so a policy cannot name one.
  if (type === 'everyone' || type === 'embed')
    return id === undefined ? [] : issue('CONFLICT', `cannot be given for ${type}`);
  if (type === 'share' && id === undefined) return [];
  if (id === undefined) return issue('REQUIRED', `is required for ${type}`);
  if (type === 'role')
    return ROLES.some((role) => role === id) ? [] : issue('ENUM', `must be one of ${ROLES.join(', ')}`);
  return UUID.test(id) ? [] : issue('FORMAT', 'must be an id');
}
