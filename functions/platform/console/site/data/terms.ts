import { api } from './client.ts';
import { type TreeTerm, treeOf } from './term-tree.ts';

/**
 * The glossary as a tree, from its export: the one reply that has the relations of all terms. Undefined if it is too
 * large to be a reply. A term with two broader ones is at both places.
 */
export async function readTermTree(): Promise<TreeTerm[] | undefined> {
  const reply = await api.terms.export({ accept: 'text/csv' });
  if (!reply.headers.get('content-type')?.startsWith('text/csv')) return undefined;
  return treeOf(await reply.text());
}
