import type { Attribute, ResourceType } from '../protocol/attributes.ts';
import { type Filter, invalidFilter } from '../protocol/filter.ts';
import { equals, matchesValue } from '../protocol/match.ts';
import { resolvePath } from '../protocol/path.ts';
import type { Members } from '../protocol/values.ts';

/** The comparisons that all must hold, with their attributes. */
type Condition =
  | { kind: 'equals'; place: string; attribute: Attribute; sub?: Attribute; value: string | number | boolean | null }
  | { kind: 'some'; place: string; attribute: Attribute; filter: Filter; value: string | number | boolean | null };

/** A filter over the attributes by which resources can be found. */
export interface Search {
  /** The comparisons by place, such as `emails.value`, of which any leads to all candidates. */
  keys: ReadonlyMap<string, string>;
  matches(resource: Members): boolean;
}

/**
 * Checks a filter against the attributes that can be searched. `aliases` are their short forms: `emails` for
 * `emails.value`. Throws `SCIM_INVALID_FILTER`.
 */
export function searchOf(filter: Filter, type: ResourceType, places: readonly string[]): Search {
  const conditions = conditionsOf(filter, type);
  const usable = conditions.filter(({ place }) => places.includes(place));
  const isOther = (condition: Condition) => !usable.includes(condition);
  if (usable.length === 0 || conditions.some(isOther)) {
    const other = conditions.find(isOther)?.place;
    const what = other === undefined ? 'The filter' : `A filter by ${other}`;
    throw invalidFilter(`${what} is not supported; compare ${places.join(', ')} with eq.`);
  }
  return {
    keys: new Map(usable.map(({ place, value }) => [place, String(value)])),
    matches: (resource) => conditions.every((condition) => holds(condition, resource)),
  };
}

function conditionsOf(filter: Filter, type: ResourceType): Condition[] {
  if (filter.kind === 'all') return filter.filters.flatMap((each) => conditionsOf(each, type));
  const resolved = resolvePath(filter.path, type);
  if (resolved.found !== 'attribute' || resolved.target.filter || resolved.target.extension !== undefined)
    throw invalidFilter(`${filter.path} cannot be searched.`);
  const { attribute, sub } = resolved.target;
  if (filter.kind === 'equals') {
    // A comparison with a value that has several parts means its `value` (RFC 7644, section 3.4.2.2).
    const compared = sub ?? attribute.subAttributes?.find(({ name }) => name === 'value');
    const place = compared ? `${attribute.name}.${compared.name}` : attribute.name;
    return [{ kind: 'equals', place, attribute, ...(compared ? { sub: compared } : {}), value: filter.value }];
  }
  const value = valueIn(filter.filter);
  // Throws for what the attribute does not have.
  matchesValue(filter.filter, attribute, {});
  if (value === undefined) throw invalidFilter(`${filter.path}[…] needs a comparison of "value".`);
  return [{ kind: 'some', place: `${attribute.name}.value`, attribute, filter: filter.filter, value }];
}

function valueIn(filter: Filter): string | number | boolean | null | undefined {
  if (filter.kind === 'all') return filter.filters.map(valueIn).find((value) => value !== undefined);
  return filter.kind === 'equals' && filter.path.toLowerCase() === 'value' ? filter.value : undefined;
}

function holds(condition: Condition, resource: Members): boolean {
  const { attribute } = condition;
  const stored = resource[attribute.name];
  if (condition.kind === 'some')
    return ((stored as unknown[] | undefined) ?? []).some((each) => matchesValue(condition.filter, attribute, each));
  const { sub, value } = condition;
  if (!sub) return equals(attribute, stored, value);
  const values = Array.isArray(stored) ? stored : [stored ?? {}];
  return values.some((each) => equals(sub, (each as Members)[sub.name], value));
}
