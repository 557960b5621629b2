import { auditedRecords } from '../../../platform/audit/records.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { guardingCertification } from '../../tenancy/certifications/index.ts';
import { recordKey } from './keys.ts';
import type { StoryRecord } from './records.ts';

export type StoryRepository = Collection<StoryRecord>;

/** The records of stories, without their sections. Titles need not be unique. */
export const storyRepository = (table: Table): StoryRepository =>
  collection<StoryRecord>(table, {
    entity: 'story',
    versioned: true,
    key: (workspaceId, storyId) => recordKey({ workspaceId, storyId }),
    logs: guardingCertification<StoryRecord>(
      table,
      { type: 'story', meaning: ({ published }) => published?.meaning },
      auditedRecords<StoryRecord>(table, {
        subject: 'story',
        name: ({ title }) => title,
        members: {
          title: 'shown',
          summary: 'shown',
          mode: 'shown',
          sectionIds: 'shown',
          published: ({ version }) => ({ version }),
          archivedAt: 'shown',
          deletedAt: 'shown',
        },
      }),
    ),
  });
