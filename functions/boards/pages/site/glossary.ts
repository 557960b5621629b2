import { glossary, type Term, type Terms } from '../../browser/terms.ts';
import { call } from './api.ts';

/** The glossary as members of the workspace read it. */
export const memberGlossary = (): Terms =>
  glossary(async (names) => {
    const query = `status=approved&limit=200&names=${encodeURIComponent(names)}`;
    return (await (await call('GET', `/api/catalog/terms?${query}`)).json()) as { items: Term[] };
  });
