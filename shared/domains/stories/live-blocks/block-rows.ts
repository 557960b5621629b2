import { type CardRows, type Reading, rowsOf } from '../../boards/cards/index.ts';
import type { ChartDeps } from '../../boards/charts/index.ts';
import type { ViewedBlock } from '../stories/index.ts';
import { type BlockCard, type BlockCardDeps, type BlockSection, blockCard } from './block-card.ts';

export type BlockRowsDeps = ChartDeps & BlockCardDeps;

/** The rows of a live block under the rights of its reader. Throws what `blockCard` and `rowsOf` throw. */
export async function blockRows(
  deps: BlockRowsDeps,
  viewed: Pick<ViewedBlock, 'block'> & { section: BlockSection },
  reading: Reading,
): Promise<BlockCard & { rows: CardRows }> {
  const { card, parts } = await blockCard(deps, reading.principal, viewed);
  return { card, parts, rows: await rowsOf(deps, parts, card, reading) };
}
