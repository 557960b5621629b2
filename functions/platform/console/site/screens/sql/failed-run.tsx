import { JOB_TIMEOUT_MS } from '../../data/sql.ts';
import { Button } from '../../ui/button.tsx';
import { durationOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { placeName } from '../../ui/place-name.ts';
import type { Run } from './runs.ts';

interface FailedRunProps {
  run: Extract<Run, { step: 'failed' }>;
  /** Shows a place of the text. */
  goTo(place: number): void;
  /** Runs it for minutes instead of seconds. */
  runAsJob(): void;
  retry(): void;
}

/** Why a statement failed, where, and what to do. */
export function FailedRun({ run: { problem, ms }, goTo, runAsJob, retry }: FailedRunProps) {
  const { sentence, places, issues, code, requestId } = problem;
  const isSlow = code === 'QUERY_TIMEOUT';
  return (
    <div class="sql-failed" role="alert">
      <p>
        <Icon name="circle-alert" size={18} />
        <strong>{sentence}</strong>
      </p>
      {places.length + issues.length > 0 && (
        <ul>
          {places.map(({ line, column, from, message }) => (
            <li key={`${from} ${message}`}>
              <Button isSmall look="plain" onClick={() => goTo(from)}>
                Line {line}, column {column}
              </Button>
              {!isSame(message, sentence) && <pre>{message}</pre>}
            </li>
          ))}
          {issues.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              {placeName(pointer)} <pre>{message}</pre>
            </li>
          ))}
        </ul>
      )}
      <p class="hint">
        Failed after {durationOf(ms)}
        {code !== undefined && ` · ${code}`}
        {requestId !== undefined && ` · request ${requestId}`}
      </p>
      <div class="actions">
        {isSlow && (
          <Button isSmall look="main" onClick={runAsJob}>
            Run for up to {Math.round(JOB_TIMEOUT_MS / 60_000)} minutes
          </Button>
        )}
        {places.length === 0 && (
          <Button isSmall icon="rotate-ccw" onClick={retry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}

const isSame = (one: string, other: string): boolean => one.replaceAll(/\s+/g, ' ') === other.replaceAll(/\s+/g, ' ');
