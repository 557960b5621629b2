import { buildApplication, buildRouteMap, run } from '@stricli/core';
import pkg from '../package.json' with { type: 'json' };
import type { CliContext } from './command.ts';
import { api } from './commands/api.ts';
import { complete, completion } from './commands/completion.ts';
import * as definitions from './commands/definitions/index.ts';
import { doctor } from './commands/doctor.ts';
import { exportFile, upload } from './commands/files.ts';
import { OBJECTS } from './commands/objects.ts';
import { open } from './commands/open.ts';
import { query } from './commands/query.ts';
import * as runs from './commands/runs.ts';
import * as session from './commands/session.ts';
import { translate } from './commands/translate.ts';
import { webhooks } from './commands/webhooks.ts';
import { EXIT } from './exit-codes.ts';

const root = buildRouteMap<string, CliContext>({
  routes: {
    ...session,
    ...runs,
    ...definitions,
    translate,
    query,
    upload,
    export: exportFile,
    ...OBJECTS,
    webhooks,
    open,
    api,
    completion,
    doctor,
  },
  docs: { brief: 'The analytics platform from the command line' },
});

const app = buildApplication(root, {
  name: 'analytics',
  versionInfo: { currentVersion: pkg.version },
  scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
  documentation: { caseStyle: 'convert-camel-to-kebab' },
});

const words = process.argv.slice(2);
// A reader that has seen enough, such as `head`, ends the program quietly.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed),
);
// Some shells cannot pass an empty word, and pass two quotes.
if (words[0] === 'complete' && words[1] === '--')
  await complete(
    app,
    words.slice(2).map((word) => (word === '""' ? '' : word)),
    process,
  );
else await run(app, words.length === 0 ? ['--help'] : words, { process });
// The library has codes below zero for what was typed wrong.
if (Number(process.exitCode ?? 0) < 0 || Number(process.exitCode ?? 0) > EXIT.interrupted)
  process.exitCode = EXIT.usage;
