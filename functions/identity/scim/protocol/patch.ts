import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { Attribute, ResourceType } from './attributes.ts';
import { impliedMembers, matchesValue } from './match.ts';
import type { Operation } from './operations.ts';
import { resolvePath, type Target } from './path.ts';
import { invalidValue, isObject, isUnassigned, MAX_VALUES, type Members, readSingle, readValue } from './values.ts';

/** The resource after all operations, which are applied to a copy. */
export function patched(resource: Members, operations: readonly Operation[], type: ResourceType): Members {
  const result = structuredClone(resource);
  for (const operation of operations) apply(result, operation, type);
  return result;
}

/** The resource of a POST or PUT: unknown and read-only attributes are ignored. */
export function readResource(body: Members, type: ResourceType): Members {
  return patched({}, [{ op: 'add', value: body }], type);
}

function apply(resource: Members, operation: Operation, type: ResourceType): void {
  const { path, value } = operation;
  if (path !== undefined) {
    applyAt(resource, { ...operation, path }, type, { isExplicit: true });
    return;
  }
  // Keys are paths too: Okta and Entra send `name.givenName` and URNs.
  for (const [key, member] of Object.entries(value as Members)) {
    if (!isPath(key)) continue;
    applyAt(resource, { op: operation.op, path: key, value: member }, type, { isExplicit: false });
  }
}

const isPath = (key: string): boolean => /^[A-Za-z$]/.test(key);

/** In a value without a path, clients send whole resources back, so read-only attributes are ignored there. */
function applyAt(
  resource: Members,
  operation: Operation & { path: string },
  type: ResourceType,
  { isExplicit }: { isExplicit: boolean },
): void {
  const resolved = resolvePath(operation.path, type);
  if (resolved.found === 'nothing') return;
  if (resolved.found === 'core') {
    applyMembers(resource, operation, type, '');
    return;
  }
  if (resolved.found === 'extension') {
    if (operation.op === 'remove' || isUnassigned(operation.value)) delete resource[resolved.extension];
    else applyMembers(resource, operation, type, `${resolved.extension}:`);
    return;
  }
  const { target } = resolved;
  if (target.attribute.mutability === 'readOnly' || target.sub?.mutability === 'readOnly') {
    if (!isExplicit || target.attribute.name === 'schemas') return;
    throw new AppError('SCIM_MUTABILITY', { detail: `${operation.path} is read-only.` });
  }
  if (target.extension === undefined) change(resource, target, operation);
  else {
    const members = { ...(resource[target.extension] as Members | undefined) };
    change(members, target, operation);
    if (Object.keys(members).length > 0) resource[target.extension] = members;
    else delete resource[target.extension];
  }
}

function applyMembers(resource: Members, { op, path, value }: Operation, type: ResourceType, prefix: string): void {
  if (!isObject(value)) throw invalidValue(`${path} must be an object of attributes.`);
  for (const [key, member] of Object.entries(value))
    if (isPath(key)) applyAt(resource, { op, path: prefix + key, value: member }, type, { isExplicit: false });
}

function change(members: Members, target: Target, operation: Operation & { path: string }): void {
  const { attribute } = target;
  const isRemoval = operation.op === 'remove' || isUnassigned(operation.value);
  if (attribute.multiValued) changeValues(members, target, operation, isRemoval);
  else if (target.sub) changeMember(members, target as Target & { sub: Attribute }, operation, isRemoval);
  else if (isRemoval) delete members[attribute.name];
  else {
    const value = readValue(attribute, operation.value, operation.path);
    // The members that a value names replace those of the stored one; the others stay.
    members[attribute.name] =
      isObject(value) && isObject(operation.value) ? { ...(members[attribute.name] as Members), ...value } : value;
  }
}

function changeMember(
  members: Members,
  { attribute, sub }: Target & { sub: Attribute },
  { value, path }: Operation & { path: string },
  isRemoval: boolean,
): void {
  const parent = { ...(members[attribute.name] as Members | undefined) };
  if (isRemoval) delete parent[sub.name];
  else parent[sub.name] = readValue(sub, value, path);
  if (Object.keys(parent).length > 0) members[attribute.name] = parent;
  else delete members[attribute.name];
}

function changeValues(
  members: Members,
  target: Target,
  operation: Operation & { path: string },
  isRemoval: boolean,
): void {
  const { attribute } = target;
  const values = (members[attribute.name] as Members[] | undefined) ?? [];
  const next = isRemoval ? withoutValues(values, target, operation) : withValues(values, target, operation);
  if (next.length > MAX_VALUES) throw invalidValue(`${attribute.name} has more than ${MAX_VALUES} values.`);
  const filled = distinct(next).filter((each) => Object.keys(each).length > 0);
  if (filled.length > 0) members[attribute.name] = filled;
  else delete members[attribute.name];
}

/** Without a filter all values go, or those of the operation's own list (as Entra sends it). */
function withoutValues(values: Members[], target: Target, { op, value }: Operation): Members[] {
  const { attribute, filter, sub } = target;
  const isMeant = (each: Members) => !filter || matchesValue(filter, attribute, each);
  if (sub) return values.map((each) => (isMeant(each) ? omit(each, sub.name) : each));
  if (!filter && op === 'remove' && !isUnassigned(value)) {
    const removed = readValue(attribute, value) as Members[];
    return values.filter((each) => !removed.some((one) => includes(each, one)));
  }
  return values.filter((each) => !isMeant(each));
}

const includes = (whole: Members, part: Members) =>
  Object.entries(part).every(([name, value]) => JSON.stringify(whole[name]) === JSON.stringify(value));

function omit(value: Members, name: string): Members {
  const { [name]: _, ...rest } = value;
  return rest;
}

function withValues(values: Members[], target: Target, { op, path, value }: Operation & { path: string }): Members[] {
  const { attribute, filter, sub } = target;
  if (!filter && !sub) {
    const given = readValue(attribute, value, path) as Members[];
    return onePrimary(distinct(op === 'replace' ? given : [...values, ...given]), given);
  }
  const changes = sub
    ? { [sub.name]: readValue(sub, value, path) }
    : (readSingle(attribute, Array.isArray(value) ? value[0] : value, path) as Members);
  const changed: Members[] = [];
  const next = values.map((each) => {
    if (filter && !matchesValue(filter, attribute, each)) return each;
    const merged = { ...each, ...changes };
    changed.push(merged);
    return merged;
  });
  // Identity providers replace what was never set, so a value that no filter matches is created.
  if (changed.length === 0) {
    const created = { ...(filter ? impliedMembers(filter, attribute) : {}), ...changes };
    next.push(created);
    changed.push(created);
  }
  return onePrimary(next, changed);
}

/** Of equal values the last one. */
function distinct(values: readonly Members[]): Members[] {
  const keyOf = (value: Members) => JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  return [...new Map(values.map((each) => [keyOf(each), each])).values()];
}

/** At most one value is primary: the last one of this change, if it has one. */
function onePrimary(values: Members[], changed: readonly Members[]): Members[] {
  const primary = changed.findLast((each) => each.primary === true) ?? values.findLast((each) => each.primary === true);
  return values.map((each) => (each.primary === true && each !== primary ? { ...each, primary: false } : each));
}
