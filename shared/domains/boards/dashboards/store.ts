import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { auditItems } from '../../../platform/audit/entry.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { staleCode } from '../../../platform/storage/expectation.ts';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import { jsonBytes } from '../../../platform/storage/page.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { auditedParts } from './audited-parts.ts';
import { bodyKey, contentKey, type DashboardPlace, dashboardKey, partKey } from './keys.ts';
import { assertBytes, assertCounts, assertPartBytes, partBytes } from './limits.ts';
import { type Act, type Differences, differences } from './parts.ts';
import {
  type CardRecord,
  type Content,
  type DashboardBody,
  type DashboardParts,
  type DashboardRecord,
  type DashboardState,
  PART_KINDS,
  type PartKind,
  type Parts,
} from './records.ts';
import { dashboardUseItems } from './uses-in.ts';

const MAX_READS = 8;

/** A transaction has at most 100 items. */
const MAX_ITEMS = 100;

/** Parts per transaction of a new generation, and how many of these are written at the same time. */
const PARTS_AT_ONCE = 50;

type Item = Record<string, unknown>;

export interface DashboardStore {
  /** The newest state; undefined if there is no such dashboard. */
  read(place: DashboardPlace): Promise<DashboardState | undefined>;
  /** The lists of parts of dashboards, by id; a hundred cost one read. */
  readContents(workspaceId: string, dashboardIds: readonly string[]): Promise<Map<string, Content>>;
  /** The cards of lists of parts, by dashboard; a hundred cost one read. Those that are gone meanwhile are left out. */
  readCards(workspaceId: string, contents: ReadonlyMap<string, Content>): Promise<Map<string, CardRecord[]>>;
  /**
   * Stores other parts. Editors of different parts do not disturb each other; throws `STALE_WRITE` if another editor
   * has changed the same part, or if both changed the lists, and `DASHBOARD_TOO_LARGE`.
   */
  commit(before: DashboardState, parts: DashboardParts, act: Act): Promise<DashboardState>;
  /**
   * Writes the parts of a generation, which nothing reads before its list is stored. The clean-up comes first, so that
   * a crash leaves no parts behind.
   */
  prepareGeneration(
    place: DashboardPlace,
    generation: string,
    parts: DashboardParts,
    cleanUp: TransactItem,
  ): Promise<void>;
  /** Items for the transaction that stores a new dashboard. */
  newItems(place: DashboardPlace, body: DashboardBody, content: Content): TransactItem[];
  bodyItem(place: DashboardPlace, body: DashboardBody): TransactItem;
  /** Replaces the list of parts if nothing has changed since it was read. */
  contentItem(place: DashboardPlace, before: Content, next: Content): TransactItem;
  /** Fails the transaction if parts have changed since they were read. */
  unchangedItem(place: DashboardPlace, content: Content): TransactItem;
  /** Fails the transaction if the dashboard was deleted. */
  presentItem(place: DashboardPlace): TransactItem;
  /** Marks the list of parts, so that nothing is edited in a deleted dashboard. */
  deletedItem(place: DashboardPlace, isDeleted: boolean): TransactItem;
}

export const dashboardPlaceOf = ({ workspaceId, id: dashboardId }: DashboardRecord): DashboardPlace => ({
  workspaceId,
  dashboardId,
});

/** The lists of the parts of a new dashboard or generation. */
export function contentOf(
  parts: DashboardParts,
  { generation, structure = 1, edits = 0 }: { generation: string; structure?: number; edits?: number },
  { by, at }: Act,
): Content {
  const ids = (kind: PartKind) => parts[kind].map(({ id }) => id);
  return {
    generation,
    structure,
    edits,
    bytes: partBytes(parts),
    pages: ids('pages'),
    cards: ids('cards'),
    filters: ids('filters'),
    changedAt: at.toISOString(),
    changedBy: by,
  };
}

