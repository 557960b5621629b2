import { parseArgs } from 'node:util';
import { accountOf } from './account.ts';
import { createOwner, operatorClients, randomPassword } from './operator.ts';
import { settings } from './settings.ts';

const USAGE =
  'Usage: npm run create-owner -- --email you@example.com [--name "Your Name"] [--company "Company"] [--workspace "Main"] [--profile work] [--region eu-west-1] [--endpoint http://127.0.0.1:3000]';

const { account, rest } = accountOf(process.argv.slice(2));
const { values } = parseArgs({
  args: rest,
  options: {
    email: { type: 'string' },
    name: { type: 'string' },
    company: { type: 'string', default: 'My company' },
    workspace: { type: 'string', default: 'Main' },
    endpoint: { type: 'string' },
  },
});

if (!values.email) {
  console.error(USAGE);
  process.exit(2);
}

const password = randomPassword();
const owner = await createOwner(operatorClients(values.endpoint ?? account), `${settings().name}Runtime-create-owner`, {
  email: values.email,
  name: values.name ?? values.email,
  company: values.company,
  workspace: values.workspace,
  password,
});
console.log(`Created ${owner.email}, owner of workspace ${owner.workspaceId}.`);
console.log(`Password (shown once): ${password}`);
