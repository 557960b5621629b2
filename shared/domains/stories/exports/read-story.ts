import { type LiveBlock, liveBlocksOf } from '../../../data/rich-text/index.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { hasRows } from '../../boards/cards/index.ts';
import { chartContent, fixedContent, problemOf, readingMs } from '../../boards/exports/index.ts';
import { blockCard, type BlockCard, type DashboardOfCard, inlineValues, liveValues, missingBlock } from '../live-blocks/index.ts';
import { openBlock, type SnapshotDeps, snapshotValues } from '../snapshots/index.ts';
import {
  type NamedStory,
  type Section,
  seenStory,
  type StoryView,
  type ViewedBlock,
  type ViewedStory,
  type ViewedStoryDeps,
  viewedText,
  visibleSections,
} from '../stories/index.ts';
import type { ShownBlock } from './story-cards.ts';

const BLOCKS_AT_ONCE = 8;

export type StoryContentDeps = SnapshotDeps & { stories: ViewedStoryDeps };

/** What the reader sees of a story, with its rows and values. */
export interface ReadStory {
  title: string;
  summary: string | null;
  sections: Section[];
  blocks: Map<string, ShownBlock>;
  values: Map<string, Map<string, string>>;
}

interface Reading extends NamedStory {
  view: StoryView;
  timezone?: string | undefined;
  leftMs(): number;
  onError(error: unknown): void;
}

/** Throws `STORY_NOT_FOUND`. */
export async function readStory(deps: StoryContentDeps, { id, view, ...reading }: Reading): Promise<ReadStory> {
  const { principal } = reading;
  const viewed = await viewedText(deps.stories, await seenStory(deps.stories, { principal, id }), view);
  const { title, summary } = viewed;
  const sections = await visibleSections(deps.stories, principal, viewed.sections);
  const each = { ...deps, dashboardFor: readOnce(deps.dashboardFor) };
  const [blocks, values] = await Promise.all([
    readBlocks(each, { ...viewed, sections }, reading),
    readValues(each, { ...viewed, sections }, reading),
  ]);
  return { title, summary, sections, blocks, values };
}

/** Blocks with cards of one dashboard share it. */
function readOnce(read: SnapshotDeps['dashboardFor']): SnapshotDeps['dashboardFor'] {
  const known = new Map<string, Promise<DashboardOfCard>>();
  return (principal, id) => {
    const found = known.get(id) ?? read(principal, id);
    known.set(id, found);
    return found;
  };
}

type BlockReading = Omit<Reading, 'id' | 'view'>;

async function readBlocks(
  deps: SnapshotDeps,
  { sections, ...viewed }: ViewedStory,
  reading: BlockReading,
): Promise<ReadStory['blocks']> {
  const placed = sections.flatMap((section) =>
    liveBlocksOf(section.content).map(({ part: block }) => ({ ...viewed, section, block })),
  );
  const read: ReadStory['blocks'] = new Map();
  await inParallel(BLOCKS_AT_ONCE, placed, async (each) => {
    read.set(each.block.id, await readBlock(deps, each, reading));
  });
  return read;
}

async function readBlock(
  deps: SnapshotDeps,
  viewed: ViewedBlock,
  { principal, timezone, leftMs, onError }: BlockReading,
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
  viewed: { block: LiveBlock; section: Section },
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

async function readValues(
  deps: SnapshotDeps,
  { record, version, mode, sections }: ViewedStory,
  { principal, onError }: BlockReading,
): Promise<ReadStory['values']> {
  const isKept = version !== null && mode === 'snapshot';
  const reader = isKept ? snapshotValues(deps, principal, record) : liveValues(deps, principal);
  const found = await inlineValues(reader, sections, { onError });
  return new Map([...found].map(([id, values]) => [id, new Map(values.map((value) => [value.id, value.now]))]));
}
