import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type CardRows, type Reading, rowsOf } from '../../boards/cards/index.ts';
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
import { SEES_ALL, type StoryRecord, storyPlaceOf, type ViewedBlock } from '../stories/index.ts';
import { pinnedClass } from './pinned-class.ts';
import { isRepeatable, PinExpired, pinnedDeps, underCurrentRights } from './pinned-deps.ts';
import { blockPinKey, metricPinKey, type Pin, type Pins } from './pins.ts';
import type { ResolvedSource } from './resolve-source.ts';
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
  const kept = await keptFor(deps, record);
  const pin = kept?.pins.pins.find(({ key }) => key === blockPinKey(block.id));
  const card = await shownCard(deps, principal, { block, section }, pin);
  if (!kept || !pin?.from) throw new AppError('STORY_BLOCK_NOT_KEPT');
  const { filters, selection, drill, timezone } = reading;
  const asksMore = filters.length > 0 || selection !== undefined || drill !== undefined || timezone !== undefined;
  const found = await answered(deps, principal, kept, pin, {
    asksMore,
    again: (pinned) => rowsOf(pinned, card.parts, card.card, reading),
    // Stored rows cannot be filtered, nor their details read.
    isStoredEnough: drill === undefined && selection === undefined,
    stored: (rows: CardRows) => labelled(kept.pins, pin, rows, reading),
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
      const kept = await keptFor(deps, record);
      const pin = kept?.pins.pins.find(({ key }) => key === metricPinKey(source));
      if (!kept || !pin?.from) throw new AppError('STORY_BLOCK_NOT_KEPT');
      const { answer } = await answered(deps, principal, kept, pin, {
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

interface Kept {
  place: PinsPlace;
  pins: Pins;
}

async function keptFor({ snapshots }: SnapshotDeps, record: StoryRecord): Promise<Kept | undefined> {
  const pinsId = record.published?.pinsId;
  if (pinsId === undefined) return undefined;
  const place = { ...storyPlaceOf(record), pinsId };
  const pins = await snapshots.read(place);
  return pins && { place, pins };
}

/** The card as it was. Throws `DASHBOARD_NOT_FOUND` for a reader who does not see its dashboard. */
async function shownCard(
  deps: BlockRowsDeps,
  principal: Principal,
  viewed: { block: ViewedBlock['block']; section: BlockSection },
  pin: Pin | undefined,
): Promise<BlockCard> {
  const { source } = viewed.block;
  if (!pin?.card || source.kind !== 'card') return blockCard(deps, principal, viewed);
  await deps.dashboardFor(principal, source.dashboardId);
  const { card, filters, timezone, theme } = pin;
  return { card, parts: { pages: [], cards: [card], filters: [...filters], timezone, theme } };
}

interface Ways<T> {
  /** Whether the reader asks for more than what is stored. */
  asksMore: boolean;
  again(deps: BlockRowsDeps): Promise<T>;
  isStoredEnough: boolean;
  stored(answer: T): T;
}

/**
 * What was stored, if the reader had the rights that the publisher had then; otherwise the same question over the same
 * versions, under the rights that the reader has now. The rights of now decide in any case: those that have become
 * narrower since show less.
 */
async function answered<T>(
  deps: SnapshotDeps,
  principal: Principal,
  { place, pins }: Kept,
  pin: Pin,
  { asksMore, again, isStoredEnough, stored }: Ways<T>,
): Promise<{ answer: T; deps: BlockRowsDeps; isStored: boolean }> {
  const resolved = await resolvedAgain(deps, place, pin);
  const own = resolved && (await pinnedClass(deps, principal, resolved));
  if (!resolved || !own) throw new AppError('SNAPSHOT_OTHER_RIGHTS');
  const readStored = async () => {
    const found = pin.hasStored ? await deps.snapshots.readStored<T>(place, pin.key) : undefined;
    return found === undefined ? undefined : { answer: stored(found), deps, isStored: true };
  };
  if (own.now === pin.rightsClass?.now && !asksMore) {
    const found = await readStored();
    if (found) return found;
  }
  if (isRepeatable(resolved.from) && (await deps.snapshots.isHeld(place))) {
    const pinned = pinnedDeps<BlockRowsDeps>(deps, { ...resolved, takenAt: new Date(pins.takenAt) });
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

/** The source as it was, with what protects it now. Undefined if its model is gone. */
async function resolvedAgain(deps: SnapshotDeps, place: PinsPlace, { from }: Pin): Promise<ResolvedSource | undefined> {
  if (!from) return undefined;
  const { modelId } = from;
  if (modelId === null) return { from, definition: undefined };
  const [pinned, current] = await Promise.all([
    deps.snapshots.readModel(place, modelId),
    modelOrNone(deps.definitions, { workspaceId: place.workspaceId, modelId }),
  ]);
  return pinned && current && { from, definition: underCurrentRights(pinned, current) };
}

/** Rows that were stored; those of a publisher who did not see all rows say whose they are. */
function labelled({ by }: Pins, { rightsClass }: Pin, rows: CardRows, { filters }: Reading): CardRows {
  const ignored = filters.map(({ filterId, fieldId }) => fieldId ?? filterId!);
  const note = `These rows are as ${by.name} saw them when the story was published.`;
  return {
    ...rows,
    cache: 'hit',
    ignoredFilters: [...new Set(ignored)],
    warnings: rightsClass?.now === SEES_ALL ? rows.warnings : [...rows.warnings, note],
  };
}
