import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import type { NamedTerm, Relation } from './records.ts';

/** What belongs to a term has a partition of its own. */
export const termItemKey = ({ workspaceId, id }: NamedTerm, sk: string): Key =>
  workspaceKey(workspaceId, `TERM#${id}`, sk);

/** The relations of all terms are together, so that an import or export reads them in one query. */
export const relationKey = ({ workspaceId, id }: NamedTerm, relation: Relation, otherId: string): Key =>
  workspaceKey(workspaceId, 'TERM-RELATIONS', `${id}#${relation}#${otherId}`);

/** Where the relations of a term are, or those of all terms. */
export const relationsBelow = (workspaceId: string, id?: string): Key =>
  workspaceKey(workspaceId, 'TERM-RELATIONS', id === undefined ? '' : `${id}#`);

export const linkKey = (term: NamedTerm, type: string, objectId: string): Key =>
  termItemKey(term, `LINK#${type}#${objectId}`);

/** The terms of an object, beside the links that the terms have. */
export const termOfObjectKey = (workspaceId: string, type: string, objectId: string, termId: string): Key =>
  workspaceKey(workspaceId, `TERMS-OF-OBJECT#${type}#${objectId}`, termId);

export const proposalKey = (term: NamedTerm, userId: string): Key => termItemKey(term, `PROPOSAL#${userId}`);

/** The relations that a restored term has yet to get back. */
export const keptRelationsKey = (term: NamedTerm): Key => termItemKey(term, 'KEPT-RELATIONS');

/** How many relations and links the term has. It cannot be deleted while there are any. */
export const usesKey = (term: NamedTerm): Key => termItemKey(term, 'USES');

/** Counts the changes of relations that must not form a circle. */
export const graphKey = (workspaceId: string): Key => workspaceKey(workspaceId, 'TERM-GRAPH', 'VERSION');
