import type { SearchDocument, Visible } from '../search/index.ts';
import { textHashOf } from './texts.ts';
import { cosine, type Vector, type Vectors } from './vectors.ts';

/** Candidates beyond these would not change the order of results noticeably. */
const MAX_CANDIDATES = 200;

/** Documents with the vectors of their texts. */
export interface EmbeddedTexts {
  embedded: readonly { key: string; vector: Vector }[];
  /** A document for each text that has no vector yet, by the hash of the text. */
  missing: ReadonlyMap<string, SearchDocument>;
  /** The vectors whose texts still exist. */
  kept: ReadonlyMap<string, Vector>;
}

export function matchVectors(documents: Iterable<SearchDocument>, vectors: Vectors): EmbeddedTexts {
  const embedded: { key: string; vector: Vector }[] = [];
  const missing = new Map<string, SearchDocument>();
  const kept = new Map<string, Vector>();
  for (const document of documents) {
    const hash = textHashOf(document);
    const vector = vectors.get(hash);
    if (vector) {
      kept.set(hash, vector);
      embedded.push({ key: document.key, vector });
    } else missing.set(hash, document);
  }
  return { embedded, missing, kept };
}

/** The keys of the visible documents that are at least so close to the query, closest first. */
export function findNearest(
  { embedded }: Pick<EmbeddedTexts, 'embedded'>,
  { query, threshold, visible }: { query: Vector; threshold: number; visible: Visible },
): string[] {
  const close: { key: string; closeness: number }[] = [];
  for (const { key, vector } of embedded) {
    const closeness = cosine(query, vector);
    if (closeness >= threshold) close.push({ key, closeness });
  }
  close.sort((a, b) => b.closeness - a.closeness || (a.key < b.key ? -1 : 1));
  const found: string[] = [];
  for (const { key } of close) {
    if (found.length === MAX_CANDIDATES) break;
    if (visible.has(key)) found.push(key);
  }
  return found;
}
