import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { type Attribute, attributeNamed, coreAttributes, type ResourceType } from './attributes.ts';
import { type Filter, parseFilter } from './filter.ts';

/** The target of a path such as `emails[type eq "work"].value`. */
export interface Target {
  /** The URN of the extension that the attribute belongs to; undefined for the core. */
  extension?: string;
  attribute: Attribute;
  filter?: Filter;
  sub?: Attribute;
}

export type Resolved =
  | { found: 'attribute'; target: Target }
  | { found: 'extension'; extension: string; attributes: readonly Attribute[] }
  /** The whole resource, named by the URN of its core schema. */
  | { found: 'core' }
  | { found: 'nothing' };

const PATH = /^([A-Za-z$][\w$-]*)(?:\[(.*)\])?(?:\.([A-Za-z$][\w$-]*))?$/s;

/** Throws `SCIM_INVALID_PATH` for a text that is no path. Unknown attributes are not found. */
export function resolvePath(text: string, type: ResourceType): Resolved {
  const path = text.trim();
  const named = schemaOf(path, type);
  if (named && named.rest === undefined) return named.whole;
  if (!named && /^urn:/i.test(path)) return { found: 'nothing' };
  const parts = PATH.exec(named?.rest ?? path);
  if (!parts) throw invalidPath(path);
  const [, name, filter, subName] = parts;
  const attribute = attributeNamed(named?.attributes ?? coreAttributes(type), name!);
  if (!attribute) return { found: 'nothing' };
  const sub = subName === undefined ? undefined : attributeNamed(attribute.subAttributes ?? [], subName);
  if (subName !== undefined && !sub) return { found: 'nothing' };
  if (filter !== undefined && !(attribute.multiValued && attribute.subAttributes)) throw invalidPath(path);
  return {
    found: 'attribute',
    target: {
      ...(named?.extension === undefined ? {} : { extension: named.extension }),
      attribute,
      ...(filter === undefined ? {} : { filter: parseFilter(filter) }),
      ...(sub ? { sub } : {}),
    },
  };
}

/** The schema whose URN a path begins with, and what follows. */
function schemaOf(path: string, type: ResourceType) {
  for (const schema of [type.schema, ...type.extensions]) {
    const start = path.slice(0, schema.id.length).toLowerCase();
    const next = path[schema.id.length];
    if (start !== schema.id.toLowerCase() || (next !== undefined && next !== ':')) continue;
    const rest = next === undefined ? undefined : path.slice(schema.id.length + 1);
    if (schema === type.schema) return { attributes: coreAttributes(type), rest, whole: { found: 'core' } as const };
    const { id: extension, attributes } = schema;
    return { extension, attributes, rest, whole: { found: 'extension', extension, attributes } as const };
  }
  return undefined;
}

export const invalidPath = (path: string) =>
  new AppError('SCIM_INVALID_PATH', {
    detail: `"${path.slice(0, 200)}" is not a path such as name.givenName or emails[type eq "work"].value.`,
  });
