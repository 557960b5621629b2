import { useSignal } from '@preact/signals';
import { useAction } from '../../data/action.ts';
import { type Condition, EDGES, kindOfState } from '../../data/alerts.ts';
import { api, type Types } from '../../data/client.ts';
import { Button } from '../../ui/button.tsx';
import { counted, timesOf } from '../../ui/format.ts';
import { withoutEmpty } from '../../ui/json-schema.ts';
import { momentText } from '../../ui/moment.ts';
import { ShortAmount } from '../../ui/short-amount.tsx';
import { Issue } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { ValueLine } from './value-line.tsx';

type Preview = Types.AlertPreview;
type Point = Preview['points'][number];

const COLUMNS: readonly Column<Point>[] = [
  { id: 'at', label: 'At', cell: ({ at }) => <time datetime={at}>{momentText(at)}</time> },
  { id: 'group', label: 'Group', isMinor: true, cell: ({ group }) => group ?? <span class="hint">–</span> },
  {
    id: 'value',
    label: 'Value',
    isNumber: true,
    cell: ({ value }) => (value === null ? '–' : <ShortAmount of={value} />),
  },
  { id: 'state', label: 'State', cell: ({ state }) => <Status kind={kindOfState(state)} label={state} /> },
  { id: 'edges', label: 'Would notify', cell: ({ edges }) => edges.map((edge) => EDGES[edge] ?? edge).join(', ') },
];

/** What the condition would have done in the past. Nothing is stored or sent. */
export function Past({ condition, timezone }: { condition: Condition; timezone: string }) {
  const found = useSignal<Preview | undefined>(undefined);
  const check = useAction(async () => {
    found.value = undefined;
    found.value = await api.alerts.preview({
      condition: withoutEmpty(condition) as Types.AlertConditionInput,
      timezone,
      last: 30,
    });
  });
  const preview = found.value;
  return (
    <div class="past">
      <div class="actions">
        <Button icon="clock" isBusy={check.isRunning} onClick={() => void check.run()}>
          Check it against the past
        </Button>
      </div>
      <Issue problem={check.problem} />
      {preview && (
        <div role="status">
          <p>
            <strong>{resultInWords(preview)}</strong>
          </p>
          {preview.note === 'ONLY_NOW' && (
            <p class="hint">Earlier data of this source cannot be read, so only the current data was checked.</p>
          )}
        </div>
      )}
      {preview && preview.points.length > 1 && <ValueLine points={preview.points} condition={condition} />}
      {preview && preview.points.length > 0 && (
        <details open={preview.points.length === 1 || undefined}>
          <summary>Each evaluation</summary>
          <Table
            label="Evaluations in the past"
            columns={COLUMNS}
            rows={preview.points.toReversed()}
            keyOf={({ at, group }) => `${at} ${group}`}
          />
        </details>
      )}
    </div>
  );
}

function resultInWords({ fires, recovers, points }: Preview): string {
  if (points.length === 0) return 'There is no data in the past to check it against.';
  const times = new Set(points.map(({ at }) => at)).size;
  const fired = fires === 0 ? 'It would not have fired' : `It would have fired ${timesOf(fires)}`;
  const recovered = recovers === 0 ? '' : ` and recovered ${timesOf(recovers)}`;
  return `${fired}${recovered} in the last ${counted(times, 'evaluation')}.`;
}
