import type { Static } from 'typebox';
import * as Type from 'typebox';
import {
  LINK_ROLES,
  LINKED_TYPES,
  PROPOSAL_STATES,
  RELATIONS,
  TERM_STATUSES,
  termMembers,
  termRecord,
} from '../../../../shared/domains/catalog/terms/index.ts';
import { shownDefinition } from '../../../../shared/platform/http/managed-by.ts';
import {
  Id,
  idParams,
  ListQuery,
  Nullable,
  Page,
  StringEnum,
  searchedListQuery,
  Timestamp,
} from '../../../../shared/platform/http/schemas.ts';

export const TermParams = idParams('term');

const { name, definition, ...optional } = termMembers;

const withDefault = <S>(schema: S, value: unknown): S => ({ ...schema, default: value });

export const CreateTerm = Type.Object(
  {
    name,
    definition,
    abbreviation: withDefault(optional.abbreviation, null),
    synonyms: withDefault(optional.synonyms, []),
    hiddenSynonyms: withDefault(optional.hiddenSynonyms, []),
    examples: withDefault(optional.examples, null),
    tags: withDefault(optional.tags, []),
    exactMatch: withDefault(optional.exactMatch, []),
    ownerIds: withDefault(optional.ownerIds, []),
    reviewerIds: withDefault(optional.reviewerIds, []),
    status: withDefault(optional.status, 'draft'),
  },
  { $id: 'CreateTerm', description: 'A business term and what it means.' },
);
export type CreateTerm = Static<typeof CreateTerm>;

export const UpdateTerm = Type.Partial(Type.Object(termMembers), {
  $id: 'UpdateTerm',
  minProperties: 1,
  description: 'Fields to change; omitted fields keep their values.',
});
export type UpdateTerm = Static<typeof UpdateTerm>;

const shownTerm = { ...termRecord, ...shownDefinition };

export const Term = Type.Object(shownTerm, { $id: 'Term', description: 'A business term and what it means.' });
export type Term = Static<typeof Term>;

const RelatedTerm = Type.Object(
  { id: Id, name: Type.String(), status: StringEnum(TERM_STATUSES) },
  { $id: 'RelatedTerm', description: 'A term that another one is related to.' },
);

const RelatedTerms = (description: string) => Type.Array(RelatedTerm, { description });

const TermRelations = Type.Object(
  {
    broader: RelatedTerms('Terms that include this one.'),
    narrower: RelatedTerms('Terms that this one includes.'),
    related: RelatedTerms('Terms that have to do with this one.'),
    replacedBy: RelatedTerms('Terms to use instead.'),
    replaces: RelatedTerms('Terms that this one replaces.'),
  },
  { $id: 'TermRelations', description: 'How a term relates to others, by name.' },
);

const details = { ...shownTerm, relations: TermRelations };

export const TermDetails = Type.Object(details, {
  $id: 'TermDetails',
  description: 'A term with its relations. Its links are listed separately.',
});
export type TermDetails = Static<typeof TermDetails>;

export const TermProposal = Type.Object(
  {
    id: Id,
    termId: Id,
    proposedBy: Type.Unsafe<string>({ ...Id, description: 'The id of the user who proposed the change.' }),
    changes: Type.Partial(Type.Object(termMembers), {
      $id: 'ProposedTerm',
      description: 'The fields that would change, with their new values.',
    }),
    before: Type.Partial(Type.Object(termMembers), {
      $id: 'TermBeforeProposal',
      description: 'The same fields with the values that they had when the change was proposed.',
    }),
    state: StringEnum(PROPOSAL_STATES),
    reason: Nullable(Type.String({ description: 'Why it was rejected.' })),
    decidedBy: Nullable(Id),
    decidedAt: Nullable(Timestamp),
    createdAt: Timestamp,
  },
  {
    $id: 'TermProposal',
    description: 'A change to an approved or deprecated term by an editor who may not approve it.',
  },
);
export type TermProposal = Static<typeof TermProposal>;

export const UpdatedTerm = Type.Object(
  { ...details, proposal: Nullable(TermProposal) },
  {
    $id: 'UpdatedTerm',
    description: 'The term as it is stored. If the change was proposed rather than made, `proposal` contains it.',
  },
);
export type UpdatedTerm = Static<typeof UpdatedTerm>;

export const TermPage = Page(Term);

export const TermListQuery = Type.Object({
  ...searchedListQuery('terms', { texts: 'name, abbreviation, synonyms or definition' }).properties,
  status: Type.Optional(StringEnum(TERM_STATUSES, { description: 'Only terms with this status.' })),
  names: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4_000,
      description:
        'Only terms that go by one of these names, such as labels of columns: as the name, the abbreviation or a synonym. Separate them with `|`. Case does not matter, and an underscore is like a space. In a workspace with more than 5,000 terms, only names are compared.',
    }),
  ),
  deleted: Type.Boolean({
    default: false,
    description:
      'Lists the terms that were deleted and can be restored, instead of all others: as they were, with `updatedAt` and `updatedBy` of their deletion. Only for those who may write terms.',
  }),
});
export type TermListQuery = Static<typeof TermListQuery>;

export const RestoreTerm = Type.Object(
  {
    name: Type.Optional(
      Type.Unsafe<string>({ ...name, description: 'Another name, if its own has been taken since.' }),
    ),
  },
  { $id: 'RestoreTerm', description: 'How to restore a deleted term.' },
);
export type RestoreTerm = Static<typeof RestoreTerm>;

export const DeleteTermQuery = Type.Object({
  detach: Type.Boolean({
    default: false,
    description: 'Whether to remove the relations and links of the term, so that it can be deleted.',
  }),
});

export const DeletedTerm = Type.Object({ id: Id }, { $id: 'DeletedTerm', description: 'The deleted term.' });

export const RelationParams = Type.Object({
  ...TermParams.properties,
  relation: StringEnum(RELATIONS, { description: 'What the other term is to this one.' }),
  termId: Type.String({ format: 'uuid', description: 'The id of the other term.' }),
});

export const LinkParams = Type.Object({
  ...TermParams.properties,
  type: StringEnum(LINKED_TYPES, { description: 'The kind of the object.' }),
  objectId: Type.String({ format: 'uuid', description: 'The id of the object.' }),
});

const LinkRole = StringEnum(LINK_ROLES, {
  description:
    '`means`: the object is what the term names. `measuredBy`: the object measures it. `about`: the object has to do with it.',
});

export const SetTermLink = Type.Object(
  { role: LinkRole },
  { $id: 'SetTermLink', description: 'What the object has to do with the term.' },
);

export const TermLink = Type.Object(
  {
    type: StringEnum(LINKED_TYPES),
    objectId: Id,
    name: Type.String({ description: 'The name of the object.' }),
    role: LinkRole,
    createdBy: Id,
    createdAt: Timestamp,
  },
  { $id: 'TermLink', description: 'An object that a term describes.' },
);
export type TermLink = Static<typeof TermLink>;

export const TermLinkPage = Page(TermLink);
export const TermProposalPage = Page(TermProposal);
export { ListQuery as TermItemsQuery };

export const ProposalParams = Type.Object({
  ...TermParams.properties,
  proposalId: Type.String({ format: 'uuid', description: 'The id of the proposal.' }),
});

export const RejectTermProposal = Type.Object(
  {
    reason: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2_000, description: 'The reason, for the author of the proposal.' }),
    ),
  },
  { $id: 'RejectTermProposal', description: 'Why the change is rejected.' },
);
