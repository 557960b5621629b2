import { command } from '../command.ts';
import { EXIT } from '../exit-codes.ts';

interface Check {
  check: string;
  isOk: boolean;
  detail: string;
}

export const doctor = command({
  brief: 'Check whether this machine can work with the platform',
  async run(session) {
    const { terminal, process, signal } = session;
    const checks: Check[] = [];
    const check = async (name: string, work: () => Promise<string>) => {
      const found = await work().then(
        (detail) => ({ check: name, isOk: true, detail }),
        (error: Error) => ({ check: name, isOk: false, detail: error.message.split('\n')[0]! }),
      );
      checks.push(found);
      if (!terminal.isJson)
        terminal.out(
          `${terminal.paint(found.isOk ? 'green' : 'red', found.isOk ? '✓' : '✕')} ${name}: ${found.detail}`,
        );
      return found.isOk;
    };
    await check('Node.js', async () => process.version);
    const hasTarget = await check(
      'Target',
      async () => `${session.target.name ?? 'from the environment'} (${session.target.url})`,
    );
    if (hasTarget) {
      const startedAt = performance.now();
      const isIn = await check('Credential', async () => (await session.api.auth.me({ signal })).user.email);
      if (isIn) {
        await check('Round trip', async () => `${Math.round(performance.now() - startedAt)} ms`);
        await check('Clock', async () => {
          const { response } = await session.api.auth.me({ signal }).withResponse();
          const apart = Math.abs(Date.now() - Date.parse(response.headers.get('date') ?? new Date().toISOString()));
          if (apart > 60_000) throw new Error(`differs from the platform's by ${Math.round(apart / 1000)} s`);
          return 'as the platform’s';
        });
        await check('Workers', async () => JSON.stringify(await session.api.runs.getWorkersStatus({ signal })));
      }
    }
    if (terminal.isJson) terminal.out(JSON.stringify(checks));
    if (checks.some(({ isOk }) => !isOk)) process.exitCode = EXIT.failed;
  },
});
