import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type CardFilter, type CardRows, type Reading, rowsOf } from '../../boards/cards/index.ts';
import { type ChartDeps, SEES_ALL } from '../../boards/charts/index.ts';
import { modelOrNone } from '../../semantics/models/index.ts';
import {
  type BlockCard,
  type BlockRowsDeps,
  type BlockSection,
  blockCard,
  blockRows,
  metricShown,
  type ShowValue,
  type ValueReader,
} from '../live-blocks/index.ts';
import { type StoryRecord, storyPlaceOf, type ViewedBlock } from '../stories/index.ts';
import { pinnedClass } from './pinned-class.ts';
import { isRepeatable, PinExpired, pinnedDeps, underCurrentRights } from './pinned-deps.ts';
import { blockPinKey, metricPinKey, type Pin, type Pins } from './pins.ts';
import { modelsOf, type ResolvedSource } from './resolve-source.ts';
import type { PinsPlace, SnapshotStore } from './snapshot-store.ts';

export interface OpenedBlock extends BlockCard {
  rows: CardRows;
  /** What the rows were read with, and what details of them are. */
  deps: BlockRowsDeps;
  /** Null for a live story. */
  snapshot: { takenAt: string; isStored: boolean } | null;
}

export interface SnapshotDeps extends BlockRowsDeps {
  snapshots: SnapshotStore;
}

/**
 * The rows of a live block for its reader: those of now or, in a published story with the mode `snapshot`, those of
 * when it was published. Throws what `blockCard` and `rowsOf` throw, `SNAPSHOT_OTHER_RIGHTS`, and
 * `STORY_BLOCK_NOT_KEPT`.
 */
export async function openBlock(
  deps: SnapshotDeps,
  viewed: Omit<ViewedBlock, 'section'> & { section: BlockSection },
  reading: Reading,
): Promise<OpenedBlock> {
  const { record, version, mode, block, section } = viewed;
  if (version === null || mode !== 'snapshot')
    return { ...(await blockRows(deps, viewed, reading)), deps, snapshot: null };
  const { principal } = reading;
  const kept = await keptOf(deps, record, blockPinKey(block.id));
  const card = await showCard(deps, principal, { block, section }, kept);
  if (!kept) throw new AppError('STORY_BLOCK_NOT_KEPT');
  const { filters, selection, drill, timezone } = reading;
  const asksMore = filters.length > 0 || selection !== undefined || drill !== undefined || timezone !== undefined;
  const found = await readKept(deps, principal, kept, {
    asksMore,
    again: (pinned) => rowsOf(pinned, card.parts, card.card, reading),
    // Stored rows cannot be filtered, nor their details read.
    isStoredEnough: drill === undefined && selection === undefined,
    stored: (rows: CardRows, { by, seesAll }) => storedRows(rows, filters, seesAll ? undefined : by.name),
  });
  return {
    ...card,
    rows: found.answer,
    deps: found.deps,
    snapshot: { takenAt: kept.pins.takenAt, isStored: found.isStored },
  };
}

/** The values of a published story with the mode `snapshot`. */
export function snapshotValues(deps: SnapshotDeps, principal: Principal, record: StoryRecord): ValueReader {
  return {
    async metric(source, timeoutMs) {
      const kept = await keptOf(deps, record, metricPinKey(source));
      if (!kept) throw new AppError('STORY_BLOCK_NOT_KEPT');
      const { answer } = await readKept(deps, principal, kept, {
        asksMore: false,
        again: (pinned) => metricShown(pinned, principal, source, timeoutMs),
        isStoredEnough: true,
        stored: (value: ShowValue) => value,
      });
      return answer;
    },
    async rows(block, section, timeoutMs) {
      const viewed = { record, version: record.published!.version, mode: 'snapshot' as const, section, block };
      const { rows } = await openBlock(deps, viewed, { principal, filters: [], timeoutMs });
      return { columns: rows.columns, rows: JSON.parse(rows.rowsJson) as unknown[][] };
    },
  };
}

/** What a published story keeps of a live block or a value. */
export interface KeptBlock {
  place: PinsPlace;
  pins: Pins;
  pin: Pin;
}

interface KeptDeps extends ChartDeps {
  snapshots: SnapshotStore;
}

/** Undefined if it keeps nothing. */
async function keptOf(
  { snapshots }: { snapshots: Pick<SnapshotStore, 'read'> },
  record: StoryRecord,
  key: string,
): Promise<KeptBlock | undefined> {
  const pinsId = record.published?.pinsId;
  if (pinsId === undefined) return undefined;
  const place = { ...storyPlaceOf(record), pinsId };
  const pins = await snapshots.read(place);
  const pin = pins?.pins.find((each) => each.key === key);
  return pins && pin?.from ? { place, pins, pin } : undefined;
}

/** What the published story keeps of a live block; undefined if nothing. */
export const keptBlock = (
  deps: { snapshots: Pick<SnapshotStore, 'read'> },
  record: StoryRecord,
  blockId: string,
): Promise<KeptBlock | undefined> => keptOf(deps, record, blockPinKey(blockId));

