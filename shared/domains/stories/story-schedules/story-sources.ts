import { liveBlocksOf } from '../../../data/rich-text/index.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { namedCard, queryOf } from '../../boards/cards/index.ts';
import type { ChartSpec } from '../../boards/charts/index.ts';
import { type BlockCardDeps, blockCard, valueSources } from '../live-blocks/index.ts';
import { type SeenStory, type ViewedStoryDeps, viewedText } from '../stories/index.ts';

export type StorySourceDeps = BlockCardDeps & ViewedStoryDeps;

type Source = ChartSpec['query']['source'];

/**
 * What the published version reads, or the draft until there is one, with the names by which readers know it. Without
 * the cards of dashboards that the caller does not see.
 */
export async function storySources(
  deps: StorySourceDeps,
  principal: Principal,
  seen: SeenStory,
): Promise<{ name: string; source: Source }[]> {
  const { sections } = await viewedText(deps, seen, 'published');
  const found: { name: string; source: Source }[] = [];
  for (const section of sections) {
    for (const { part: block } of liveBlocksOf(section.content)) {
      try {
        const { card } = await blockCard(deps, principal, { section, block });
        found.push({ name: namedCard({ id: block.id, title: card.title }, 'block'), source: queryOf(card).source });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }
  }
  const values = valueSources(sections).map((source) => ({ name: 'a value in the text', source }));
  return [...found, ...values];
}
