import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { useMembers } from '../../data/members.ts';
import { PIPELINES_EVERY_MS, type Pipeline } from '../../data/pipelines.ts';
import { refreshQueries } from '../../data/query.ts';
import { ListTable } from '../../shell/list-table.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { SelectField } from '../../ui/field.tsx';
import { counted } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { Empty, Issue } from '../../ui/states.tsx';
import { Delete } from './delete.tsx';
import { columnsOf } from './list-columns.tsx';
import { RunDialog } from './run-dialog.tsx';
import { useStart } from './use-start.ts';

type Query = NonNullable<Parameters<typeof api.pipelines.list>[0]>;

const NEWEST = '-createdAt';

/** The pipelines of the workspace. */
export default function Pipelines({ query: { status = '', sort = NEWEST } }: ScreenProps) {
  const { route } = useLocation();
  const filters = { sort, ...(status && { status }) } as Query;
  const list = useList<Pipeline>(
    ['pipelines', 'list', filters],
    (place) => api.pipelines.list({ ...filters, ...place }),
    { everyMs: PIPELINES_EVERY_MS, keepsLast: true },
  );
  const { total } = list;
  const canEdit = hasRole(useMe().data, 'editor');
  useShortcut('n', 'New pipeline', () => route(to('/pipelines/new')), canEdit);
  const create = canEdit && (
    <Link to="/pipelines/new" class="button main">
      <Icon name="plus" size={16} />
      New pipeline
    </Link>
  );
  const members = useMembers();
  const [asked, ask] = useState<{ what: 'run' | 'delete'; pipeline: Pipeline } | undefined>(undefined);
  const start = useStart();
  const setStatus = useAction(async ({ id, revision }: Pipeline, next: 'active' | 'paused') => {
    await api.pipelines.update(id, { status: next }, undefined, { ifMatch: revision });
    await refreshQueries(['pipelines']);
  });
  const show = (change: { status?: string; sort?: string }) => {
    const next = { status, sort, ...change };
    route(to('/pipelines', { status: next.status, sort: next.sort === NEWEST ? '' : next.sort }), true);
  };
  const close = () => ask(undefined);
  return (
    <Page title="Pipelines" actions={create} lead={total !== undefined && total > 0 && counted(total, 'pipeline')}>
      <div class="filters">
        <SelectField label="Status" value={status} onChange={({ currentTarget: { value } }) => show({ status: value })}>
          <option value="">all</option>
          <option value="active">active</option>
          <option value="paused">paused</option>
        </SelectField>
      </div>
      <Issue problem={start.problem ?? setStatus.problem} />
      <ListTable
        label="Pipelines"
        columns={columnsOf({
          nameOf: (userId) => members?.get(userId)?.name,
          start: (pipeline) => start.run(pipeline, () => ask({ what: 'run', pipeline })),
          ask: (what, pipeline) => ask({ what, pipeline }),
          setStatus: (pipeline, next) => void setStatus.run(pipeline, next),
        })}
        list={list}
        bars={8}
        keyOf={({ id }) => id}
        sort={sort}
        onSort={(next) => show({ sort: next })}
      >
        <Nothing isFiltered={status !== ''} canEdit={canEdit} />
      </ListTable>
      {asked?.what === 'run' && <RunDialog pipeline={asked.pipeline} close={close} />}
      {asked?.what === 'delete' && <Delete pipeline={asked.pipeline} close={close} />}
    </Page>
  );
}

const Nothing = ({ isFiltered, canEdit }: { isFiltered: boolean; canEdit: boolean }) =>
  isFiltered ? (
    <Empty icon="workflow" title="No pipeline has this status">
      Choose another status.
    </Empty>
  ) : (
    <Empty
      icon="workflow"
      title="There are no pipelines yet"
      action={
        canEdit && (
          <Link to="/pipelines/new" query={{ from: 'example' }} class="button">
            Begin with an example
          </Link>
        )
      }
    >
      A pipeline reads sources or datasets, transforms their rows, and loads them, by hand or on a schedule.
    </Empty>
  );
