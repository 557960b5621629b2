import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, api, type Types } from '../../data/client.ts';
import { saveBlob } from '../../data/files.ts';
import { problemOf } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { Button } from '../../ui/button.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import type { StepRun } from './live-run.ts';

type Line = Types.StepLogTail['lines'][number];

const SHOWN = 200;
const FOLLOW_MS = 2_000;

interface LogProps {
  runId: string;
  step: StepRun;
  attempt: number;
}

/** The end of the log of an attempt. While the step runs, it is read again and again. */
export function Log({ runId, step, attempt }: LogProps) {
  const { stepId, itemIndex } = step;
  const isRunning = step.status === 'running' && attempt === step.attempt;
  const { data, error, isLoading, refresh } = useQuery(
    ['log', runId, stepId, itemIndex, attempt, isRunning],
    () => api.runs.getStepLogs(runId, stepId, { attempt, ...(itemIndex !== null && { itemIndex }) }),
    { everyMs: isRunning && FOLLOW_MS, keepsLast: true },
  );
  const [isWhole, showWhole] = useState(false);
  const box = useRef<HTMLPreElement>(null);
  useShortcut('l', 'Log', () => box.current?.focus());
  const lines = data?.lines ?? [];
  const shown = isWhole ? lines : lines.slice(-SHOWN);
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [shown.length, data?.totalBytes]);
  if (!data && error)
    return isHidden(error) ? (
      <p class="hint">{problemOf(error).sentence}</p>
    ) : (
      <Failed problem={problemOf(error)} retry={refresh} />
    );
  return (
    <div class="log">
      <header>
        <h3>
          Log <span class="hint">in UTC</span>
        </h3>
        {lines.length > shown.length && (
          <Button isSmall look="plain" onClick={() => showWhole(true)}>
            Show {lines.length - shown.length} earlier lines
          </Button>
        )}
        {lines.length > 0 && (
          <Button isSmall look="plain" icon="download" onClick={() => save(`${stepId}.log`, lines)}>
            Save
          </Button>
        )}
      </header>
      {isLoading && <Loading rows={4} />}
      {data?.truncated && <p class="hint">Earlier lines were not kept.</p>}
      {data && lines.length === 0 && (
        <p class="hint">{isRunning ? 'Nothing has been logged yet.' : 'The log is empty.'}</p>
      )}
      {lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys too.
        <pre ref={box} role="log" tabIndex={0} aria-label={`Log of ${stepId}`}>
          {shown.map((line, index) => (
            <span key={index} class={`line ${line.level}`}>
              <time>{line.at.slice(11, 23)}</time> {line.message}
              {'\n'}
            </span>
          ))}
        </pre>
      )}
    </div>
  );
}

/** The log may quote rows that the person may not see. */
const isHidden = (error: unknown): boolean => error instanceof ApiError && error.code === 'RLS_RAW_SQL';

function save(name: string, lines: readonly Line[]): void {
  const text = lines.map(({ at, level, message }) => `${at} ${level} ${message}\n`);
  saveBlob(new Blob(text, { type: 'text/plain' }), name);
}
