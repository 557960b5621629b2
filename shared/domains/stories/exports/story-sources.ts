import { inlineValuesOf, liveBlocksOf } from '../../../data/rich-text/index.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { namedCard, queryOf } from '../../boards/cards/index.ts';
import type { ChartSpec } from '../../boards/charts/index.ts';
import { blockCard } from '../live-blocks/index.ts';
import { type Section, type SeenStory, viewedText } from '../stories/index.ts';
import type { StoryContentDeps } from './read-text.ts';

type Source = ChartSpec['query']['source'];

/** The sources of the values of metrics in the texts. */
export const metricsOf = (sections: readonly Pick<Section, 'content'>[]): Source[] =>
  sections.flatMap(({ content }) =>
    inlineValuesOf(content).flatMap(({ part: { source } }) =>
      'metricId' in source ? [{ kind: 'metric' as const, id: source.metricId }] : [],
    ),
  );

/**
 * What the published version reads, or the draft until there is one, with the names by which readers know it. Without
 * the cards of dashboards that the caller does not see.
 */
export async function storySources(
  deps: StoryContentDeps,
  principal: Principal,
  seen: SeenStory,
): Promise<{ name: string; source: Source }[]> {
  const { sections } = await viewedText(deps.stories, seen, 'published');
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
  const values = metricsOf(sections).map((source) => ({ name: 'a value in the text', source }));
  return [...found, ...values];
}
