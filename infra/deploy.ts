import { join } from 'node:path';
import { accountOf } from './account.ts';
import { build } from './build/index.ts';
import { deploy } from './deployment.ts';
import { operatorClients } from './operator.ts';
import { runProgram } from './run-program.ts';
import { settings } from './settings.ts';

/** `npm run deploy [-- --profile … --region … and options of cdk deploy]` */
try {
  const { account, rest } = accountOf(process.argv.slice(2));
  await deploy({
    root: join(import.meta.dirname, '..'),
    settings: settings(),
    account,
    clients: operatorClients(account),
    aiKey: process.env.AI_API_KEY,
    arguments: rest,
    run: runProgram,
    build: (engine) => build({ force: true, engine }),
    log: console.log,
  });
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