export function dashboardStore(table: Table): DashboardStore {
  async function read(place: DashboardPlace): Promise<DashboardState | undefined> {
    for (let reads = 0; reads < MAX_READS; reads += 1) {
      const items = await Array.fromAsync(itemsBelow(table, dashboardKey(place, '')));
      const state = stateOf(place, items);
      if (state !== 'torn') return state;
    }
    throw new AppError('SERVICE_BUSY');
  }

  async function commit(before: DashboardState, parts: DashboardParts, act: Act): Promise<DashboardState> {
    const found = differences(before, parts);
    if (found.put.length + found.remove.length === 0 && !found.isStructural) return before;
    const place = dashboardPlaceOf(before.record);
    const content = nextContent(before, parts, found, act);
    assertCounts(parts);
    assertPartBytes(found.put.map(({ part }) => part));
    assertBytes(content.bytes);
    const logged = await loggedEdit(table, before, parts);
    const puts = found.put.map((put) => putItem(table, place, before.content.generation, put));
    const free = MAX_ITEMS - 1 - puts.length - logged.length;
    const uses = await dashboardUseItems(table, place, {
      ...{ before, after: parts },
      ...{ needsQueries: true, room: Math.floor(free / 2) },
    });
    const room = free - uses.length;
    const [inside, outside] = [found.remove.slice(0, room), found.remove.slice(room)];
    const removals = inside.map(({ kind, part }) => removeItem(table, place, before.content.generation, kind, part));
    try {
      await transact(table, [
        updateContent(table, place, before.content, content, found.isStructural),
        ...puts,
        ...removals,
        ...logged,
        ...uses,
      ]);
    } catch (cause) {
      const [first] = failedConditions(cause);
      if (first === undefined) throw cause;
      const concerned = [...found.put, ...inside][first - 1]?.part.id;
      throw new AppError(concerned === undefined ? 'STALE_WRITE' : staleCode(concerned, 'STALE_WRITE'), { cause });
    }
    // No list names them any more.
    await Promise.all(
      outside.map(({ kind, part }) => {
        const { Delete } = removeItem(table, place, before.content.generation, kind, part);
        return ifHolds(table.db.send(new DeleteCommand(Delete!)));
      }),
    );
    return { ...before, ...parts, content };
  }

  return {
    read,
    commit,

    async readContents(workspaceId, dashboardIds) {
      const keys = dashboardIds.map((dashboardId) => contentKey({ workspaceId, dashboardId }));
      const items = await readItems(table, keys);
      return new Map(items.map((item) => [(item.pk as string).split('#').at(-1)!, toRecord<Content>(item)]));
    },

    async readCards(workspaceId, contents) {
      const places = [...contents].flatMap(([dashboardId, { generation, cards }]) =>
        cards.map((id) => ({ dashboardId, key: partKey({ workspaceId, dashboardId }, generation, 'cards', id) })),
      );
      const items = await readItems(
        table,
        places.map(({ key }) => key),
        { isConsistent: false },
      );
      const bySk = new Map(items.map((item) => [`${item.pk} ${item.sk}`, item]));
      const cards = new Map([...contents.keys()].map((id): [string, CardRecord[]] => [id, []]));
      for (const { dashboardId, key } of places) {
        const item = bySk.get(`${key.pk} ${key.sk}`);
        if (item) cards.get(dashboardId)!.push(readPart(item) as unknown as CardRecord);
      }
      return cards;
    },

    async prepareGeneration(place, generation, parts, cleanUp) {
      await transact(table, [cleanUp]);
      const all = PART_KINDS.flatMap((kind) => parts[kind].map((part) => ({ kind, part, before: undefined })));
      const items = all.map((put) => putItem(table, place, generation, put));
      for (let start = 0; start < items.length; start += PARTS_AT_ONCE)
        await transact(table, items.slice(start, start + PARTS_AT_ONCE));
    },

    newItems: (place, body, content) => [
      putOf(table, { ...body, ...bodyKey(place), entity: 'dashboard-body' }),
      putOf(table, { ...content, ...contentKey(place), entity: 'dashboard-content' }),
    ],

    bodyItem: (place, body) => putOf(table, { ...body, ...bodyKey(place), entity: 'dashboard-body' }),

    contentItem: (place, before, next) => ({
      Put: {
        TableName: table.name,
        Item: { ...next, ...contentKey(place), entity: 'dashboard-content' },
        ...sameEdits(before),
      },
    }),

    unchangedItem: (place, content) => ({
      ConditionCheck: { TableName: table.name, Key: contentKey(place), ...sameEdits(content) },
    }),

    presentItem: (place) => ({
      ConditionCheck: {
        TableName: table.name,
        Key: contentKey(place),
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(isDeleted)',
      },
    }),

    deletedItem: (place, isDeleted) => ({
      Update: {
        TableName: table.name,
        Key: contentKey(place),
        UpdateExpression: isDeleted ? 'SET isDeleted = :yes' : 'REMOVE isDeleted',
        ConditionExpression: 'attribute_exists(pk)',
        ...(isDeleted ? { ExpressionAttributeValues: { ':yes': true } } : {}),
      },
    }),
  };
}

