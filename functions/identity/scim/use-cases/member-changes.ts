import { attributeNamed, GROUP_SCHEMA, GROUP_TYPE } from '../protocol/attributes.ts';
import type { Filter } from '../protocol/filter.ts';
import { invalidFilter } from '../protocol/filter.ts';
import type { Operation } from '../protocol/operations.ts';
import { invalidPath, resolvePath } from '../protocol/path.ts';
import { invalidValue, isId, isObject, isUnassigned, type Members } from '../protocol/values.ts';

/** What operations do to the members of a group, however many it has. */
export interface MemberChange {
  /** All others are removed. */
  isReplaced: boolean;
  add: ReadonlySet<string>;
  remove: ReadonlySet<string>;
}

/** A bound for the users that one request can name. */
const MAX_NAMED = 50_000;

/** Separates the operations on `members` from those on other attributes, and adds them up in their order. */
export function separateMembers(operations: readonly Operation[]): { rest: Operation[]; change: MemberChange } {
  const sum = new Sum();
  const rest = operations.flatMap((operation) => {
    const { op, path, value } = operation;
    if (path !== undefined) return sum.take(op, path, value) ? [] : [operation];
    const others = Object.entries(value as Members).filter(([key, member]) => !sum.take(op, key, member));
    return others.length > 0 ? [{ ...operation, value: Object.fromEntries(others) }] : [];
  });
  return { rest, change: sum };
}

class Sum implements MemberChange {
  isReplaced = false;
  readonly add = new Set<string>();
  readonly remove = new Set<string>();

  /** Returns false if the path names another attribute. */
  take(op: Operation['op'], path: string, value: unknown): boolean {
    if (!/members/i.test(path)) return false;
    const resolved = resolvePath(path, GROUP_TYPE);
    if (resolved.found !== 'attribute' || resolved.target.attribute.name !== 'members') return false;
    const { filter, sub } = resolved.target;
    // Members are named as a whole: a membership has nothing else that can be changed.
    if (sub && sub.name !== 'value') throw invalidPath(path);
    if (filter) this.#takeOne(op, idIn(filter));
    // An empty list names no one; only a request without a value means all (RFC 7644, 3.5.2.2).
    else if (op === 'remove' && isUnassigned(value) && !Array.isArray(value)) this.#clear();
    else this.#takeAll(op, idsOf(value));
    return true;
  }

  #takeOne(op: Operation['op'], id: string): void {
    if (op === 'remove') this.#remove(id);
    else this.#add(id);
  }

  #takeAll(op: Operation['op'], ids: readonly string[]): void {
    if (op === 'replace') this.#clear();
    for (const id of ids) this.#takeOne(op, id);
  }

  #clear(): void {
    this.isReplaced = true;
    this.add.clear();
    this.remove.clear();
  }

  #add(id: string): void {
    this.remove.delete(id);
    this.add.add(id);
    if (this.add.size > MAX_NAMED) throw invalidValue(`A request may name at most ${MAX_NAMED} members.`);
  }

  #remove(id: string): void {
    this.add.delete(id);
    this.remove.add(id);
  }
}

/** The id in `members[value eq "…"]`. */
function idIn(filter: Filter): string {
  const members = attributeNamed(GROUP_SCHEMA.attributes, 'members')!;
  const sub = filter.kind === 'equals' ? attributeNamed(members.subAttributes!, filter.path) : undefined;
  if (filter.kind !== 'equals' || sub?.name !== 'value')
    throw invalidFilter('Members are chosen as in members[value eq "…"].');
  const id = String(filter.value);
  if (!isId(id)) throw invalidFilter('Members are chosen by the id of a user.');
  return id;
}

/** The user ids of a list of members, or of a single one. */
export function idsOf(value: unknown): string[] {
  if (isUnassigned(value)) return [];
  return (Array.isArray(value) ? value : [value]).map((member) => {
    const { value: id, type } = isObject(member) ? namesInLowerCase(member) : { value: member, type: undefined };
    if (typeof type === 'string' && type.toLowerCase() !== 'user') throw invalidValue('Members of a group are users.');
    if (typeof id !== 'string' || !isId(id)) throw invalidValue('Each member needs the id of a user as its value.');
    return id;
  });
}

const namesInLowerCase = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name.toLowerCase(), member]));
