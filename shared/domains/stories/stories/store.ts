import type { RichText } from '../../../data/rich-text/index.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { assertExpected, staleCode } from '../../../platform/storage/expectation.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { assignmentItems } from './assignments.ts';
import { recordKey, removedKey, type StoryPlace, sectionKey, storyKey } from './keys.ts';
import { MAX_KEPT_TEXTS } from './limits.ts';
import { lockOf } from './locks.ts';
import type { Section, SectionLock, SectionRecord, StoryRecord, StoryState, TextRights } from './records.ts';
import { storyUseItems } from './story-uses.ts';
import { type StoryTexts, storyTexts } from './texts.ts';

const MAX_READS = 8;

export interface StoryStore {
  readonly texts: StoryTexts;
  /** The newest state; undefined if there is no such story. */
  read(place: StoryPlace): Promise<StoryState | undefined>;
  /** Sections with their contents. */
  withContents(place: StoryPlace, sections: readonly SectionRecord[]): Promise<Section[]>;
  /**
   * Replaces a section of a story that is neither archived nor deleted, with a new content if there is one; `replaced`
   * is the one before. Throws `STALE_WRITE` if the section or the story has changed, or if the condition of one of the
   * other items does not hold, and `PRECONDITION_FAILED` if the client expects another revision.
   */
  replaceSection(
    place: StoryPlace,
    before: SectionRecord,
    change: Partial<SectionRecord> & {
      content?: RichText | undefined;
      replaced?: RichText | undefined;
      /** The story as it was read, if it changes with the section: what was read of it before is not published then. */
      story?: StoryRecord | undefined;
    },
    also: readonly TransactItem[],
  ): Promise<SectionRecord>;
  /** Writes sections of a story that is not stored yet, so that nothing reads them. */
  writeSections(place: StoryPlace, sections: readonly Section[]): Promise<void>;
  /** Items for the transaction that stores a new section. */
  newSectionItems(place: StoryPlace, section: Section): TransactItem[];
  /** Items for the transaction that removes a section. */
  removeSectionItems(place: StoryPlace, section: SectionRecord): TransactItem[];
  /** Items for the transaction of another write that replaces a section. */
  sectionItems(place: StoryPlace, before: SectionRecord, next: SectionRecord, content?: RichText): TransactItem[];
  /** Fails the transaction if the story is deleted. */
  presentItem(place: StoryPlace): TransactItem;
  /** Fails the transaction if the story has changed since it was read, for example who may see a section. */
  unchangedItem(record: StoryRecord): TransactItem;
  /** Fails the transaction if the story is archived or deleted. */
  openItem(place: StoryPlace): TransactItem;
}

export const storyPlaceOf = ({ workspaceId, id: storyId }: Pick<StoryRecord, 'workspaceId' | 'id'>): StoryPlace => ({
  workspaceId,
  storyId,
});

