/**
 * Outlives the service by a moment: reads `+pid` and `-pid` lines and, when the pipe ends, kills every remaining
 * process group. A process with a blocked event loop cannot notice by itself that its service is gone.
 */
import { createInterface } from 'node:readline';

const alive = new Set();
const lines = createInterface({ input: process.stdin });

lines.on('line', (line) => {
  const pid = Number(line.slice(1));
  if (line.startsWith('+')) alive.add(pid);
  else alive.delete(pid);
});

lines.on('close', () => {
  for (const pid of alive) {
    for (const target of [-pid, pid]) {
      try {
        process.kill(target, 'SIGKILL');
      } catch {
        // It has already ended, or the platform has no process groups.
      }
    }
  }
  process.exit();
});
