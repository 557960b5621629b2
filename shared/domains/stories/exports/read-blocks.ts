import type { Principal } from '../../../platform/auth/principal.ts';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { hasRows } from '../../boards/cards/index.ts';
import { chartContent, fixedContent, problemOf, readingMs } from '../../boards/exports/index.ts';
import { type BlockCard, blockCard, missingBlock } from '../live-blocks/index.ts';
import { openBlock, type SnapshotDeps } from '../snapshots/index.ts';
import type { ViewedBlock } from '../stories/index.ts';
import type { ShownBlock } from './story-article.ts';

const BLOCKS_AT_ONCE = 8;

interface Reading {
  principal: Principal;
  timezone?: string | undefined;
  leftMs(): number;
  onError(error: unknown): void;
}

/** The live blocks with the rows that their reader may see, or why there are none. */
export async function readBlocks(
  deps: SnapshotDeps,
  blocks: readonly ViewedBlock[],
  reading: Reading,
): Promise<Map<string, ShownBlock>> {
  const read = new Map<string, ShownBlock>();
  await inParallel(BLOCKS_AT_ONCE, blocks, async (each) => {
    read.set(each.block.id, await readBlock(deps, each, reading));
  });
  return read;
}

async function readBlock(
  deps: SnapshotDeps,
  viewed: ViewedBlock,
  { principal, timezone, leftMs, onError }: Reading,
): Promise<ShownBlock> {
  const { source, title = '' } = viewed.block;
  try {
    const fixed = await fixedCard(deps, principal, viewed);
    if (fixed) return { title: fixed.title, height: fixed.position.h, content: fixedContent(fixed) };
    const timeoutMs = readingMs(leftMs());
    const { card, rows } = await openBlock(deps, viewed, { principal, filters: [], timezone, timeoutMs });
    const height = source.kind === 'card' ? card.position.h : undefined;
    return { title: card.title, height, content: chartContent(card, rows) };
  } catch (error) {
    const problem = missingBlock(error) ?? problemOf(error, { onError });
    return { title, content: { kind: 'problem', problem } };
  }
}

/** A text or an image of a dashboard, which has no rows that a snapshot could keep. */
async function fixedCard(
  deps: SnapshotDeps,
  principal: Principal,
  viewed: ViewedBlock,
): Promise<BlockCard['card'] | undefined> {
  if (viewed.block.source.kind !== 'card') return undefined;
  try {
    const { card } = await blockCard(deps, principal, viewed);
    return hasRows(card) ? undefined : card;
  } catch (error) {
    // A snapshot has the card of a dashboard that has changed since.
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
