import { hasRows } from '../../../../shared/domains/boards/cards/index.ts';
import type { CardRecord } from '../../../../shared/domains/boards/dashboards/index.ts';
import { readableMessage } from '../../../../shared/platform/errors/readable-message.ts';
import type { Block, BlockPicture } from '../../../../shared/platform/mail/compose.ts';
import { type CardResult, textOfCard } from './mailed-cards.ts';

const MAX_BLOCKS = 24;
const MAX_TEXT = 6_000;

/** What an email shows of the cards, in reading order. Cards beyond its limits are counted. */
export async function mailBlocks(
  cards: readonly CardRecord[],
  results: readonly CardResult[],
  pictures: ReadonlyMap<string, BlockPicture>,
): Promise<{ blocks: Block[]; leftOutCount: number }> {
  const { blockOf } = await import('./card-blocks.ts');
  const byId = new Map(results.map((result) => [result.card.id, result]));
  const blocks = cards.flatMap((card): Block[] => {
    const result = byId.get(card.id);
    if (!result) return hasRows(card) ? [] : [textBlock(card)];
    if ('error' in result) {
      const text = `This card could not be read: ${readableMessage(result.error)}`;
      return [{ name: card.title, text }];
    }
    const { columns, rowsJson, truncated } = result.rows;
    const block = blockOf({
      title: card.title,
      look: card.chartSpec ?? undefined,
      columns,
      rows: JSON.parse(rowsJson) as unknown[][],
      truncated,
    });
    const picture = pictures.get(card.id);
    return ['columns' in block && picture ? { ...block, picture } : block];
  });
  const shown = blocks.slice(0, MAX_BLOCKS);
  return { blocks: shown, leftOutCount: cards.length - shown.length };
}

const textBlock = (card: CardRecord): Block => ({ name: card.title, markdown: cutBetweenLines(textOfCard(card)) });

/** Markup is not divided. */
function cutBetweenLines(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const end = text.lastIndexOf('\n', MAX_TEXT);
  return `${text.slice(0, end < 0 ? MAX_TEXT : end).trimEnd()}\n\n…`;
}
