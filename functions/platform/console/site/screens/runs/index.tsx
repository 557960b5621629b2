import { useLocation } from 'preact-iso/router';
import { api, type Types } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { TRIGGER_KINDS, triggerText } from '../../data/pipelines.ts';
import { ListTable } from '../../shell/list-table.tsx';
import { Cause, RUN_COLUMNS } from '../../shell/run-columns.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { SelectField } from '../../ui/field.tsx';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';

type Run = Types.Run;
type Filters = NonNullable<Parameters<typeof api.runs.listAll>[0]>;

const EVERY_MS = 15_000;
const STATUSES = ['failed', 'running', 'queued', 'succeeded', 'cancelled'];

const COLUMNS: readonly Column<Run>[] = [
  {
    id: 'pipeline',
    label: 'Pipeline',
    cell: ({ id, pipelineName, error }) => (
      <>
        <Link to={`/runs/${id}`}>{pipelineName}</Link>
        <Cause error={error} isMinor />
      </>
    ),
  },
  { id: 'created', label: 'Created', width: 'min(130px, 31vw)', cell: ({ createdAt }) => <Ago at={createdAt} /> },
  ...RUN_COLUMNS,
];

/** The runs of all pipelines, newest first. */
export default function Runs({ query: { status = '', trigger = '', pipeline = '' } }: ScreenProps) {
  const { route } = useLocation();
  const filters = {
    ...(status && { status }),
    ...(trigger && { trigger }),
    ...(pipeline && { pipelineId: pipeline }),
  } as Filters;
  const list = useList<Run>(['runs', filters], (place) => api.runs.listAll({ ...filters, ...place }), {
    everyMs: EVERY_MS,
  });
  const show = (change: Record<string, string>) => route(to('/runs', { status, trigger, pipeline, ...change }), true);
  const isFiltered = Boolean(status || trigger || pipeline);
  return (
    <Page title="Runs">
      <div class="filters">
        <SelectField label="Status" value={status} onChange={({ currentTarget: { value } }) => show({ status: value })}>
          <option value="">all</option>
          {STATUSES.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Started by"
          value={trigger}
          onChange={({ currentTarget: { value } }) => show({ trigger: value })}
        >
          <option value="">all</option>
          {TRIGGER_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {triggerText(kind)}
            </option>
          ))}
        </SelectField>
        {pipeline && <Link to="/runs">Runs of all pipelines</Link>}
      </div>
      <ListTable label="Runs" columns={COLUMNS} list={list} bars={8} keyOf={({ id }) => id}>
        <Empty icon="play" title={isFiltered ? 'No run matches' : 'There are no runs yet'}>
          {isFiltered ? 'Choose another status or another start.' : 'Each start of a pipeline appears here as a run.'}
        </Empty>
      </ListTable>
    </Page>
  );
}
