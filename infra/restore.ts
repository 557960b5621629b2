import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { accountOf } from './account.ts';
import { clientConfigOf } from './operator.ts';
import { restoreFiles } from './restore/restore-files.ts';
import { restoreTable } from './restore/restore-table.ts';

const USAGE = `Usage:
  npm run restore -- table --from <table> --at 2026-01-31T12:00:00Z [--to <new table>]
  npm run restore -- files --from <bucket> --at 2026-01-31T12:00:00Z
and for both: [--profile work] [--region eu-west-1] [--endpoint http://127.0.0.1:3000]`;

class UsageError extends Error {}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof UsageError) console.error(`\n${USAGE}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

async function main(): Promise<void> {
  const { account, rest } = accountOf(process.argv.slice(2));
  const { what, from, at, to, endpoint } = argumentsOf(rest);
  const config = clientConfigOf(endpoint ?? account);
  const log = (line: string) => console.log(line);
  if (what === 'table') {
    const target = to ?? `${from}-${at.toISOString().replace(/\W/g, '')}`;
    const stream = await restoreTable({ client: new DynamoDBClient(config), source: from, target, at, log });
    console.log(`
${target} is ready. The deployment still works on ${from}. To let it work on the restored table, deploy now and from now on with:

  RESTORED_TABLE_STREAM=${stream}

Then bring back the files: npm run restore -- files --from <bucket> --at ${at.toISOString()}`);
    return;
  }
  const client = new S3Client({ ...config, forcePathStyle: endpoint !== undefined });
  const { undeleted, reverted, skipped } = await restoreFiles({ client, bucket: from, at, log });
  if (skipped > 0) process.exitCode = 1;
  console.log(
    `Brought back ${undeleted} deleted and ${reverted} replaced files. Files that were added since are kept.`,
  );
}

function argumentsOf(given: readonly string[]) {
  const { values, positionals } = parse(given);
  const [what] = positionals;
  if (positionals.length !== 1 || (what !== 'table' && what !== 'files')) {
    throw new UsageError('Say what to restore: table or files.');
  }
  if (!values.from) throw new UsageError(`Name the ${what === 'table' ? 'table' : 'bucket'} with --from.`);
  if (!values.at) throw new UsageError('Name the moment with --at.');
  const at = new Date(values.at);
  if (Number.isNaN(at.getTime())) throw new UsageError(`--at must be a moment in ISO 8601, not "${values.at}".`);
  return { what, from: values.from, to: values.to, endpoint: values.endpoint, at } as const;
}

function parse(given: readonly string[]) {
  try {
    const text = { type: 'string' } as const;
    return parseArgs({
      args: [...given],
      options: { from: text, at: text, to: text, endpoint: text },
      allowPositionals: true,
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
