import * as Type from 'typebox';
import { foldTags, termMembers } from '../../../../shared/domains/catalog/terms/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { DefinitionKind } from './kind.ts';
import {
  besideTerm,
  foldBeside,
  termLinks as links,
  termRelations as relations,
  termReferences,
} from './term-relations.ts';

const { name, definition, abbreviation, synonyms, hiddenSynonyms, examples, tags, exactMatch, status } = termMembers;

/** Owners and reviewers are in no file, and stay. */
export const term: DefinitionKind = {
  kind: 'term',
  isWholeInLists: true,
  members: Type.Object({
    name,
    definition,
    abbreviation: { ...abbreviation, default: null },
    synonyms: { ...synonyms, default: [] },
    hiddenSynonyms: { ...hiddenSynonyms, default: [] },
    examples: { ...examples, default: null },
    tags: { ...tags, default: [] },
    exactMatch: { ...exactMatch, default: [] },
    status: { ...status, default: 'draft' },
    relations,
    links,
  }),
  references: termReferences,
  beside: besideTerm,
  later: ['relations'],
  fold: (file) => foldBeside(Array.isArray(file.tags) ? { ...file, tags: foldTags(file.tags) } : file),
  take: ({ relations: _relations, links: _links, ...members }) => members,

  accept({ proposal }) {
    if (proposal) throw new AppError('DEFINITION_PROPOSED');
  },
};
