import { useLocation } from 'preact-iso/router';
import { api, type Types } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { ListTable } from '../../shell/list-table.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { SelectField } from '../../ui/field.tsx';
import { counted } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import type { Column } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { mayWrite, pageOf } from './story-words.ts';

const TABS = {
  all: 'all',
  mine: 'mine',
  shared: 'shared with me',
  assigned: 'with work for me',
  archived: 'archived',
} as const;

/** Texts with live numbers: a click reads one, and those who may write find the draft beside it. */
export default function Stories({ query: { search = '', tab = 'all' } }: ScreenProps) {
  const { route } = useLocation();
  const isEditor = hasRole(useMe().data, 'editor');
  const list = useList<Types.StorySummary>(
    ['stories', 'list', search, tab],
    (place) => api.stories.list({ ...place, tab: tab as keyof typeof TABS, ...(search && { search }) }),
    { keepsLast: true },
  );
  const show = (change: Record<string, string>) => {
    const next = { search, tab, ...change };
    route(to('/stories', { search: next.search, tab: next.tab === 'all' ? '' : next.tab }), true);
  };
  const { total } = list;
  const create = isEditor && (
    <Link to="/stories/new" class="button main">
      <Icon name="plus" size={16} />
      New story
    </Link>
  );
  return (
    <Page title="Stories" actions={create} lead={total !== undefined && counted(total, 'story', 'stories')}>
      <div class="filters">
        <SearchField label="Search titles and summaries" value={search} onSearch={(text) => show({ search: text })} />
        <SelectField label="Show" value={tab} onChange={({ currentTarget }) => show({ tab: currentTarget.value })}>
          {Object.entries(TABS).map(([key, label]) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
      <ListTable label="Stories" columns={COLUMNS} list={list} bars={6} keyOf={({ id }) => id}>
        {search || tab !== 'all' ? (
          <Empty icon="book-open" title="No story matches" />
        ) : (
          <Empty icon="book-open" title="There is no story yet">
            {isEditor
              ? 'Explain numbers in words: a story is a text with live charts, written together and published to everyone.'
              : 'Stories that your colleagues publish appear here.'}
          </Empty>
        )}
      </ListTable>
    </Page>
  );
}

const COLUMNS: readonly Column<Types.StorySummary>[] = [
  {
    id: 'title',
    label: 'Title',
    cell: ({ id, title, summary }) => (
      <a href={pageOf(id)} title={summary ?? undefined}>
        {title}
      </a>
    ),
  },
  {
    id: 'state',
    label: 'Status',
    width: '210px',
    isMinor: true,
    cell: ({ archivedAt, publishedAt }) =>
      archivedAt !== null ? (
        <Status kind="cancelled" label="archived" />
      ) : publishedAt === null ? (
        <Status kind="skipped" label="draft" />
      ) : (
        <>
          <Status kind="succeeded" label="published" /> <Ago at={publishedAt} />
        </>
      ),
  },
  {
    id: 'changed',
    label: 'Changed',
    width: '130px',
    isMinor: true,
    cell: ({ updatedAt }) => <Ago at={updatedAt} />,
  },
  {
    id: 'edit',
    label: 'Draft',
    width: '80px',
    cell: ({ id, title, permission }) =>
      mayWrite(permission) && (
        <a href={to(`/stories/${id}`)} aria-label={`Edit ${title}`}>
          Edit
        </a>
      ),
  },
];
