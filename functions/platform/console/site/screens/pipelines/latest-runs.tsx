import { ageOf } from '../../../../browser/age.ts';
import { type Pipeline, triggerText } from '../../data/pipelines.ts';
import { jobStatus } from '../../ui/job-status.ts';
import { Link } from '../../ui/link.tsx';
import { StatusMark } from '../../ui/status.tsx';

/** The last runs as marks, the oldest first, as a timeline is read. Each leads to its run. */
export function LatestRuns({ runs }: { runs: Pipeline['latestRuns'] }) {
  if (runs.length === 0) return <span class="hint">none yet</span>;
  return (
    <span class="latest-runs">
      {runs.toReversed().map((run) => (
        <Link key={run.id} to={`/runs/${run.id}`}>
          <StatusMark kind={jobStatus(run.status)} label={textOf(run)} />
        </Link>
      ))}
    </span>
  );
}

const textOf = ({ status, trigger, startedAt, finishedAt }: Pipeline['latestRuns'][number]): string => {
  const at = finishedAt ?? startedAt;
  return `${status}${at ? ` ${ageOf(at)}` : ''}, started by ${triggerText(trigger.kind)}`;
};
