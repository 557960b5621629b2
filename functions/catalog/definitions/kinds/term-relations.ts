import * as Type from 'typebox';
import type { ObjectKind } from '../../../../shared/domains/catalog/definitions/index.ts';
import { LINK_ROLES } from '../../../../shared/domains/catalog/terms/index.ts';
import type { Issue } from '../../../../shared/platform/errors/app-error.ts';
import { Id, StrictObject, StringEnum } from '../../../../shared/platform/http/schemas.ts';
import type { Operations } from '../../common/operations.ts';
import type { BesideObject, KeyFinder, Members } from './kind.ts';

/** Each relation is in the file of one of its terms: those that have an inverse in that of the lower or older one. */
const RELATIONS = ['broader', 'related', 'replacedBy'] as const;

/** The members of links with the key of an object, by the types of links. Stories are in no file. */
const LINKED = {
  dataset: 'dataset',
  'saved-query': 'query',
  model: 'model',
  metric: 'metric',
  dashboard: 'dashboard',
  report: 'report',
} as const;
type LinkedType = keyof typeof LINKED;

const Terms = (description: string) => Type.Array(Id, { maxItems: 200, uniqueItems: true, default: [], description });

export const termRelations = StrictObject(
  {
    broader: Terms('Terms that include this one.'),
    related: Terms('Terms that have to do with this one, in the file of the term whose key comes first.'),
    replacedBy: Terms('Terms to use instead.'),
  },
  { default: {} },
);

const linked = Object.values(LINKED);

export const termLinks = Type.Array(
  StrictObject(
    { ...Object.fromEntries(linked.map((member) => [member, Type.Optional(Id)])), role: StringEnum(LINK_ROLES) },
    { minProperties: 2, maxProperties: 2, description: 'The key of one object, and what it has to do with the term.' },
  ),
  { maxItems: 1000, default: [] },
);

export const termReferences: Readonly<Record<string, ObjectKind>> = {
  ...{ broader: 'term', related: 'term', replacedBy: 'term' },
  ...Object.fromEntries(linked.map((member) => [member, member])),
};

interface Link {
  type: string;
  objectId: string;
  role: string;
}

const PAGE = 200;
const path = (id: string, more = '') => `/api/catalog/terms/${id}${more}` as const;

async function readAll(operations: Operations, id: string): Promise<{ relations: Members; links: Link[] }> {
  const { relations } = await operations.read({ group: 'catalog', method: 'GET', path: path(id) });
  const links: Link[] = [];
  for (let total = 1, offset = 0; offset < total; offset += PAGE) {
    const query = { limit: PAGE, offset };
    const page = await operations.read({ group: 'catalog', method: 'GET', path: path(id, '/links'), query });
    links.push(...page.items);
    total = page.total;
  }
  return { relations, links };
}

const inOrder = <T>(items: readonly (readonly [string, T])[]): T[] =>
  items.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);

async function readBeside(operations: Operations, id: string, names: KeyFinder) {
  const { relations, links } = await readAll(operations, id);
  const own = await names.keyOf('term', id);
  const shown = RELATIONS.map(async (relation): Promise<[string, string[]]> => {
    const others = (relations[relation] as { id: string }[]).map(({ id: other }) => other);
    const keyed = await Promise.all(others.map(async (other) => [await names.keyOf('term', other), other] as const));
    return [relation, inOrder(keyed.filter(([key]) => relation !== 'related' || own < key))];
  });
  const ofObjects = links.filter(({ type }) => type in LINKED);
  const keyed = await Promise.all(
    ofObjects.map(async (link) => {
      const member = LINKED[link.type as LinkedType];
      const entry = { [member]: link.objectId, role: link.role };
      return [orderOf(member, await names.keyOf(member, link.objectId)), entry] as const;
    }),
  );
  return { relations: Object.fromEntries(await Promise.all(shown)) as Record<string, string[]>, links: inOrder(keyed) };
}

const orderOf = (member: string, key: string) => `${linked.indexOf(member as never)} ${key}`;

/** The member of a link with the object, and the object. */
const objectOf = ({ role: _, ...object }: Members) => Object.entries(object)[0] as [string, string];

const typeOf = (member: string) => Object.entries(LINKED).find(([, each]) => each === member)![0];

/** Relations and links of a term. Those to stories, and to objects that the caller cannot see, stay as they are. */
export const besideTerm: BesideObject = {
  members: ['relations', 'links'],
  read: (operations, { id }, names) => readBeside(operations, id, names),

  async write(operations, { id }, wanted, names) {
    const current = await readBeside(operations, id, names);
    const send = (method: 'PUT' | 'DELETE', more: string, body?: object) =>
      operations.send({ group: 'catalog', method, path: path(id, more), ...(body && { body }) });
    for (const relation of RELATIONS) {
      const others = (wanted.relations as Record<string, string[]>)[relation] ?? [];
      const known = current.relations[relation]!;
      for (const other of known.filter((each) => !others.includes(each)))
        await send('DELETE', `/relations/${relation}/${other}`);
      for (const other of others.filter((each) => !known.includes(each)))
        await send('PUT', `/relations/${relation}/${other}`);
    }
    const linkOf = (link: Members) => objectOf(link).join('/');
    const links = new Map((wanted.links as Members[]).map((link) => [linkOf(link), link]));
    const known = new Map(current.links.map((link) => [linkOf(link), link]));
    for (const [name, link] of known) {
      const [member, objectId] = objectOf(link);
      if (!links.has(name)) await send('DELETE', `/links/${typeOf(member)}/${objectId}`);
    }
    for (const [name, link] of links) {
      const [member, objectId] = objectOf(link);
      if (known.get(name)?.role !== link.role)
        await send('PUT', `/links/${typeOf(member)}/${objectId}`, { role: link.role });
    }
  },

  check({ relations, links }, key) {
    const related = (relations as { related?: string[] } | undefined)?.related ?? [];
    const misplaced = related.flatMap((other, index): Issue[] => {
      if (other > key) return [];
      const pointer = `/relations/related/${index}`;
      return other === key
        ? [{ pointer, code: 'CONFLICT', message: 'is the term itself' }]
        : [{ pointer, code: 'CONFLICT', message: `belongs in the file of term/${other}, whose key comes first` }];
    });
    const objects = ((links as Members[] | undefined) ?? []).map((link) => objectOf(link).join('/'));
    const twice = objects.flatMap((name, index): Issue[] =>
      objects.indexOf(name) < index
        ? [{ pointer: `/links/${index}`, code: 'DUPLICATE', message: 'The object is linked twice.' }]
        : [],
    );
    return [...misplaced, ...twice];
  },
};

/** Sets are in the order of keys. */
export function foldBeside({ relations, links, ...file }: Members): Members {
  const sorted = (value: unknown) => (Array.isArray(value) ? value.toSorted() : value);
  const isMapping = typeof relations === 'object' && relations !== null;
  const keyed = Array.isArray(links) ? links.map((link) => [orderOf(...objectOf(link)), link] as const) : undefined;
  return {
    ...file,
    ...(isMapping && {
      relations: Object.fromEntries(Object.entries(relations).map(([name, others]) => [name, sorted(others)])),
    }),
    ...(keyed && { links: inOrder(keyed) }),
  };
}
