import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { breakCall, FAULTS, recordCalls, SAID } from '../../../support/console/break-call.ts';
import { HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { openDatabase, type TestDatabase } from '../../../support/postgres-database.ts';
import { openReceiver, type Receiver } from '../../../support/receiver.ts';
import { FLOWS, type Step } from './golden-flows.ts';

const consoles = useConsoles();

let database: TestDatabase;
beforeAll(async () => {
  database = await openDatabase();
  await database.run('CREATE TABLE orders (id BIGINT PRIMARY KEY); INSERT INTO orders VALUES (1), (2)');
});
afterAll(() => database?.drop());

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

/** Takes a step. If the page says that it failed, repeats it as a person does, who types nothing again. */
async function take(page: Page, { act, again }: Step): Promise<void> {
  const done = act(page).then(() => 'done');
  const never = new Promise<string>(() => {});
  const said = page.getByRole('alert').filter({ hasText: SAID }).first();
  // The page may say so after the step is done, of something beside it.
  const outcome = await Promise.race([
    done,
    said.waitFor().then(
      () => 'said',
      () => never,
    ),
  ]);
  if (outcome === 'done') return;
  done.catch(() => {});
  const retry = page.getByRole('button', { name: 'Try again' });
  if ((await retry.count()) > 0) {
    await retry.first().click();
    await done;
    return;
  }
  if (!again) throw new Error(`There is nothing to try again: ${await said.textContent()}`);
  await again(page);
}

/** Requests that are POST because of what they ask with. */
const ASKS = /\/(validate|suggest|content|batch|[\w-]*(image|data))$|^DELETE \/api\/embed\/tokens\//;

const ALL = FLOWS.flatMap((flow) =>
  [...flow.writes, flow.read].flatMap((call) => FAULTS.map((fault) => ({ flow, call, fault }))),
);

describe.runIf(HAS_CHROMIUM)('the golden flows of the console lose nothing and double nothing', () => {
  it.for(ALL)(
    'if $call $fault, on the way from $flow.name',
    { timeout: PATIENT },
    async ({ flow, call, fault }, { api }) => {
      const { path, steps, expectOnce } = await flow.given(api, { database, receiver });
      let isBroken = () => false;
      let calls = new Set<string>();
      const page = await consoles.open(api, {
        as: flow.as,
        path,
        uploads: true,
        before: async (opened) => {
          calls = recordCalls(opened);
          isBroken = await breakCall(opened, call, fault);
        },
      });
      for (const step of steps) await take(page, step);
      await expectOnce();
      expect(isBroken()).toBe(true);
      // A new call of a flow is one that may fail.
      const writes = [...calls].filter((each) => !each.startsWith('GET ') && !ASKS.test(each));
      expect(writes.filter((each) => !flow.writes.includes(each))).toEqual([]);
    },
  );
});
