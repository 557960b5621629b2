import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { problemOf } from '../../data/problem.ts';
import { type Query, refreshQueries, useQuery } from '../../data/query.ts';
import { Button } from '../../ui/button.tsx';
import { dateIn } from '../../ui/date-in.ts';
import { counted } from '../../ui/format.ts';
import { jobStatus } from '../../ui/job-status.ts';
import { Link } from '../../ui/link.tsx';
import { dateText } from '../../ui/moment.ts';
import { Empty, Failed, Issue, Loading } from '../../ui/states.tsx';
import { Status, StatusMark } from '../../ui/status.tsx';
import { MAX_DAYS } from './days.ts';

interface Day {
  date: string;
  runId: string;
  status: string;
}

type Days = readonly Day[] | null;

const PAGE = 200;
const EVERY_MS = 3_000;
const STATUSES = ['running', 'queued', 'succeeded', 'failed', 'cancelled'];

/** The days of the latest backfill, the oldest first; null if there was none. */
export const useBackfill = (pipelineId: string, zone: string): Query<Days> =>
  useQuery(['backfill', pipelineId, zone], () => readDays(pipelineId, zone), { everyMs: EVERY_MS });

async function readDays(pipelineId: string, zone: string): Promise<Days> {
  const days: Day[] = [];
  let backfillId: string | null | undefined;
  let cursor: string | undefined;
  do {
    const page: Types.AllRunsPage = await api.runs.listAll({
      pipelineId,
      trigger: 'backfill',
      limit: PAGE,
      ...(cursor !== undefined && { cursor }),
    });
    for (const run of page.items) {
      backfillId ??= run.backfillId;
      if (run.backfillId !== backfillId) return days.toReversed();
      days.push({ date: dateIn(run.logicalDate ?? run.createdAt, zone), runId: run.id, status: run.status });
    }
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && days.length < MAX_DAYS);
  return days.length === 0 ? null : days.sort((one, other) => (one.date < other.date ? -1 : 1));
}

const isActive = ({ status }: Day): boolean => status === 'running' || status === 'queued';

/** How far the backfill is: a mark for each day, which leads to its run. */
export function BackfillProgress({ pipelineId, last }: { pipelineId: string; last: Query<Days> }) {
  const cancel = useAction(async () => {
    await api.pipelines.cancelBackfill(pipelineId);
    await refreshQueries(['backfill', pipelineId]);
  });
  const { data: days, error, refresh } = last;
  if (days === undefined) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={2} />;
  if (days === null)
    return <Empty title="There are no backfills yet">The days of a backfill and their runs appear here.</Empty>;
  const counts = STATUSES.map((status) => ({ status, count: days.filter((day) => day.status === status).length }));
  return (
    <div class="backfill">
      <p>
        {counted(days.length, 'day')}, {dateText(days[0]!.date)} to {dateText(days.at(-1)!.date)}:{' '}
        {counts
          .filter(({ count }) => count > 0)
          .map(({ status, count }) => (
            <Status key={status} kind={jobStatus(status)} label={`${count} ${status}`} />
          ))}
      </p>
      <ol class="days" aria-label="Days of the backfill">
        {days.map(({ date, runId, status }) => (
          <li key={runId}>
            <Link to={`/runs/${runId}`}>
              <StatusMark kind={jobStatus(status)} label={`${dateText(date)}: ${status}`} />
            </Link>
          </li>
        ))}
      </ol>
      {days.some(isActive) && (
        <Button isBusy={cancel.isRunning} onClick={() => void cancel.run()}>
          Cancel the backfill
        </Button>
      )}
      <Issue problem={cancel.problem} />
    </div>
  );
}
