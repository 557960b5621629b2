import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, vi } from 'vitest';
import { verifyLicence } from '../../../../shared/platform/entitlements/licence-file.ts';
import { type Api, itWithOwnCompany as it } from '../../../support/api.ts';
import { changeCompany } from '../../../support/operator.ts';

/** Entitlements are cached for five seconds. */
const SOON = { timeout: 60_000, interval: 250 };
const today = (days = 0) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
const snapshot = async (api: Api) => (await api.as('viewer').get('/api/entitlements')).body;
const cards = async (api: Api) => (await api.as('owner').get('/api/usage/products')).body.products;

const program = async (file: string, ...rest: string[]) =>
  (await promisify(execFile)(process.execPath, [`infra/${file}`, ...rest])).stdout;
const failure = (file: string, ...rest: string[]) =>
  program(file, ...rest).then(
    () => 'no failure',
    (error: { stderr: string }) => error.stderr,
  );

describe('the plan of a company', () => {
  it('shows in the cards what the operator sets, and grants nothing any more once the row is removed', async ({
    api,
  }) => {
    const row = { planKey: 'growth', overageOptIn: true, draft: true };
    await changeCompany(api, { change: 'plan', product: 'pipelines', ...row, allowance: 2.5 });
    await changeCompany(api, { change: 'plan', product: 'warehouse', ...row, overageOptIn: false, allowance: null });
    expect(await cards(api)).toMatchObject({
      pipelines: { licensed: true, ...row, allowance: { execution_hours: 2.5, execution_seconds: 9000 } },
      warehouse: { licensed: true, ...row, overageOptIn: false, allowance: { storage_gb: null, storage_bytes: null } },
    });
    await changeCompany(api, { change: 'no-plan', product: 'warehouse' });
    expect((await cards(api)).warehouse).toMatchObject({
      licensed: false,
      planKey: null,
      overageOptIn: null,
      draft: null,
      allowance: null,
    });
  });

  it('has a tier, which is not enterprise', async ({ api }) => {
    await changeCompany(api, { change: 'tier', tier: 'business' });
    expect((await snapshot(api)).bi).toEqual({ tier: 'business' });
    await expect(changeCompany(api, { change: 'tier', tier: 'enterprise' as 'business' })).rejects.toThrow(
      /Invalid change/,
    );
    expect((await snapshot(api)).bi).toEqual({ tier: 'business' });
  });
});

describe('a trial', () => {
  it('grants a product until its last day has ended, and stays listed', async ({ api }) => {
    await changeCompany(api, { change: 'no-plan', product: 'warehouse' });
    await changeCompany(api, { change: 'trial', product: 'warehouse', lastDay: today(1) });
    await changeCompany(api, { change: 'trial', product: 'bi', lastDay: today(1) });
    expect(await snapshot(api)).toMatchObject({
      bi: { tier: 'business' },
      warehouse: { licensed: true },
      trialGrants: { warehouse: today(1), bi: today(1) },
    });
    await changeCompany(api, { change: 'trial', product: 'warehouse', lastDay: today(-1) });
    expect(await snapshot(api)).toMatchObject({
      warehouse: { licensed: false },
      trialGrants: { warehouse: today(-1), bi: today(1) },
    });
    await vi.waitFor(
      async () => expect((await api.as('viewer').get('/api/datasets')).body.code).toBe('PRODUCT_NOT_LICENSED'),
      SOON,
    );
    await expect(changeCompany(api, { change: 'trial', product: 'bi', lastDay: '2026-02-30' })).rejects.toThrow(
      /Invalid change/,
    );
  });
});

describe('a switch of the operator', () => {
  it('turns a product off for a company, which is not the same as not licensed', async ({ api }) => {
    await changeCompany(api, { change: 'switch', product: 'pipelines', on: false });
    expect(await snapshot(api)).toMatchObject({
      pipelines: { licensed: true },
      availability: { pipelines: false, warehouse: true },
    });
    await vi.waitFor(
      async () =>
        expect(await api.as('viewer').get('/api/pipelines')).toMatchObject({
          status: 403,
          body: { code: 'PRODUCT_TURNED_OFF' },
        }),
      SOON,
    );
    expect((await api.as('viewer').get('/api/datasets')).status).toBe(200);
    await changeCompany(api, { change: 'switch', product: 'pipelines', on: null });
    expect((await snapshot(api)).availability).toEqual({ pipelines: true, warehouse: true });
    await vi.waitFor(async () => expect((await api.as('viewer').get('/api/pipelines')).status).toBe(200), SOON);
  });
});

describe('npm run entitlements', () => {
  it('changes and shows what a company may use', async ({ api }) => {
    const at = ['--company', api.companyId, '--endpoint', api.endpoint];
    await Promise.all([
      program('entitlements.ts', 'plan', 'pipelines', '--key', 'growth', '--allowance', '3', '--overage', ...at),
      program('entitlements.ts', 'trial', 'warehouse', '2026-01-31', ...at),
      program('entitlements.ts', 'switch', 'warehouse', 'off', ...at),
    ]);
    const { company } = JSON.parse(await program('entitlements.ts', 'show', ...at));
    expect(company).toMatchObject({
      plans: { pipelines: { planKey: 'growth', allowance: 3, overageOptIn: true, draft: false } },
      trials: { warehouse: '2026-01-31' },
      switches: { warehouse: false },
    });
    const nowhere = ['--company', '00000000-0000-7000-8000-00000000dead', '--endpoint', api.endpoint];
    const failures = await Promise.all([
      failure('entitlements.ts', 'plan', 'pipelines', ...at),
      failure('entitlements.ts', 'tier', 'enterprise', ...at),
      failure('entitlements.ts', 'show', ...nowhere),
    ]);
    expect(failures).toEqual([
      expect.stringMatching(/Usage/),
      expect.stringMatching(/Invalid change/),
      expect.stringMatching(/No company has the id/),
    ]);
  });
});

describe('npm run licence', () => {
  it('makes a key and issues licences that verify with it', async ({ api: { companyId } }) => {
    const folder = mkdtempSync(join(tmpdir(), 'analytics-licence-'));
    try {
      const key = ['--private-key', join(folder, 'key.pem')];
      const printed = await program('licence.ts', 'new-key', ...key);
      const publicKey = /LICENCE_PUBLIC_KEYS=(\S+)/.exec(printed)![1]!;
      const issue = [...key, '--company', companyId, '--from', '2026-01-01', '--until', '2026-12-31'];
      const text = (await program('licence.ts', 'issue', ...issue, '--products', 'warehouse')).trim();
      const at = (now: string) => verifyLicence(text, { keys: [publicKey], companyId, now: new Date(now) });
      expect(await at('2026-12-31T23:59:59.999Z')).toMatchObject({ tier: 'enterprise', products: ['warehouse'] });
      await expect(at('2027-01-01T00:00:00.000Z')).rejects.toMatchObject({ code: 'LICENCE_EXPIRED' });

      const before = readFileSync(key[1]!, 'utf8');
      expect(await failure('licence.ts', 'new-key', ...key)).toMatch(/exists already/);
      expect(readFileSync(key[1]!, 'utf8')).toBe(before);
      expect(await failure('licence.ts', 'issue', ...issue, '--products', 'telepathy')).toMatch(/--products/);
      expect(await failure('licence.ts', 'issue', ...issue, '--until', '2025-12-31')).toMatch(/--until/);
      expect(await failure('licence.ts', 'issue', ...issue, '--until', '2026-02-30')).toMatch(/must be a day/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
