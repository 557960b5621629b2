import { type Attribute, attributeNamed, coreAttributes, type ResourceType } from './attributes.ts';
import { resolvePath } from './path.ts';
import { isObject, type Members } from './values.ts';

/** What a client wants of a resource (RFC 7644, section 3.9). */
export interface Selection {
  attributes?: string | readonly string[] | undefined;
  excludedAttributes?: string | readonly string[] | undefined;
}

export type Select = ((resource: Members) => Members) & {
  /** Whether a reply contains the attribute, so that it is worth reading. */
  includes(name: string): boolean;
};

interface Wanted {
  /** Absent where all members are meant. */
  subs?: Set<string>;
}

/** Names that the schemas do not have select nothing. `attributes` wins over `excludedAttributes`. */
export function selecting(type: ResourceType, { attributes, excludedAttributes }: Selection): Select {
  const wanted = attributes === undefined ? undefined : placesOf(listOf(attributes), type);
  const unwanted = placesOf(listOf(excludedAttributes), type);
  const isWanted = (place: string, attribute: Attribute | undefined): boolean => {
    if (attribute?.returned === 'always') return true;
    if (wanted) return wanted.has(place);
    const excluded = unwanted.get(place);
    return !excluded || excluded.subs !== undefined;
  };
  const cut = (place: string, value: unknown, attribute?: Attribute): unknown => {
    const [subs, isKept] = wanted ? [wanted.get(place)?.subs, true] : [unwanted.get(place)?.subs, false];
    const onRequest = attribute?.subAttributes?.filter(({ returned }) => returned === 'request') ?? [];
    const isHidden = (name: string) => onRequest.some((each) => each.name === name) && !(wanted && subs?.has(name));
    if (!subs && onRequest.length === 0) return value;
    const isShown = (name: string) => !isHidden(name) && (!subs || subs.has(name) === isKept);
    const keep = (each: unknown) =>
      isObject(each) ? Object.fromEntries(Object.entries(each).filter(([name]) => isShown(name))) : each;
    return Array.isArray(value) ? value.map(keep) : keep(value);
  };
  const core = coreAttributes(type);
  const select = (resource: Members): Members => {
    const selected: Members = {};
    for (const [name, value] of Object.entries(resource)) {
      const extension = type.extensions.find(({ id }) => id === name);
      if (extension && isObject(value)) {
        const inner = Object.entries(value).filter(([member]) => isWanted(`${name}:${member}`, undefined));
        const shown = Object.fromEntries(inner.map(([member, each]) => [member, cut(`${name}:${member}`, each)]));
        if (Object.keys(shown).length > 0) selected[name] = shown;
      } else {
        const attribute = attributeNamed(core, name);
        if (isWanted(name, attribute)) selected[name] = cut(name, value, attribute);
      }
    }
    return selected;
  };
  return Object.assign(select, { includes: (name: string) => isWanted(name, attributeNamed(core, name)) });
}

function listOf(given: Selection['attributes']): string[] {
  const names = typeof given === 'string' ? given.split(',') : (given ?? []);
  return names.map((name) => String(name).trim()).filter((name) => name !== '');
}

/** The selected attributes by their name, or `<urn>:<name>` in an extension. */
function placesOf(names: readonly string[], type: ResourceType): Map<string, Wanted> {
  const places = new Map<string, Wanted>();
  const add = (place: string, sub: string | undefined) => {
    const known = places.get(place);
    if (sub === undefined || (known && !known.subs)) places.set(place, {});
    else places.set(place, { subs: new Set([...(known?.subs ?? []), sub]) });
  };
  for (const name of names) {
    const resolved = /^[A-Za-z$][\w:.$-]*$/.test(name) ? resolvePath(name, type) : undefined;
    if (resolved?.found === 'attribute') {
      const { extension, attribute, sub } = resolved.target;
      add(extension === undefined ? attribute.name : `${extension}:${attribute.name}`, sub?.name);
    } else if (resolved?.found === 'extension') {
      for (const { name: member } of resolved.attributes) add(`${resolved.extension}:${member}`, undefined);
    } else if (resolved?.found === 'core') for (const { name: member } of coreAttributes(type)) add(member, undefined);
  }
  return places;
}
