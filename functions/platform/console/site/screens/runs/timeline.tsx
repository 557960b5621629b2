import { durationOf } from '../../ui/format.ts';
import { jobStatus } from '../../ui/job-status.ts';
import { Status } from '../../ui/status.tsx';
import type { Run, StepRun } from './live-run.ts';
import { firstToShow, type StepGroup } from './step-groups.ts';

interface TimelineProps {
  run: Run;
  groups: readonly StepGroup[];
  shown: StepRun | undefined;
  address: (step: StepRun) => string;
}

interface Bar {
  /** In milliseconds since the start of the run. */
  ready: number;
  start: number;
  end: number;
}

/** When each step waited (hatched) and ran, from the start of the run. */
export function Timeline({ run, groups, shown, address }: TimelineProps) {
  const bars = barsOf(run, groups);
  const length = Math.max(1, ...[...bars.values()].map(({ end }) => end));
  const share = (ms: number) => `${(100 * ms) / length}%`;
  return (
    <div class="timeline">
      <p class="timeline-scale" aria-hidden="true">
        <span>0</span>
        <span>{durationOf(length / 2)}</span>
        <span>{durationOf(length)}</span>
      </p>
      <ul>
        {groups.map(({ stepId, status, runs }) => {
          const bar = bars.get(stepId);
          return (
            <li key={stepId}>
              <a
                href={address(firstToShow(runs)!)}
                aria-current={stepId === shown?.stepId || undefined}
                title={bar && textOf(bar)}
              >
                <Status kind={jobStatus(status)} label={stepId} />
                <span class="track">
                  {bar && bar.start > bar.ready && (
                    <span class="wait" style={{ left: share(bar.ready), width: share(bar.start - bar.ready) }} />
                  )}
                  {bar && (
                    <span
                      class={`bar-of ${jobStatus(status)}`}
                      style={{ left: share(bar.start), width: `max(2px, ${share(bar.end - bar.start)})` }}
                    />
                  )}
                </span>
                <span class="sr">{bar ? textOf(bar) : status}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const textOf = ({ ready, start, end }: Bar): string =>
  `${durationOf(end - start)}, from ${durationOf(start)}${start - ready >= 100 ? `, after waiting ${durationOf(start - ready)}` : ''}`;

function barsOf(run: Run, groups: readonly StepGroup[]): Map<string, Bar> {
  const zero = Date.parse(run.startedAt ?? run.createdAt);
  const now = Date.parse(run.finishedAt ?? new Date().toISOString());
  const since = (at: string | null) => (at === null ? now : Date.parse(at)) - zero;
  const bars = new Map<string, Bar>();
  // A retry repeats some steps only: the others began before this attempt, and are not part of its time.
  for (const { stepId, runs } of groups) {
    const started = runs.filter(({ startedAt }) => startedAt !== null && since(startedAt) >= 0);
    if (started.length === 0) continue;
    const start = Math.min(...started.map(({ startedAt }) => since(startedAt)));
    bars.set(stepId, { ready: 0, start, end: Math.max(...started.map(({ finishedAt }) => since(finishedAt)), start) });
  }
  for (const { stepId, dependsOn } of groups) {
    const bar = bars.get(stepId);
    const before = dependsOn.map((id) => bars.get(id)?.end ?? 0);
    if (bar) bar.ready = Math.min(bar.start, Math.max(0, ...before));
  }
  return bars;
}
