import { type Attribute, attributeNamed } from './attributes.ts';
import { type Filter, invalidFilter } from './filter.ts';
import { isObject, type Members } from './values.ts';

/** Whether one value of a multi-valued attribute matches the filter in the brackets of a path. */
export function matchesValue(filter: Filter, attribute: Attribute, value: unknown): boolean {
  if (filter.kind === 'all') return filter.filters.every((each) => matchesValue(each, attribute, value));
  const sub = attributeNamed(attribute.subAttributes ?? [], filter.path);
  if (filter.kind !== 'equals' || !sub)
    throw invalidFilter(`${attribute.name} has no "${filter.path}" that can be compared.`);
  return isObject(value) && equals(sub, value[sub.name], filter.value);
}

/** Texts are compared as the attribute declares; a boolean may be written as a text. */
export function equals(attribute: Attribute, actual: unknown, wanted: string | number | boolean | null): boolean {
  if (actual === undefined) return wanted === null;
  if (attribute.type === 'boolean') return String(actual) === String(wanted).toLowerCase();
  if (attribute.caseExact) return actual === wanted;
  return folded(actual) === folded(wanted);
}

const folded = (value: unknown) => String(value).normalize('NFKC').toLowerCase();

/** The members that make the filter true, for a value that it creates: `{type: 'work'}` of `type eq "work"`. */
export function impliedMembers(filter: Filter, attribute: Attribute): Members {
  if (filter.kind === 'all')
    return Object.assign({}, ...filter.filters.map((each) => impliedMembers(each, attribute))) as Members;
  const sub = attributeNamed(attribute.subAttributes ?? [], filter.path);
  if (filter.kind !== 'equals' || !sub)
    throw invalidFilter(`${attribute.name} has no "${filter.path}" that can be compared.`);
  return { [sub.name]: sub.type === 'boolean' ? String(filter.value).toLowerCase() === 'true' : filter.value };
}
