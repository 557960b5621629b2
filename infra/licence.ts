import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isLicenceActive, type Licence, TIERS } from '../shared/platform/entitlements/licence.ts';
import { publicKeyText, signLicence } from '../shared/platform/entitlements/licence-file.ts';
import { isProduct } from '../shared/platform/entitlements/products.ts';
import { newId } from '../shared/platform/storage/ids.ts';

/** `npm run licence`: issues licence files, on any machine and without a network. */

const USAGE = `Usage:
  npm run licence -- new-key --private-key licence-key.pem
  npm run licence -- issue --private-key licence-key.pem --company <id> --until 2026-12-31
                     [--from 2026-01-01] [--tier enterprise] [--products pipelines,warehouse]`;

const DAY_MS = 24 * 60 * 60 * 1000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'private-key': { type: 'string' },
    company: { type: 'string' },
    from: { type: 'string' },
    until: { type: 'string' },
    tier: { type: 'string', default: 'enterprise' },
    products: { type: 'string', default: 'pipelines,warehouse' },
  },
});

try {
  const [command] = positionals;
  const file = values['private-key'];
  if (command === 'new-key' && file !== undefined) newKey(file);
  else if (command === 'issue' && file !== undefined) console.log(await issue(file));
  else {
    console.error(USAGE);
    process.exit(2);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}

/** Never overwrites a key: licences could no longer be issued with it. */
function newKey(file: string): void {
  if (existsSync(file)) throw new Error(`${file} exists already. Choose another file, so that its key is not lost.`);
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
  console.log(`The private key is in ${file}. Keep it where licences are issued, and nowhere else.`);
  console.log(`Deploy with LICENCE_PUBLIC_KEYS=${publicKeyText(privateKey)}`);
}

function issue(file: string): Promise<string> {
  const { company = '', from, until = '', tier, products } = values;
  const names = products.split(',').filter((name) => name !== '');
  const licence: Licence = {
    id: newId(),
    companyId: company,
    tier: tier as Licence['tier'],
    products: names as Licence['products'],
    notBefore: from === undefined ? new Date().toISOString() : dayOf('from', from).toISOString(),
    validUntil: new Date(dayOf('until', until).getTime() + DAY_MS).toISOString(),
  };
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(company)) {
    throw new Error(`--company must be the id of a company, as GET /api/company shows it, not "${company}".`);
  }
  if (!TIERS.some((each) => each === tier))
    throw new Error(`--tier must be one of ${TIERS.join(', ')}, not "${tier}".`);
  const unknown = names.find((name) => !isProduct(name));
  if (unknown !== undefined) throw new Error(`--products may name pipelines and warehouse, not "${unknown}".`);
  if (!isLicenceActive(licence, new Date(licence.notBefore))) throw new Error('--until must not be before --from.');
  return signLicence(licence, createPrivateKey(readFileSync(file)));
}

/** A day in UTC; licences are valid to the end of their last day. */
function dayOf(option: string, text: string): Date {
  const day = new Date(`${text}T00:00:00.000Z`);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text) {
    throw new Error(`--${option} must be a day such as 2026-12-31, not "${text}".`);
  }
  return day;
}
