import { type Pipeline, triggerInWords } from '../../data/pipelines.ts';
import { to } from '../../ui/address.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Menu } from '../../ui/menu.tsx';
import { scheduleInWords } from '../../ui/schedule.ts';
import { Status } from '../../ui/status.tsx';
import type { Column } from '../../ui/table.tsx';
import { Until } from '../../ui/time.tsx';
import { LatestRuns } from './latest-runs.tsx';

interface Actions {
  nameOf: (userId: string) => string | undefined;
  start: (pipeline: Pipeline) => unknown;
  ask: (what: 'run' | 'delete', pipeline: Pipeline) => void;
  setStatus: (pipeline: Pipeline, next: 'active' | 'paused') => void;
}

export const columnsOf = (actions: Actions): readonly Column<Pipeline>[] => [
  {
    id: 'name',
    label: 'Name',
    sort: 'name',
    cell: ({ id, name, status }) => (
      <>
        <Link to={`/pipelines/${id}`}>{name}</Link>
        {status === 'paused' && (
          <span class="under">
            <Status kind="waiting" label="paused" />
          </span>
        )}
      </>
    ),
  },
  {
    id: 'runs',
    label: 'Latest runs',
    width: 'min(165px, 28vw)',
    cell: ({ latestRuns }) => <LatestRuns runs={latestRuns} />,
  },
  {
    id: 'next',
    label: 'Next start',
    isMinor: true,
    width: '142px',
    cell: (pipeline) => <NextStart pipeline={pipeline} />,
  },
  {
    id: 'schedule',
    label: 'Starts',
    isMinor: true,
    width: '20%',
    cell: ({ schedule, dag: { trigger } }) =>
      [schedule && scheduleInWords(schedule), triggerInWords(trigger, () => 'another pipeline')]
        .filter(Boolean)
        .join(', ') || <span class="hint">by hand</span>,
  },
  {
    id: 'owner',
    label: 'Created by',
    isMinor: true,
    width: '130px',
    cell: ({ createdBy }) => actions.nameOf(createdBy) ?? <span class="hint">–</span>,
  },
  {
    id: 'actions',
    label: 'Actions',
    width: 'min(105px, 25vw)',
    cell: (pipeline) => <RowActions pipeline={pipeline} actions={actions} />,
  },
];

function NextStart({ pipeline: { schedule, status } }: { pipeline: Pipeline }) {
  if (!schedule?.nextRunAt || schedule.enabled === false || status === 'paused') return <span class="hint">–</span>;
  return <Until at={schedule.nextRunAt} />;
}

function RowActions({ pipeline, actions }: { pipeline: Pipeline; actions: Actions }) {
  const { id, name, status, permission } = pipeline;
  if (permission !== 'editor') return null;
  const isPaused = status === 'paused';
  return (
    <span class="row-actions">
      {!isPaused && <IconButton icon="play" label={`Run ${name} now`} onClick={() => actions.start(pipeline)} />}
      <Menu
        label={`More actions for ${name}`}
        isRight
        class="icon-only"
        choices={[
          [
            ...(isPaused
              ? []
              : [{ label: 'Run with options', icon: 'play' as const, run: () => actions.ask('run', pipeline) }]),
            isPaused
              ? { label: 'Resume', icon: 'play', run: () => actions.setStatus(pipeline, 'active') }
              : { label: 'Pause', icon: 'pause', run: () => actions.setStatus(pipeline, 'paused') },
          ],
          [
            { label: 'Edit', icon: 'pencil', href: to(`/pipelines/${id}/edit`) },
            { label: 'Duplicate', icon: 'copy', href: to('/pipelines/new', { from: id }) },
          ],
          [{ label: 'Delete', icon: 'trash-2', isDanger: true, run: () => actions.ask('delete', pipeline) }],
        ]}
      >
        <Icon name="ellipsis" />
      </Menu>
    </span>
  );
}
