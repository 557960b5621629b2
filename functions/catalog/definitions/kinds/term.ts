import * as Type from 'typebox';
import { foldTags, termMembers } from '../../../../shared/domains/catalog/terms/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { DefinitionKind } from './kind.ts';

const { name, definition, abbreviation, synonyms, hiddenSynonyms, examples, tags, exactMatch, status } = termMembers;

/** Owners, reviewers, relations and links are in no file, and stay. */
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
  }),
  references: {},
  fold: (file) => (Array.isArray(file.tags) ? { ...file, tags: foldTags(file.tags) } : file),

  accept({ proposal }) {
    if (proposal) throw new AppError('DEFINITION_PROPOSED');
  },
};
