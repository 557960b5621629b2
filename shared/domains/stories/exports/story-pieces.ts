import { type Block, type LiveBlock, liveBlockOf, plainText, type RichText } from '../../../data/rich-text/index.ts';
import type { NamedSection, ShownValues } from './story-article.ts';

/** What stands below each other in an email. */
export type StoryPiece =
  | { kind: 'heading' | 'text'; text: string }
  | { kind: 'divider' }
  | { kind: 'block'; block: LiveBlock };

/** A section from top to bottom. Texts in a row are one piece. Values without a known text are hidden. */
export function piecesOf(section: NamedSection, values: ShownValues): StoryPiece[] {
  const valueText = (valueId: string) => values.get(section.id)?.get(valueId) ?? '—';
  const pieces = runsOf(section.content).map((run): StoryPiece => {
    const block = run[0]!;
    if (block.type === 'divider') return { kind: 'divider' };
    if (block.type === 'liveBlock') return { kind: 'block', block: liveBlockOf(block) };
    const text = plainText({ type: 'doc', content: run }, { valueText });
    return { kind: block.type === 'heading' ? 'heading' : 'text', text };
  });
  return section.title ? [{ kind: 'heading', text: section.title }, ...pieces] : pieces;
}

const STAND_ALONE: readonly string[] = ['liveBlock', 'divider', 'heading'];

/** Blocks that are one piece: texts in a row are, all others stand alone. */
function runsOf({ content }: RichText): Block[][] {
  const runs: Block[][] = [];
  for (const block of content) {
    const last = runs.at(-1);
    const isJoined = last && ![last[0]!, block].some(({ type }) => STAND_ALONE.includes(type));
    if (isJoined) last.push(block);
    else runs.push([block]);
  }
  return runs;
}
