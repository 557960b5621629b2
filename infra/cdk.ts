import { accountOf, cdkCommand } from './account.ts';
import { runProgram } from './run-program.ts';

/**
 * `npm run cdk -- <command> [--profile …] [--region …]`: the CDK in the account and region that `npm run deploy` would
 * choose.
 */
const { account, rest } = accountOf(process.argv.slice(2));
const command = cdkCommand(account, rest);
process.exitCode = runProgram('npx', command.arguments, process.cwd(), command.variables);
