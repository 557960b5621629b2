import { useLocation } from 'preact-iso/router';
import { api, type Types } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { TRIGGER_KINDS, triggerText } from '../../data/pipelines.ts';
import { ListTable } from '../../shell/list-table.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { Count } from '../../ui/count.tsx';
import { SelectField } from '../../ui/field.tsx';
import { durationOf } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import type { Column } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { kindOf } from './kinds.ts';

type Run = Types.Run;
type Filters = NonNullable<Parameters<typeof api.runs.listAll>[0]>;

const EVERY_MS = 15_000;
const STATUSES = ['failed', 'running', 'queued', 'succeeded', 'cancelled'];

const COLUMNS: readonly Column<Run>[] = [
  {
    id: 'pipeline',
    label: 'Pipeline',
    cell: ({ id, pipelineName }) => <Link to={`/runs/${id}`}>{pipelineName}</Link>,
  },
  {
    id: 'status',
    label: 'Status',
    width: '130px',
    cell: ({ status }) => <Status kind={kindOf(status)} label={status} />,
  },
  { id: 'created', label: 'Created', width: '130px', cell: ({ createdAt }) => <Ago at={createdAt} /> },
  {
    id: 'trigger',
    label: 'Started by',
    isMinor: true,
    width: '150px',
    cell: ({ trigger: { kind } }) => triggerText(kind),
  },
  {
    id: 'took',
    label: 'Took',
    isNumber: true,
    isMinor: true,
    width: '110px',
    cell: ({ durationMs }) => (durationMs === null ? '–' : durationOf(durationMs)),
  },
  {
    id: 'rows',
    label: 'Rows loaded',
    isNumber: true,
    isMinor: true,
    width: '130px',
    cell: ({ rowsMoved }) => <Count of={rowsMoved} />,
  },
  {
    id: 'error',
    label: 'Error',
    isMinor: true,
    width: '22%',
    cell: ({ error }) => error && <code title={error.code}>{error.code}</code>,
  },
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
