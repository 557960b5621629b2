import {
  blockText,
  findQuote,
  newAnchor,
  type Quote,
  reanchor,
  type TextAnchor,
} from '../../../data/rich-text/index.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { grantReader } from '../../tenancy/grants/index.ts';
import type { AnchoredText, QuotedText } from '../../tenancy/subjects/index.ts';
import { type StoryPlace, sectionKey } from './keys.ts';
import type { Section } from './records.ts';
import { storySight } from './sight.ts';
import { storyStore } from './store.ts';
import { storyVersions } from './versions.ts';

/**
 * Finds the quoted words in the text that the reader sees, and then in the draft, in which they are followed. Throws
 * `VALIDATION_FAILED` if the words are not there, or not only once.
 */
export async function anchorText<T extends QuotedText>(
  table: Table,
  reader: Principal,
  storyId: string,
  text: T,
): Promise<AnchoredText<T>> {
  const place = { workspaceId: reader.workspaceId, storyId };
  const store = storyStore(table);
  const [state, grant] = await Promise.all([store.read(place), grantReader(table, 'story')(reader, storyId)]);
  const sight = state && storySight({ ...reader, scope: null }, state.record, grant);
  if (!sight) throw invalid({ pointer: '/context', code: 'UNKNOWN_PART', message: 'The story does not exist' });
  if (sight.seesDraft) {
    const record = state.sections.find(({ id }) => id === text.sectionId);
    const sections = record ? await store.withContents(place, [record]) : [];
    return anchored(table, place, text, { anchor: anchorIn(sections, text), seq: record?.textSeq });
  }
  const { sections: seen } = await storyVersions(table).read(place, state.record.published!.version);
  const anchor = anchorIn(seen, text);
  const drafts = await store.withContents(place, state.sections);
  const [found] = reanchor([anchor], seen, drafts) as [TextAnchor];
  const seq = state.sections.find(({ id }) => id === found.place.sectionId)?.textSeq;
  return anchored(table, place, text, { anchor: found, seq });
}

function anchorIn(sections: readonly Section[], { sectionId, blockId, quote }: QuotedText): TextAnchor {
  const section = sections.find(({ id }) => id === sectionId);
  const block = section?.content.content.find(({ attrs }) => attrs.id === blockId);
  if (!block) {
    throw invalid({ pointer: '/context/blockId', code: 'UNKNOWN_PART', message: 'The section has no such block' });
  }
  const found = findQuote(blockText(block).text, quote);
  switch (found.kind) {
    case 'found':
      return newAnchor({ sectionId, blockId, start: found.start, quote: found.quote });
    case 'ambiguous': {
      const message = `is in the block ${found.count} times; add more of the text before and after it`;
      throw invalid({ pointer: '/context/quote', code: 'QUOTE_AMBIGUOUS', message });
    }
    default:
      throw invalid({
        pointer: '/context/quote/exact',
        code: 'QUOTE_GONE',
        message: 'is not in the text of the block',
      });
  }
}

const invalid = (issue: Issue) => new AppError('VALIDATION_FAILED', { errors: [issue] });

function anchored<T extends QuotedText>(
  table: Table,
  story: StoryPlace,
  text: T,
  { anchor: { written, place, state, score }, seq }: { anchor: TextAnchor; seq: number | undefined },
): AnchoredText<T> {
  const { sectionId, blockId, quote } = place;
  // Words whose section has changed meanwhile would have the place of another text.
  const unchanged: TransactItem = {
    ConditionCheck: {
      TableName: table.name,
      Key: sectionKey(story, sectionId),
      ConditionExpression: 'textSeq = :seq',
      ExpressionAttributeValues: { ':seq': seq },
    },
  };
  return {
    context: { ...text, sectionId, blockId, quote },
    anchor: { state, score, text: state === 'orphaned' ? null : quote.exact },
    words: { written, place, seq: seq ?? 0 },
    unchanged: seq === undefined ? [] : [unchanged],
  };
}

/** The same words in a text that a reader sees; undefined if they are not there, or not only once. */
export function quoteIn({ content }: Pick<Section, 'content'>, blockId: string, quote: Quote): Quote | undefined {
  const block = content.content.find(({ attrs }) => attrs.id === blockId);
  const found = block && findQuote(blockText(block).text, quote);
  return found?.kind === 'found' ? found.quote : undefined;
}
