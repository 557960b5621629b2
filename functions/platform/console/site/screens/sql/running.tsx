import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { durationOf } from '../../ui/format.ts';
import type { Run } from './runs.ts';

const EVERY_MS = 100;

interface RunningProps {
  run: Extract<Run, { step: 'running' }>;
  cancel(): void;
}

/** How long the statement has been running. */
export function Running({ run: { startedAt, isJob }, cancel }: RunningProps) {
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
      <Button isSmall onClick={cancel}>
        Cancel
      </Button>
    </div>
  );
}
