import { explorationOf } from '../../../../shared/data/charts/board-cards.ts';
import { type LiveBlock, liveBlocksOf } from '../../../../shared/data/rich-text/index.ts';
import { hasRows } from '../../../../shared/domains/boards/cards/index.ts';
import {
  type BlockCardDeps,
  blockCard,
  dashboardsOnce,
  missingBlock,
} from '../../../../shared/domains/stories/live-blocks/index.ts';
import type { Section } from '../../../../shared/domains/stories/stories/index.ts';
import type { PagedBlock } from '../../../../shared/domains/stories/story-pages/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';

const DEFAULT_HEIGHT = 8;

/** The live blocks of the sections as the reader sees them. Each dashboard is read once. */
export async function pagedBlocks(
  deps: BlockCardDeps,
  reader: Principal,
  sections: readonly Section[],
): Promise<Map<string, PagedBlock>> {
  const dashboardFor = dashboardsOnce(deps.dashboardFor);
  const placed = sections.flatMap((section) =>
    liveBlocksOf(section.content).map(({ part }) => ({ section, block: part })),
  );
  const shown = await Promise.all(
    placed.map(async (each) => [each.block.id, await pagedBlock({ dashboardFor }, reader, each)] as const),
  );
  return new Map(shown);
}

async function pagedBlock(
  deps: BlockCardDeps,
  reader: Principal,
  { section, block }: { section: Section; block: LiveBlock },
): Promise<PagedBlock> {
  try {
    const { card, parts } = await blockCard(deps, reader, { section, block });
    const paged = { ...card, id: block.id, hasRows: hasRows(card) };
    return {
      card: {
        ...paged,
        hasOwnZone: explorationOf(card.chartSpec?.query.source.kind).hasOwnZone || parts.timezone !== null,
      },
      height: block.height ?? (block.source.kind === 'card' ? card.position.h : DEFAULT_HEIGHT),
    };
  } catch (error) {
    const problem = missingBlock(error);
    if (problem === undefined) throw error;
    return { problem, height: DEFAULT_HEIGHT };
  }
}
