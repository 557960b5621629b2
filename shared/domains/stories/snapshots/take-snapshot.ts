import { inlineValuesOf, type LiveBlock, liveBlocksOf } from '../../../data/rich-text/index.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type CardRows, queryOf, rowsOf } from '../../boards/cards/index.ts';
import { type BlockCard, type BlockRowsDeps, type BlockSection, blockCard, metricShown } from '../live-blocks/index.ts';
import type { StoryPlace } from '../stories/index.ts';
import { pinnedClass } from './pinned-class.ts';
import { isRepeatable, pinnedDeps } from './pinned-deps.ts';
import { blockPinKey, metricPinKey, type Pin, type PinnedSource } from './pins.ts';
import { type ResolvedSource, resolveSource } from './resolve-source.ts';
import type { PinsPlace, SnapshotStore } from './snapshot-store.ts';

const AT_ONCE = 8;
/** The gateway waits for 29 seconds, and publishing does more than this. */
const BUDGET_MS = 15_000;
const MIN_MS = 500;

export interface TakeSnapshot {
  place: StoryPlace;
  pinsId: string;
  takenAt: Date;
  publisher: Principal;
  name: string;
  sections: readonly BlockSection[];
  onError(error: unknown): void;
}

/** A question of the story: the rows of a block, or the value of a metric. */
interface Asked {
  key: string;
  sectionId: string;
  blockId: string | null;
  card: BlockCard | null;
  resolved: ResolvedSource | undefined;
  answer(deps: BlockRowsDeps, timeoutMs: number): Promise<unknown>;
}

/** A live block whose rows are not stored. */
export interface NotKept {
  sectionId: string;
  blockId: string;
}

/**
 * Stores what the story shows: the versions and definitions that each question reads, and the answer that the publisher
 * gets. A question that cannot be answered is left without one. Returns the live blocks whose rows are not stored.
 */
export async function takeSnapshot(
  deps: BlockRowsDeps,
  store: SnapshotStore,
  { place: story, pinsId, takenAt, publisher, name, sections, onError }: TakeSnapshot,
): Promise<NotKept[]> {
  const place: PinsPlace = { ...story, pinsId };
  const until = performance.now() + BUDGET_MS;
  const asked = await questionsOf(deps, publisher, sections);
  const datasets = new Map(
    asked.flatMap(({ resolved }) =>
      (resolved?.from.datasets ?? []).map((each) => [`${each.id}#${each.version}`, each]),
    ),
  );
  const lost = await store.begin(place, takenAt, [...datasets.values()]);
  const isLost = ({ datasets: read }: PinnedSource) => read.some(({ id }) => lost.some((each) => each.id === id));
  const models = new Map(
    asked.flatMap(({ resolved }) => resolved?.definitions ?? []).map((each) => [each.model.id, each]),
  );
  for (const definition of models.values()) await store.writeModel(place, definition);
  const pins = new Map<string, Pin>();
  await inParallel(AT_ONCE, asked, async ({ key, card, resolved, answer }) => {
    const pin: Pin = {
      key,
      from: resolved?.from ?? null,
      card: card && withoutSummary(card.card),
      filters: card?.parts.filters ?? [],
      timezone: card?.parts.timezone ?? null,
      theme: card?.parts.theme ?? null,
      rightsClass: null,
      hasStored: false,
    };
    pins.set(key, pin);
    const leftMs = Math.floor(until - performance.now());
    if (!resolved || leftMs < MIN_MS) return;
    try {
      const isRepeated = isRepeatable(resolved.from) && !isLost(resolved.from);
      const reading = isRepeated ? pinnedDeps(deps, { ...resolved, takenAt }) : { ...deps, now: () => takenAt };
      // Rows that are read while rights change could be those of other rights than the class.
      const before = await pinnedClass(deps, publisher, resolved);
      const stored = await answer(reading, leftMs);
      const after = await pinnedClass(deps, publisher, resolved);
      if (before === null || before.lasting !== after?.lasting) return;
      const hasStored = await store.writeStored(place, key, stored);
      pins.set(key, { ...pin, rightsClass: before, hasStored });
    } catch (error) {
      if (!(error instanceof AppError)) onError(error);
    }
  });
  const by = { userId: publisher.userId, name };
  await store.writePins(place, { id: pinsId, takenAt: takenAt.toISOString(), by, pins: [...pins.values()] });
  return asked.flatMap(({ key, sectionId, blockId }) =>
    blockId !== null && !pins.get(key)!.hasStored ? [{ sectionId, blockId }] : [],
  );
}

async function questionsOf(
  deps: BlockRowsDeps,
  publisher: Principal,
  sections: readonly BlockSection[],
): Promise<Asked[]> {
  const { workspaceId } = publisher;
  const blocks = sections.flatMap((section) =>
    liveBlocksOf(section.content).flatMap(({ part: block }) =>
      block.source.kind === 'slot' ? [] : [{ section, block }],
    ),
  );
  const metrics = new Map(
    sections.flatMap((section) =>
      inlineValuesOf(section.content).flatMap(({ part: { source } }) =>
        'metricId' in source ? [[metricPinKey(source), { source, sectionId: section.id }] as const] : [],
      ),
    ),
  );
  const asked: Asked[] = [];
  await inParallel(AT_ONCE, blocks, async ({ section, block }) => {
    const found = await cardAndSource(deps, publisher, { section, block });
    asked.push({
      ...{ key: blockPinKey(block.id), sectionId: section.id, blockId: block.id },
      card: found?.card ?? null,
      resolved: found?.resolved,
      answer: (reading, timeoutMs): Promise<CardRows> =>
        rowsOf(reading, found!.card.parts, found!.card.card, { principal: publisher, filters: [], timeoutMs }),
    });
  });
  await inParallel(AT_ONCE, [...metrics], async ([key, { source, sectionId }]) => {
    asked.push({
      ...{ key, sectionId, blockId: null, card: null },
      resolved: await resolveSource(deps, workspaceId, { kind: 'metric', id: source.metricId }),
      answer: (reading, timeoutMs) => metricShown(reading, publisher, source, timeoutMs),
    });
  });
  return asked;
}

/** Undefined if the card is gone, or shows no rows. */
async function cardAndSource(
  deps: BlockRowsDeps,
  publisher: Principal,
  viewed: { section: BlockSection; block: LiveBlock },
): Promise<{ card: BlockCard; resolved: ResolvedSource | undefined } | undefined> {
  try {
    const card = await blockCard(deps, publisher, viewed);
    const { source } = queryOf(card.card);
    return { card, resolved: await resolveSource(deps, publisher.workspaceId, source) };
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** A summary is about the rows that the card had. */
const withoutSummary = ({ aiSummary: _summary, ...card }: BlockCard['card']): BlockCard['card'] => card;
