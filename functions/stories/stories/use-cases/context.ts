import type { Follows } from '../../../../shared/domains/delivery/notifications/index.ts';
import type { SnapshotDeps } from '../../../../shared/domains/stories/snapshots/index.ts';
import type {
  LiveBlockDeps,
  NamedStory,
  StoryReaderDeps,
  StoryRepository,
  StoryStore,
  StoryVersions,
} from '../../../../shared/domains/stories/stories/index.ts';
import type { ObjectGrants, ReceivedGrant } from '../../../../shared/domains/tenancy/grants/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { Cursors } from '../../../../shared/platform/http/cursor.ts';
import type { Ended } from '../../../../shared/platform/storage/clean-ups.ts';
import type { Table, TransactItem } from '../../../../shared/platform/storage/table.ts';
import type { MemberPerson } from './members.ts';

export interface StoryDeps extends StoryReaderDeps, LiveBlockDeps {
  /** For the rows of live blocks. */
  blocks: SnapshotDeps;
  table: Table;
  stories: StoryRepository;
  store: StoryStore;
  versions: StoryVersions;
  grants: ObjectGrants;
  cursors: Cursors;
  /** All stories that are granted to the caller. */
  grantsTo(principal: Principal): Promise<Map<string, ReceivedGrant>>;
  /** All members of the workspace. */
  members(workspaceId: string): Promise<MemberPerson[]>;
  follows: Pick<Follows, 'read' | 'list'>;
  /** Whether the workspace wants stories to be reviewed. */
  storyReview(workspaceId: string): Promise<'off' | 'advise' | 'require'>;
  cleanUpItem(ended: Ended, at: Date): TransactItem;
  now(): Date;
}

/** A section as the caller names it. */
export interface NamedSection extends NamedStory {
  sectionId: string;
}
