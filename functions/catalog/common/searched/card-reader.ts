import {
  type Content,
  type DashboardRecord,
  dashboardPlaceOf,
  dashboardStore,
  dashboardVersions,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { LatestEntries } from '../../../../shared/platform/storage/latest-entries.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';

/** What is found of a card. */
export interface CardText {
  id: string;
  title: string;
  description: string;
  updatedAt: string;
}

interface CardsOf {
  record: DashboardRecord;
  draft: readonly CardText[];
  /** Empty without a published version. */
  published: readonly CardText[];
}

/** The cards of these dashboards of a workspace that have titles. Throws `LIST_TOO_LARGE`. */
export type CardReader = (records: readonly DashboardRecord[]) => Promise<CardsOf[]>;

const CONTENTS_AT_ONCE = 100;
const VERSIONS_AT_ONCE = 8;
const MAX_CARDS = 20_000;
/** Cards of all workspaces that are kept, with one for each dashboard. */
const MAX_KEPT = 100_000;

/**
 * Reads cards once for each state of a dashboard: the edits of a draft are counted, and published versions never
 * change.
 */
export function cardReader(table: Table): CardReader {
  const store = dashboardStore(table);
  const versions = dashboardVersions(table);
  const kept = new LatestEntries<readonly CardText[]>(MAX_KEPT, (cards) => cards.length + 1);
  const draftOf = (id: string, { generation, edits }: Content) => `${id} ${generation} ${edits}`;

  async function contentsOf(workspaceId: string, records: readonly DashboardRecord[]): Promise<Map<string, Content>> {
    const found: [string, Content][] = [];
    for (let start = 0; start < records.length; start += CONTENTS_AT_ONCE) {
      const ids = records.slice(start, start + CONTENTS_AT_ONCE).map(({ id }) => id);
      found.push(...(await store.readContents(workspaceId, ids)));
    }
    return new Map(found);
  }

  return async (records) => {
    const [first] = records;
    if (!first) return [];
    const { workspaceId } = first;
    const contents = await contentsOf(workspaceId, records);
    const count = [...contents.values()].reduce((sum, { cards }) => sum + cards.length, 0);
    if (count > MAX_CARDS) throw new AppError('LIST_TOO_LARGE');
    // They are taken out before others that are read could evict them.
    const drafts = new Map([...contents].map(([id, content]) => [id, kept.get(draftOf(id, content))]));
    const unread = new Map([...contents].filter(([id]) => drafts.get(id) === undefined));
    for (const [id, read] of await store.readCards(workspaceId, unread)) {
      const cards = textsOf(read);
      kept.set(draftOf(id, unread.get(id)!), cards);
      drafts.set(id, cards);
    }
    const found: CardsOf[] = [];
    await inParallel(VERSIONS_AT_ONCE, records, async (record) => {
      const draft = drafts.get(record.id) ?? [];
      found.push({ record, draft, published: await publishedOf(record, contents.get(record.id), draft) });
    });
    return found;
  };

  async function publishedOf(
    record: DashboardRecord,
    content: Content | undefined,
    draft: readonly CardText[],
  ): Promise<readonly CardText[]> {
    const { published } = record;
    if (!published) return [];
    if (published.edits === content?.edits) return draft;
    const key = `${record.id} ${published.version}`;
    const known = kept.get(key);
    if (known) return known;
    const cards = textsOf((await versions.read(dashboardPlaceOf(record), published.version)).cards);
    kept.set(key, cards);
    return cards;
  }
}

const textsOf = (cards: readonly CardText[]): CardText[] =>
  cards
    .filter(({ title }) => title.trim() !== '')
    .map(({ id, title, description, updatedAt }) => ({ id, title, description, updatedAt }));
