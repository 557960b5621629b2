import { createHash } from 'node:crypto';
import { type Vector, vectorFromText, vectorToText } from '../../../../shared/domains/catalog/meaning/index.ts';
import type { Visible } from '../../../../shared/domains/catalog/search/index.ts';
import type { Missed, QueryVectors } from './query-vectors.ts';
import type { Meaning, NoMeaning } from './workspace-meaning.ts';

/** Why a search was answered by words alone. */
export type Fallback = NoMeaning | Missed;

/** The meaning that a search asks for, or why it asks for none; null if the words say everything. */
export type Asked = { vector: Vector; model: string } | Fallback | null;

/** As part of a cursor. */
export type SealedAsked = [vector: string, model: string] | Fallback | null;

/** Without a text, the words say everything. */
export async function askMeaning(
  vectorOf: QueryVectors,
  workspaceId: string,
  meaning: Meaning | NoMeaning,
  text: string | undefined,
): Promise<Asked> {
  if (text === undefined) return null;
  if (typeof meaning === 'string') return meaning;
  const vector = await vectorOf(workspaceId, meaning.model, text);
  return typeof vector === 'string' ? vector : { vector, model: digestOf(meaning) };
}

/** The visible objects that are closest to what was asked. */
export function nearestTo(
  asked: Asked,
  meaning: Meaning | NoMeaning,
  visible: Visible,
): { nearest?: string[]; fallback: Fallback | null } {
  if (typeof asked === 'string' || asked === null) return { fallback: asked };
  if (typeof meaning === 'string') return { fallback: meaning };
  // An earlier page asked another model.
  if (asked.model !== digestOf(meaning)) return { fallback: 'building' };
  return { nearest: meaning.nearest(asked.vector, visible), fallback: null };
}

export const sealAsked = (asked: Asked): SealedAsked =>
  typeof asked === 'object' && asked !== null ? [vectorToText(asked.vector), asked.model] : asked;

export const openAsked = (sealed: SealedAsked): Asked =>
  Array.isArray(sealed) ? { vector: vectorFromText(sealed[0]), model: sealed[1] } : sealed;

/** Short, because a cursor is. */
const digestOf = ({ model }: Meaning): string => createHash('sha256').update(model).digest('base64url').slice(0, 8);
