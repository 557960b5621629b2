import { useEffect, useState } from 'preact/hooks';
import { durationOf } from '../../ui/format.ts';
import type { Run } from './runs.ts';

const EVERY_MS = 100;

/** How long the statement has been running. */
export function Running({ run: { startedAt, isJob } }: { run: Extract<Run, { step: 'running' }> }) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div class="sql-running">
      <progress aria-label="The statement is running" />
      <p>
        Running{isJob && ' for up to 10 minutes'}: {durationOf(Math.max(0, now - startedAt))}
      </p>
    </div>
  );
}
