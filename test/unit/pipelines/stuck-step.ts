import { RunSetup } from './run-setup.ts';

// A child process of the test of stuck steps: its worker ends it, and before that it reports what is kept of the step.
const [, , text = '', timeoutSeconds = ''] = process.argv;
const setup = await RunSetup.open();
const config = { sql: text, timeoutSeconds: Number(timeoutSeconds) };
const steps = [{ id: 'a', type: 'transform_sql' as const, config, retry: { maxAttempts: 1 } }];
const run = await setup.run(await setup.pipeline({ version: 1, steps }));
setup.worker.endProcess = () => {
  const end = () => process.kill(process.pid, 'SIGKILL');
  void setup.steps(run.id).then(([step]) => process.send!(step!.crashReport ?? {}, end));
};
await setup.drain();
