import { parseArgs } from 'node:util';
import type { EntitlementChange } from '../functions/tenancy/workers/change-entitlements/change.ts';
import { accountOf } from './account.ts';
import { changeEntitlements, operatorClients } from './operator.ts';
import { settings } from './settings.ts';

/** `npm run entitlements`: what companies may use, as far as no licence file decides. */

const USAGE = `Usage: npm run entitlements -- <command> [--profile work] [--region eu-west-1] [--endpoint http://127.0.0.1:3000]

  show --company <id>
  plan pipelines|warehouse --company <id> --key <name> [--allowance <hours or GB>] [--overage] [--draft]
  no-plan pipelines|warehouse --company <id>
  trial bi|pipelines|warehouse <last day, as 2026-03-31> --company <id>
  tier team|business --company <id>
  switch pipelines|warehouse on|off|default [--company <id>; the whole platform without]`;

const { account, rest } = accountOf(process.argv.slice(2));
const { values, positionals } = parseArgs({
  args: rest,
  allowPositionals: true,
  options: {
    company: { type: 'string' },
    key: { type: 'string' },
    allowance: { type: 'string' },
    overage: { type: 'boolean', default: false },
    draft: { type: 'boolean', default: false },
    endpoint: { type: 'string' },
  },
});

const change = changeOf(positionals);
if (!change) {
  console.error(USAGE);
  process.exit(2);
}
try {
  const clients = operatorClients(values.endpoint ?? account);
  const state = await changeEntitlements(clients, `${settings().name}Runtime-change-entitlements`, change);
  console.log(JSON.stringify(state, null, 2));
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}

/** Undefined for a command that is incomplete; the function checks the values. */
function changeOf([command, first, second]: string[]): EntitlementChange | undefined {
  const { company: companyId, key: planKey, overage: overageOptIn, draft } = values;
  const allowance = values.allowance === undefined ? null : Number(values.allowance);
  const switches: Record<string, boolean | null> = { on: true, off: false, default: null };
  const changes: Record<string, object | false> = {
    show: companyId !== undefined && { change: 'none', companyId },
    plan: companyId !== undefined &&
      planKey !== undefined &&
      !Number.isNaN(allowance) && {
        change: 'plan',
        companyId,
        product: first,
        planKey,
        overageOptIn,
        draft,
        allowance,
      },
    'no-plan': companyId !== undefined && { change: 'no-plan', companyId, product: first },
    trial: companyId !== undefined && { change: 'trial', companyId, product: first, lastDay: second },
    tier: companyId !== undefined && { change: 'tier', companyId, tier: first },
    switch: second !== undefined &&
      second in switches && {
        change: 'switch',
        companyId: companyId ?? null,
        product: first,
        on: switches[second],
      },
  };
  return (changes[command ?? ''] || undefined) as EntitlementChange | undefined;
}