/** The card of a dashboard as it was; undefined for a chart of the story's own, which is part of the text. */
export function keptCard({ pin: { card, from: _from, ...rest } }: KeptBlock): BlockCard | undefined {
  if (!card) return undefined;
  const { filters, timezone, theme } = rest;
  return { card, parts: { pages: [], cards: [card], filters: [...filters], timezone, theme } };
}

/** The card as it was. Throws `DASHBOARD_NOT_FOUND` for a reader who does not see its dashboard. */
async function showCard(
  deps: BlockRowsDeps,
  principal: Principal,
  viewed: { block: ViewedBlock['block']; section: BlockSection },
  kept: KeptBlock | undefined,
): Promise<BlockCard> {
  const { source } = viewed.block;
  const card = kept && keptCard(kept);
  if (!card || source.kind !== 'card') return blockCard(deps, principal, viewed);
  await deps.dashboardFor(principal, source.dashboardId);
  return card;
}

export interface KeptReading<T, Deps> {
  /** Whether the reader asks for more than what is stored. */
  asksMore: boolean;
  /** Throws if the reader may not see anything of the source, as it was and with what protects it now. */
  check?(asThen: Deps, seesAll: boolean): Promise<void>;
  again(deps: Deps): Promise<T>;
  isStoredEnough: boolean;
  /** What was stored, by a publisher who saw all rows or only some. */
  stored(answer: T, publisher: { by: Pins['by']; seesAll: boolean }): T;
}

/**
 * What was stored, if the reader had the rights that the publisher had then; otherwise the same question over the same
 * versions, under the rights that the reader has now. The rights of now decide in any case: those that have become
 * narrower since show less.
 */
export async function readKept<T, Deps extends KeptDeps>(
  deps: Deps,
  principal: Principal,
  kept: KeptBlock,
  { asksMore, check, again, isStoredEnough, stored }: KeptReading<T, Deps>,
): Promise<{ answer: T; deps: Deps; isStored: boolean }> {
  const { place, pins, pin } = kept;
  const resolved = await resolvedAgain(deps, kept);
  const own = resolved && (await pinnedClass(deps, principal, resolved));
  if (!resolved || !own) throw new AppError('SNAPSHOT_OTHER_RIGHTS');
  const pinned = pinnedDeps(deps, { ...resolved, takenAt: new Date(pins.takenAt) });
  // The names of the datasets are still those of then; versions may have expired.
  await check?.({ ...pinned, datasets: deps.datasets }, own.now === SEES_ALL);
  const readStored = async () => {
    const found = pin.hasStored ? await deps.snapshots.readStored<T>(place, pin.key) : undefined;
    if (found === undefined) return undefined;
    return { answer: stored(found, { by: pins.by, seesAll: pin.rightsClass?.now === SEES_ALL }), deps, isStored: true };
  };
  if (own.now === pin.rightsClass?.now && !asksMore) {
    const found = await readStored();
    if (found) return found;
  }
  if (isRepeatable(resolved.from) && (await deps.snapshots.isHeld(place))) {
    try {
      return { answer: await again(pinned), deps: pinned, isStored: false };
    } catch (error) {
      if (!(error instanceof PinExpired)) throw error;
    }
  }
  // Rows that cannot be read again are those that the same policies showed then.
  if (own.lasting !== pin.rightsClass?.lasting && own.now !== SEES_ALL) throw new AppError('SNAPSHOT_OTHER_RIGHTS');
  const found = isStoredEnough ? await readStored() : undefined;
  if (!found) throw new AppError('STORY_BLOCK_NOT_KEPT');
  return found;
}

/** The source as it was, with what protects it now. Undefined if one of its models is gone. */
async function resolvedAgain(deps: KeptDeps, { place, pin: { from } }: KeptBlock): Promise<ResolvedSource | undefined> {
  if (!from) return undefined;
  const definitions = await Promise.all(
    modelsOf(from).map(async (modelId) => {
      const [pinned, current] = await Promise.all([
        deps.snapshots.readModel(place, modelId),
        modelOrNone(deps.definitions, { workspaceId: place.workspaceId, modelId }),
      ]);
      return pinned && current ? [underCurrentRights(pinned, current)] : [];
    }),
  );
  return definitions.every((found) => found.length > 0) ? { from, definitions: definitions.flat() } : undefined;
}

/** Rows that were stored, without the filters of the reader; those of a publisher who did not see all say so. */
export function storedRows(rows: CardRows, filters: readonly CardFilter[], seenBy: string | undefined): CardRows {
  const ignored = filters.map(({ filterId, fieldId }) => fieldId ?? filterId!);
  const note = `These rows are as ${seenBy} saw them when the story was published.`;
  return {
    ...rows,
    cache: 'hit',
    ignoredFilters: [...new Set(ignored)],
    warnings: seenBy === undefined ? rows.warnings : [...rows.warnings, note],
  };
}