/** `torn` if the items are of different moments: a query is no snapshot. */
function stateOf(place: DashboardPlace, items: readonly Item[]): DashboardState | undefined | 'torn' {
  const bySk = new Map(items.map((item) => [item.sk as string, item]));
  const [record, body, stored] = ['META', 'BODY', 'CONTENT'].map((sk) => bySk.get(sk));
  if (!record || !body || !stored) return record || body || stored ? ifPurged(record) : undefined;
  const { isDeleted: _isDeleted, ...content } = toRecord<Content & { isDeleted?: boolean }>(stored);
  const parts = PART_KINDS.map((kind) =>
    content[kind].map((id) => bySk.get(partKey(place, content.generation, kind, id).sk)),
  );
  if (parts.flat().includes(undefined)) return 'torn';
  const [pages, cards, filters] = parts.map((list) => list.map((item) => readPart(item!)));
  return {
    record: toRecord<DashboardRecord>(record),
    body: toRecord<DashboardBody>(body),
    content,
    pages: pages as unknown as DashboardParts['pages'],
    cards: cards as unknown as DashboardParts['cards'],
    filters: filters as unknown as DashboardParts['filters'],
  };
}

/** Without its record a dashboard is being purged. */
const ifPurged = (record: Item | undefined): undefined | 'torn' => (record ? 'torn' : undefined);

function nextContent(before: DashboardState, parts: DashboardParts, { put, remove }: Differences, act: Act): Content {
  const { content } = before;
  const added = put.reduce((sum, each) => sum + jsonBytes(each.part) - (each.before ? jsonBytes(each.before) : 0), 0);
  const removed = remove.reduce((sum, { part }) => sum + jsonBytes(part), 0);
  const next = contentOf({ pages: [], cards: [], filters: [] }, { generation: content.generation }, act);
  const ids = (kind: PartKind) => parts[kind].map(({ id }) => id);
  return {
    ...next,
    structure: content.structure + 1,
    edits: content.edits + 1,
    bytes: content.bytes + added - removed,
    pages: ids('pages'),
    cards: ids('cards'),
    filters: ids('filters'),
  };
}

/** Counts the edit; the lists are replaced only if they have changed, and if no other editor has changed them. */
function updateContent(
  table: Table,
  place: DashboardPlace,
  before: Content,
  next: Content,
  isStructural: boolean,
): TransactItem {
  const set = ['changedAt = :at', 'changedBy = :by'];
  const conditions = ['generation = :generation', 'attribute_not_exists(isDeleted)'];
  const values: Item = {
    ':at': next.changedAt,
    ':by': next.changedBy,
    ':generation': before.generation,
    ':one': 1,
    ':bytes': next.bytes - before.bytes,
  };
  if (isStructural) {
    set.push('structure = :next', 'pages = :pages', 'cards = :cards', 'filters = :filters');
    conditions.push('structure = :structure');
    const { pages, cards, filters } = next;
    const lists = { ':pages': pages, ':cards': cards, ':filters': filters };
    Object.assign(values, { ':structure': before.structure, ':next': next.structure, ...lists });
  }
  return {
    Update: {
      TableName: table.name,
      Key: contentKey(place),
      UpdateExpression: `SET ${set.join(', ')} ADD edits :one, bytes :bytes`,
      ConditionExpression: conditions.join(' AND '),
      ExpressionAttributeValues: values,
    },
  };
}

const sameEdits = ({ generation, edits }: Content) => ({
  ConditionExpression: 'generation = :generation AND edits = :edits',
  ExpressionAttributeValues: { ':generation': generation, ':edits': edits },
});

const putOf = (table: Table, Item: Item): TransactItem => ({ Put: { TableName: table.name, Item } });

/** The table has an index on `position`, which is a text there: the position of a card has another name in its item. */
function storedPart(part: Parts[PartKind]): Item {
  if (!('position' in part)) return part;
  const { position: grid, ...members } = part;
  return { ...members, grid };
}

function readPart(item: Item): Item {
  const { grid, ...part } = toRecord<Item>(item);
  return grid === undefined ? part : { ...part, position: grid };
}

function putItem(
  table: Table,
  place: DashboardPlace,
  generation: string,
  { kind, part, before }: Differences['put'][number],
): TransactItem {
  const Item = { ...storedPart(part), ...partKey(place, generation, kind, part.id), entity: 'dashboard-part' };
  if (!before) return putOf(table, Item);
  return { Put: { TableName: table.name, Item, ...samePart(before) } };
}

const removeItem = (
  table: Table,
  place: DashboardPlace,
  generation: string,
  kind: PartKind,
  part: Parts[PartKind],
): TransactItem => ({
  Delete: { TableName: table.name, Key: partKey(place, generation, kind, part.id), ...samePart(part) },
});

const samePart = ({ updatedAt }: Parts[PartKind]) => ({
  ConditionExpression: 'updatedAt = :seen',
  ExpressionAttributeValues: { ':seen': updatedAt },
});

function loggedEdit(table: Table, { record, ...before }: DashboardState, after: DashboardParts) {
  return auditItems(table, {
    action: 'dashboard.updated',
    object: { type: 'dashboard', id: record.id, name: record.name },
    ...auditedParts(before, after),
  });
}
