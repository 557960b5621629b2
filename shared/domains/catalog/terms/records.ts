import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, Name, Nullable, Revision, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';

export const TERM_STATUSES = ['draft', 'in_review', 'approved', 'deprecated'] as const;
export type TermStatus = (typeof TERM_STATUSES)[number];

/** What has been approved changes by proposals, unless a reviewer changes it. */
export const isProtected = ({ status }: { status: TermStatus }): boolean =>
  status === 'approved' || status === 'deprecated';

const names = (description: string) => Type.Array(Name, { maxItems: 50, uniqueItems: true, description });
const people = (description: string) => Type.Array(Id, { maxItems: 20, uniqueItems: true, description });

/** The members of a term that people write. */
export const termMembers = {
  name: Type.Unsafe<string>({ ...Name, description: 'Unique within the workspace; case does not matter.' }),
  definition: Type.String({
    minLength: 1,
    maxLength: 10_000,
    pattern: '\\S',
    description: 'What the term means, as plain text.',
  }),
  abbreviation: Nullable(Type.Unsafe<string>({ ...Name, maxLength: 50, description: 'Such as `ARR`.' })),
  synonyms: names('Other names of the term.'),
  hiddenSynonyms: names('Misspellings and old names by which the term is found, but which are not recommended.'),
  examples: Nullable(Type.String({ maxLength: 5_000, description: 'How the term is used, as plain text.' })),
  tags: Type.Array(Type.Unsafe<string>({ ...Name, maxLength: 64 }), {
    maxItems: 20,
    description: 'Words that group terms. They are kept in lower case, each once.',
  }),
  exactMatch: Type.Array(Type.String({ format: 'uri', maxLength: 500 }), {
    maxItems: 20,
    uniqueItems: true,
    description: 'The addresses of the same term in other glossaries.',
  }),
  ownerIds: people('The members who answer for the term.'),
  reviewerIds: people(
    'The members who approve the term, besides admins. Only reviewers change them later, and only admins name themselves. Those who leave the workspace are reviewers no more, also if they come back.',
  ),
  status: StringEnum(TERM_STATUSES, {
    description:
      'Only reviewers set `approved` and `deprecated`. Changes of such terms by others become proposals; the approved text stays.',
  }),
};

export const termRecord = {
  id: Id,
  workspaceId: Id,
  ...termMembers,
  createdBy: Id,
  updatedBy: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  revision: Revision,
};

const ShownTerm = Type.Object(termRecord);
/** A term as people see it. */
export type ShownTerm = Static<typeof ShownTerm>;

export interface TermRecord extends ShownTerm {
  /** The memberships of the reviewers when they were named, by user id: a person who comes back is not one again. */
  reviewerMemberships: Readonly<Record<string, string | null>>;
}

export type TermContent = Pick<ShownTerm, keyof typeof termMembers>;

export interface Membership {
  membershipId?: string | undefined;
}

/** To store with the reviewers. */
export const membershipsOf = (
  members: ReadonlyMap<string, Membership>,
  reviewerIds: readonly string[],
): TermRecord['reviewerMemberships'] =>
  Object.fromEntries(reviewerIds.map((userId) => [userId, members.get(userId)?.membershipId ?? null]));

/** Whether the person was named as a reviewer under this membership. */
export const isNamedReviewer = (
  { reviewerIds, reviewerMemberships }: Pick<TermRecord, 'reviewerIds' | 'reviewerMemberships'>,
  { userId, membershipId }: Membership & { userId: string },
): boolean => reviewerIds.includes(userId) && reviewerMemberships[userId] === (membershipId ?? null);

/** The members of the content that differ. */
export function changedContent(term: TermContent, change: Partial<TermContent>): Partial<TermContent> {
  const members = (Object.keys(change) as (keyof TermContent)[]).filter(
    (member) => JSON.stringify(change[member]) !== JSON.stringify(term[member]),
  );
  return Object.fromEntries(members.map((member) => [member, change[member]]));
}

export const foldTags = (tags: readonly string[]): string[] => [
  ...new Set(tags.map((tag) => tag.trim().normalize('NFKC').toLowerCase())),
];

export const PROPOSAL_STATES = ['open', 'accepted', 'rejected'] as const;

/** A change of an approved term by someone who may not approve it. A person has one for each term. */
export interface TermProposal {
  id: string;
  workspaceId: string;
  termId: string;
  proposedBy: string;
  /** The proposed members, and what they were when they were proposed. */
  changes: Partial<TermContent>;
  before: Partial<TermContent>;
  state: (typeof PROPOSAL_STATES)[number];
  reason: string | null;
  decidedBy: string | null;
  decidedAt: string | null;
  createdAt: string;
}

export const RELATIONS = ['broader', 'narrower', 'related', 'replacedBy', 'replaces'] as const;
export type Relation = (typeof RELATIONS)[number];

export const LINK_ROLES = ['means', 'measuredBy', 'about'] as const;

/** What terms are linked to. */
export const LINKED_TYPES = ['dataset', 'saved-query', 'model', 'metric', 'dashboard', 'report', 'story'] as const;

export interface TermLink {
  type: (typeof LINKED_TYPES)[number];
  objectId: string;
  role: (typeof LINK_ROLES)[number];
  createdBy: string;
  createdAt: string;
}

export interface NamedTerm {
  workspaceId: string;
  id: string;
}
