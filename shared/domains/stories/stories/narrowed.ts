import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { TransactItem } from '../../../platform/storage/table.ts';
import { narrowedKey, type StoryPlace } from './keys.ts';
import { isSameReads, joinReads, type TextReads } from './quoted-tables.ts';
import type { Section, SectionRecord } from './records.ts';

/** That readers of the versions so far may not see a section any more unless they may see its data. */
export interface Narrowed {
  sectionId: string;
  /** The newest version at that time. */
  version: number;
  reads: TextReads;
  rightsClass: string | null;
}

/** The item for the transaction that narrows a section of a published story. */
export function narrowedItem(
  table: { name: string },
  place: StoryPlace,
  { id: sectionId, reads, rightsClass }: Pick<SectionRecord, 'id' | 'reads' | 'rightsClass'>,
  { version, before }: { version: number; before: Narrowed | undefined },
): TransactItem {
  const joined = before ? joinReads(before.reads, reads) : reads;
  const narrowed: Narrowed = {
    ...{ sectionId, version, reads: joined },
    rightsClass: isSameReads(joined, reads) ? rightsClass : null,
  };
  const Item = { ...narrowed, ...narrowedKey(place, sectionId), entity: 'story-narrowed' };
  return { Put: { TableName: table.name, Item } };
}

export const narrowedFrom = (item: Record<string, unknown>): Narrowed => toRecord<Narrowed>(item);

/** A section of a version as readers may see it now. */
export function asNarrowed(section: Section, version: number, narrowed: Narrowed | undefined): Section {
  if (!narrowed || version > narrowed.version) return section;
  const reads = joinReads(section.reads, narrowed.reads);
  const known = [section, narrowed].find((each) => isSameReads(each.reads, reads));
  return { ...section, visibility: 'data_access', reads, rightsClass: known?.rightsClass ?? null };
}
