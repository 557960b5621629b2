import type { Principal as UserValues } from '../../../data/expressions/index.ts';
import type { LinkReading, Principal } from '../../../platform/auth/principal.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { attributesOf } from '../../identity/mapped-attributes/index.ts';
import { groupsOf } from '../../tenancy/groups/index.ts';
import type { PolicySubject } from '../models/index.ts';
import { once } from './once.ts';

/** The one who reads, as policies see them. */
export interface Reader {
  /** Whom policies may apply to. */
  subjects: readonly PolicySubject[];
  /** The values of `user.…`: `groups` are names. The lists are sorted, so that equal readers share cached results. */
  values: UserValues;
  /** Whether `user.email` is known; a policy that reads it is not met otherwise. */
  hasEmail: boolean;
  /** Sensitivity labels in lower case whose columns the reader may see. */
  labels: ReadonlySet<string>;
}

/** The attribute with the labels of the columns that a person may see. */
const LABELS = 'sensitivityLabels';

export async function readerOf(table: Table, principal: Principal): Promise<Reader> {
  if (principal.link) return linkReader(principal.link, principal.credentialId);
  const isPerson = principal.kind === 'user';
  const [attributes, groups] = await Promise.all([
    attributesOf(table, principal),
    isPerson ? groupsOf(table, principal) : [],
  ]);
  const { userId, credentialId, serviceAccountId, role, email } = principal;
  // A key has its own attributes and none of the rights of the person who created it.
  const self: PolicySubject[] = isPerson
    ? [{ type: 'user', id: userId }, ...groups.map(({ id }) => ({ type: 'group' as const, id }))]
    : [{ type: 'apiKey', id: credentialId }];
  return {
    subjects: [{ type: 'everyone' }, { type: 'role', id: role }, ...self],
    values: {
      id: isPerson ? userId : (serviceAccountId ?? credentialId),
      email: isPerson ? (email ?? '') : '',
      role,
      groups: groups.map(({ name }) => name).sort(),
      attributes: sorted(attributes),
    },
    hasEmail: isPerson && email !== undefined,
    labels: labelsIn(attributes),
  };
}

/** Readers of a link have no role, no groups and no email: policies that ask for one of these show them nothing. */
function linkReader({ type, attributes }: LinkReading, id: string): Reader {
  return {
    subjects: [{ type: 'everyone' }, { type }, { type, id }],
    values: { id, email: '', role: '', groups: [], attributes: sorted(attributes) },
    hasEmail: false,
    labels: labelsIn(attributes),
  };
}

/** Reads the reader with the first call. */
export const readerOnce = (table: Table, principal: Principal): (() => Promise<Reader>) =>
  once(() => readerOf(table, principal));

function sorted(attributes: LinkReading['attributes']): UserValues['attributes'] {
  const names = Object.keys(attributes).sort();
  return Object.fromEntries(
    names.map((name) => {
      const value = attributes[name]!;
      return [name, typeof value === 'string' ? value : value.toSorted()];
    }),
  );
}

function labelsIn(attributes: LinkReading['attributes']): ReadonlySet<string> {
  const labels = Object.hasOwn(attributes, LABELS) ? attributes[LABELS]! : [];
  return new Set([labels].flat().map((label) => label.toLowerCase()));
}

export const mayReadLabel = ({ labels }: Pick<Reader, 'labels'>, label: string): boolean =>
  labels.has(label.toLowerCase());

export const isAmong = ({ subjects }: Pick<Reader, 'subjects'>, subject: PolicySubject): boolean =>
  subjects.some(({ type, id }) => type === subject.type && id === subject.id);
