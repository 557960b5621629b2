import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build/index.ts';
import { deploy } from './deployment.ts';
import { operatorClients } from './operator.ts';
import { settings } from './settings.ts';

/** `npm run deploy [-- options of cdk deploy]` */
try {
  await deploy({
    root: join(import.meta.dirname, '..'),
    settings: settings(),
    clients: operatorClients(),
    aiKey: process.env.AI_API_KEY,
    arguments: process.argv.slice(2),
    run: (program, args, cwd) =>
      spawnSync(program, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' }).status ?? 1,
    build: (engine) => build({ force: true, engine }),
    log: console.log,
  });
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
