import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { type Broken, breakCall, FAULTS, type Fault, recordCalls, SAID } from '../../../support/console/break-call.ts';
import { HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { openDatabase, type TestDatabase } from '../../../support/postgres-database.ts';
import { openReceiver, type Receiver } from '../../../support/receiver.ts';
import { FLOWS, type Flow, type Step } from './golden-flows.ts';

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

async function begin(api: Api, { given, as }: Flow, before: (page: Page) => Promise<unknown>) {
  const { path, steps, expectOnce } = await given(api, { database, receiver });
  return { steps, expectOnce, page: await consoles.open(api, { as, path, uploads: true, before }) };
}

/** Takes a step. Once the page says that something failed, repeats it as a person does, who types nothing again. */
async function takeWith(page: Page, { act, again }: Step, broken: Broken): Promise<void> {
  const said = page.getByRole('alert').filter({ hasText: SAID });
  const done = act(page);
  done.catch(() => {});
  const isDone = await Promise.race([done.then(() => true), reported(said.first().waitFor())]);
  if (broken.isMended() || !broken.isMet()) return void (await done);
  // What failed may be beside the step: then its message may come later than the result.
  await said.first().waitFor();
  broken.mend();
  const retries = page.getByRole('button', { name: 'Try again' });
  const tryAgain = () => retries.evaluateAll((all) => all.map((each) => (each as HTMLElement).click()));
  if ((await retries.count()) > 0) await tryAgain();
  else if (!isDone && again) await again(page);
  else throw new Error(`There is nothing to try again: ${await said.first().textContent()}`);
  await done;
  // Several parts of the page may have made the call.
  const left = async () => {
    const count = await said.count();
    if (count > 0) await tryAgain();
    return count;
  };
  await expect.poll(left, { interval: 2_000, timeout: 60_000 }).toBe(0);
}

/** What follows from the last step, such as what the page then reads. */
const REST: Step = { act: (page) => page.waitForLoadState('networkidle') };

/** Resolves to false with the message; a page that says nothing never resolves it. */
const reported = (message: Promise<void>): Promise<boolean> =>
  message.then(
    () => false,
    () => new Promise<boolean>(() => {}),
  );

const faultsOf = ({ writes, reads }: Flow): { call: string; fault: Fault }[] => [
  ...writes.flatMap((call) => FAULTS.map((fault) => ({ call, fault }))),
  ...reads.map((call) => ({ call, fault: 'answers 500' as const })),
];

describe.runIf(HAS_CHROMIUM)('the golden flows of the console', () => {
  it.for(FLOWS)(
    'make no calls but those whose failure is tested: from $name',
    { timeout: PATIENT },
    async (flow, { api }) => {
      let calls = new Set<string>();
      const { page, steps, expectOnce } = await begin(api, flow, async (opened) => {
        calls = recordCalls(opened);
      });
      for (const { act } of [...steps, REST]) await act(page);
      await expectOnce();
      const known = [...flow.writes, ...flow.reads, ...Object.keys(flow.silent)];
      expect([...calls].filter((call) => !known.includes(call))).toEqual([]);
    },
  );

  it.for(FLOWS.flatMap((flow) => faultsOf(flow).map((each) => ({ flow, name: flow.name, ...each }))))(
    'say what failed, lose nothing and double nothing if $call $fault: from $name',
    { timeout: PATIENT },
    async ({ flow, call, fault }, { api }) => {
      let broken!: Broken;
      const { page, steps, expectOnce } = await begin(api, flow, async (opened) => {
        broken = await breakCall(opened, call, fault);
      });
      for (const step of [...steps, REST]) await takeWith(page, step, broken);
      await expectOnce();
      expect(broken.isMet()).toBe(true);
    },
  );

  it.for(FLOWS.flatMap((flow) => Object.keys(flow.silent).map((call) => ({ flow, name: flow.name, call }))))(
    'go on without $call: from $name',
    { timeout: PATIENT },
    async ({ flow, call }, { api }) => {
      const { page, steps, expectOnce } = await begin(api, flow, (opened) => breakCall(opened, call, 'answers 500'));
      for (const { act } of steps) await act(page);
      await expectOnce();
    },
  );
});
