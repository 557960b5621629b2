import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';

export interface StoryPlace {
  workspaceId: string;
  storyId: string;
}

/** The record, its sections and their locks share a partition, so that one query reads all but the texts. */
export const storyKey = ({ workspaceId, storyId }: StoryPlace, sk: string): Key =>
  workspaceKey(workspaceId, `STORY#${storyId}`, sk);

export const recordKey = (place: StoryPlace): Key => storyKey(place, 'META');
export const sectionKey = (place: StoryPlace, sectionId: string): Key => storyKey(place, `SECTION#${sectionId}`);
/** What a section that was removed kept from readers, for the comments on it. */
export const removedKey = (place: StoryPlace, sectionId: string): Key => storyKey(place, `REMOVED#${sectionId}`);
/** A number that grows when a block with an id of the bucket is added to any section. */
export const blockIdsKey = (place: StoryPlace, bucket: number): Key => storyKey(place, `BLOCK-IDS#${bucket}`);
export const lockKey = (place: StoryPlace, sectionId: string): Key => storyKey(place, `LOCK#${sectionId}`);

/** How often the story has begun to use something. */
export const usesKey = (place: StoryPlace): Key => storyKey(place, 'USES');

/** Numbers that sort as texts. */
const padded = (number: number): string => String(number).padStart(16, '0');

export const allTexts = ({ workspaceId, storyId }: StoryPlace): Key =>
  workspaceKey(workspaceId, `STORY-TEXT#${storyId}`, '');

/** A content of a section, which never changes: each edit writes another one. */
export const textKey = (place: StoryPlace, sectionId: string, textSeq: number): Key => ({
  pk: allTexts(place).pk,
  sk: `${sectionId}#${padded(textSeq)}`,
});

export const allRevisions = ({ workspaceId, storyId }: StoryPlace): Key =>
  workspaceKey(workspaceId, `STORY-REVISION#${storyId}`, '');

export const revisionKey = (place: StoryPlace, sectionId: string, id: string): Key => ({
  pk: allRevisions(place).pk,
  sk: `${sectionId}#${id}`,
});

/** A text that was rejected is only for the person who wrote it. */
export const refusedKey = (place: StoryPlace, sectionId: string, userId: string, id: string): Key => ({
  pk: allRevisions(place).pk,
  sk: `REFUSED#${sectionId}#${userId}#${id}`,
});

export const allActivity = ({ workspaceId, storyId }: StoryPlace): Key =>
  workspaceKey(workspaceId, `STORY-ACTIVITY#${storyId}`, '');

export const activityKey = (place: StoryPlace, id: number): Key => ({ pk: allActivity(place).pk, sk: padded(id) });

export const allPresence = ({ workspaceId, storyId }: StoryPlace): Key =>
  workspaceKey(workspaceId, `STORY-PRESENCE#${storyId}`, '');

export const presenceKey = (place: StoryPlace, userId: string): Key => ({ pk: allPresence(place).pk, sk: userId });

export const allVersions = ({ workspaceId, storyId }: StoryPlace): Key =>
  workspaceKey(workspaceId, `STORY-VERSION#${storyId}`, '');

export const versionKey = (place: StoryPlace, version: number): Key => ({
  pk: allVersions(place).pk,
  sk: `VERSION#${padded(version)}`,
});

/** That the versions so far keep a section from readers, although it was open when they were published. */
export const narrowedKey = (place: StoryPlace, sectionId: string): Key => ({
  pk: allVersions(place).pk,
  sk: `NARROWED#${sectionId}`,
});

/** What a published version keeps of the data that it shows. */
export const pinPrefix = (place: StoryPlace, pinsId: string): Key => ({
  pk: allVersions(place).pk,
  sk: `PIN#${pinsId}#`,
});

/** A slice of the compressed content of a version. */
export const snapshotKey = (place: StoryPlace, version: number, slice: number): Key => ({
  pk: allVersions(place).pk,
  sk: `SNAPSHOT#${version}#${String(slice).padStart(2, '0')}`,
});

/** How often the story was shared in a clock hour. */
export const shareCountKey = ({ workspaceId, storyId }: StoryPlace, hour: number): Key =>
  workspaceKey(workspaceId, `STORY-SHARES#${hour}`, storyId);

/** The sections that a person works on, so that a list finds their stories. */
export const assignedTo = (workspaceId: string, userId: string): Key =>
  workspaceKey(workspaceId, `STORY-ASSIGNED#${userId}`, '');

export const assignedKey = ({ workspaceId, storyId }: StoryPlace, userId: string, sectionId: string): Key => ({
  pk: assignedTo(workspaceId, userId).pk,
  sk: `${storyId}#${sectionId}`,
});
