import { RunPlane } from './run-plane.ts';

// A child process of the test of stuck steps: its worker ends it, and before that it tells what is kept of the step.
const [, , text = '', timeoutSeconds = ''] = process.argv;
const plane = await RunPlane.open();
const config = { sql: text, timeoutSeconds: Number(timeoutSeconds) };
const steps = [{ id: 'a', type: 'transform_sql' as const, config, retry: { maxAttempts: 1 } }];
const run = await plane.run(await plane.pipeline({ version: 1, steps }));
plane.worker.endProcess = () => {
  const end = () => process.kill(process.pid, 'SIGKILL');
  void plane.steps(run.id).then(([step]) => process.send!(step!.lastWords ?? {}, end));
};
await plane.drain();