export function storyStore(table: Table): StoryStore {
  const texts = storyTexts(table);

  const put = (place: StoryPlace, section: SectionRecord, condition: object): TransactItem => ({
    Put: {
      TableName: table.name,
      Item: { ...section, ...sectionKey(place, section.id), entity: 'story-section' },
      ...condition,
    },
  });

  function sectionItems(
    place: StoryPlace,
    before: SectionRecord,
    next: SectionRecord,
    content?: RichText,
  ): TransactItem[] {
    const ended = before.kept.filter((textSeq) => !next.kept.includes(textSeq));
    return [
      put(place, next, sameRevision(before)),
      ...(content ? [texts.putItem(place, next, content)] : []),
      ...ended.map((textSeq) => texts.removeItem(place, { id: before.id, textSeq })),
    ];
  }

  const removedItem = (place: StoryPlace, section: SectionRecord): TransactItem => {
    const { id: sectionId, visibility, editedBy, reads, rightsClass } = section;
    const Item = { ...removedKey(place, sectionId), entity: 'story-removed-section', sectionId };
    return { Put: { TableName: table.name, Item: { ...Item, visibility, editedBy, reads, rightsClass } } };
  };

  const openItem = (place: StoryPlace): TransactItem => ({
    ConditionCheck: {
      TableName: table.name,
      Key: recordKey(place),
      ConditionExpression: 'attribute_type(archivedAt, :none) AND attribute_type(deletedAt, :none)',
      ExpressionAttributeValues: { ':none': 'NULL' },
    },
  });

  /** Counts a change of a story that is open, without any other. */
  const touchedItem = (place: StoryPlace, { revision }: StoryRecord): TransactItem => ({
    Update: {
      TableName: table.name,
      Key: recordKey(place),
      UpdateExpression: 'ADD revision :one',
      ConditionExpression:
        'revision = :seen AND attribute_type(archivedAt, :none) AND attribute_type(deletedAt, :none)',
      ExpressionAttributeValues: { ':one': 1, ':seen': revision, ':none': 'NULL' },
    },
  });

  return {
    texts,
    sectionItems,
    openItem,

    unchangedItem: (record) => ({
      ConditionCheck: { TableName: table.name, Key: recordKey(storyPlaceOf(record)), ...sameRevision(record) },
    }),

    presentItem: (place) => ({
      ConditionCheck: {
        TableName: table.name,
        Key: recordKey(place),
        ConditionExpression: 'attribute_type(deletedAt, :none)',
        ExpressionAttributeValues: { ':none': 'NULL' },
      },
    }),

    async read(place) {
      for (let reads = 0; reads < MAX_READS; reads += 1) {
        const state = stateIn(await Array.fromAsync(itemsBelow(table, storyKey(place, ''))));
        if (state !== 'torn') return state;
      }
      throw new AppError('SERVICE_BUSY');
    },

    async withContents(place, sections) {
      const contents = await texts.read(place, sections);
      return sections.map((section) => ({ ...section, content: contents.get(section.id)! }));
    },

    async replaceSection(place, before, { content, replaced, story, ...change }, also) {
      assertExpected(before.id, before.revision);
      const contents = { before: replaced ? [replaced] : [], after: content ? [content] : [] };
      const uses = await storyUseItems(table, place, contents);
      const next: SectionRecord = { ...before, ...change, revision: before.revision + 1 };
      try {
        const isOpen = story ? touchedItem(place, story) : openItem(place);
        await transact(table, [...sectionItems(place, before, next, content), isOpen, ...also, ...uses]);
        if (content) texts.keep(place, next, content);
        return next;
      } catch (cause) {
        const failed = failedConditions(cause);
        if (failed.size === 0) throw cause;
        throw new AppError(failed.has(0) ? staleCode(before.id, 'STALE_WRITE') : 'STALE_WRITE', { cause });
      }
    },

    async writeSections(place, sections) {
      await transact(
        table,
        sections.flatMap(({ content, ...section }) => [
          put(place, section, {}),
          texts.putItem(place, section, content),
        ]),
      );
    },

    newSectionItems: (place, { content, ...section }) => [
      put(place, section, { ConditionExpression: 'attribute_not_exists(pk)' }),
      texts.putItem(place, section, content),
    ],

    removeSectionItems: (place, section) => [
      { Delete: { TableName: table.name, Key: sectionKey(place, section.id), ...sameRevision(section) } },
      ...section.kept.map((textSeq) => texts.removeItem(place, { id: section.id, textSeq })),
      ...assignmentItems(table, place, { sectionId: section.id, before: section.assigneeId, after: null }),
      ...(section.visibility === 'everyone' ? [] : [removedItem(place, section)]),
    ],
  };
}

const sameRevision = ({ revision }: Pick<SectionRecord, 'revision'>) => ({
  ConditionExpression: 'revision = :seen',
  ExpressionAttributeValues: { ':seen': revision },
});

/** The kept contents of a section when the content of `textSeq` is added. */
export const keptWith = (kept: readonly number[], textSeq: number): number[] =>
  [...kept, textSeq].slice(-MAX_KEPT_TEXTS);

/** A query is no snapshot: a section that the record names may not have been there yet. */
function stateIn(items: readonly Record<string, unknown>[]): StoryState | undefined | 'torn' {
  const meta = items.find(({ sk }) => sk === 'META');
  if (!meta) return undefined;
  const record = toRecord<StoryRecord>(meta);
  const known = new Map<string, SectionRecord>();
  const locks = new Map<string, SectionLock>();
  const removed = new Map<string, TextRights>();
  const blockAdditions = new Map<number, number>();
  for (const item of items) {
    if (item.entity === 'story-section') known.set(item.id as string, toRecord<SectionRecord>(item));
    if (item.entity === 'story-lock') locks.set(item.sectionId as string, lockOf(item));
    if (item.entity === 'story-removed-section') removed.set(item.sectionId as string, toRecord<TextRights>(item));
    if (item.entity === 'story-block-ids') blockAdditions.set(item.bucket as number, item.additions as number);
  }
  const sections = record.sectionIds.map((id) => known.get(id));
  if (sections.some((section) => section === undefined)) return 'torn';
  return { record, sections: sections as SectionRecord[], locks, removed, blockAdditions };
}
