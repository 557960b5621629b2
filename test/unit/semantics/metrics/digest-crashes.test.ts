import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { openDigest } from '../../../../functions/delivery/kinds/digests/deliver-digest.ts';
import { composeDigest } from '../../../../functions/delivery/kinds/digests/digest-mail.ts';
import { digestSent } from '../../../../functions/delivery/kinds/digests/open-digests.ts';
import { announceDue } from '../../../../functions/platform/workers/minute-tick/announce-due.ts';
import { scheduledDeliveries } from '../../../../functions/platform/workers/minute-tick/scheduled-reports.ts';
import { sendDelivery } from '../../../../functions/platform/workers/send-mail/send-delivery.ts';
import {
  continueRun,
  type DeliveryDeps,
  deliveryRuns,
  type ReportMessage,
  runDueDelivery,
  scheduledRunId,
} from '../../../../shared/domains/delivery/deliveries/index.ts';
import type { MailMessage } from '../../../../shared/domains/delivery/mails/index.ts';
import {
  DIGESTS,
  type DigestRecord,
  digestDelivery,
  digestRepository,
  type StoredDigestMail,
} from '../../../../shared/domains/semantics/metric-reports/index.ts';
import type { MetricRecord } from '../../../../shared/domains/semantics/metrics/index.ts';
import type { UserRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { asProcess, type Crash, Crashed, type Write, writing } from '../../../support/crash.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();
const MINUTE_MS = 60_000;
/** A full hour that the clock of the table does not reach in the test. */
const INSTANT = new Date((Math.floor(Date.now() / 3_600_000) + 2) * 3_600_000);
const PEOPLE = ['ann', 'bob'].map((name) => ({ name, userId: newId(), membershipId: newId(), isActive: true }));
const MEMBERS = new Map(PEOPLE.map((person) => [person.userId, person]));
const metric = { id: newId(), name: 'Sales', grain: 'day' } as MetricRecord;

/** A digest whose instant is in a minute, and queues that deliver each message until its work survives. */
class World {
  readonly workspaceId = newId();
  readonly sent: string[] = [];
  writes = 0;
  #now = INSTANT.getTime() - MINUTE_MS;
  readonly #table;
  readonly #crash: Crash;
  readonly #reportMessages: ReportMessage[] = [];
  readonly #mailMessages: MailMessage[] = [];
  readonly #restless: boolean;

  /** A restless worker writes one mail, and leaves the others to the next message. */
  constructor(crash: (index: number, write: Write) => ReturnType<Crash>, isRestless = false) {
    this.#crash = (write) => crash(this.writes++, write);
    this.#table = local.open((write) => this.#crash(write));
    this.#restless = isRestless;
  }

  now = () => new Date(this.#now);

  async run(): Promise<void> {
    await digestRepository(local.open()).create(this.#digest());
    this.#now += MINUTE_MS;
    await this.#survive(() => this.#tick());
    for (let rounds = 0; rounds < 200; rounds++) {
      const [message] = this.#reportMessages;
      const [mail] = this.#mailMessages;
      if (message) {
        await this.#survive(() => this.#work(message));
        this.#reportMessages.shift();
      } else if (mail) {
        await this.#survive(() => this.#send(mail as Extract<MailMessage, { kind: 'delivery' }>));
        this.#mailMessages.shift();
      } else {
        return;
      }
    }
    throw new Error('the work does not end');
  }

  async state() {
    const { id: deliveryId } = this.#digest();
    const runId = scheduledRunId(DIGESTS, deliveryId, INSTANT);
    const place = { workspaceId: this.workspaceId, deliveryId, runId };
    const runs = deliveryRuns(local.open(), DIGESTS);
    const { pk } = workspaceKey(this.workspaceId, 'OUTBOX', '');
    const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } };
    const table = local.open();
    const { Items } = await table.db.send(new QueryCommand({ TableName: table.name, ...query }));
    return { run: await runs.get(place), mails: await runs.mails(place), events: Items!.length };
  }

  readonly #id = newId();

  #digest(): DigestRecord {
    const at = new Date(INSTANT.getTime() - 86_400_000).toISOString();
    const [owner] = PEOPLE;
    return {
      ...{ id: this.#id, workspaceId: this.workspaceId, name: 'Daily', metricIds: [metric.id] },
      ...{
        cron: `0 ${INSTANT.getUTCHours()} * * *`,
        timezone: 'UTC',
        isActive: true,
        apiUrl: 'https://example.com/api',
      },
      owner: owner!,
      recipients: PEOPLE.map(({ userId, membershipId }) => ({ userId, membershipId })),
      ...{ createdBy: owner!.userId, updatedBy: owner!.userId, createdAt: at, updatedAt: at, revision: 1 },
    };
  }

  async #survive(work: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await asProcess(work);
        return;
      } catch (error) {
        if (!(error instanceof Crashed)) throw error;
        // A message of a crashed worker comes again after the visibility timeout.
        this.#now += 5 * MINUTE_MS;
      }
    }
  }

  #queue = <M>(messages: M[]) => ({
    send: (sent: readonly { message: M }[]) =>
      writing(this.#crash, { command: 'SendMessage', input: {} }, async () => {
        messages.push(...sent.map(({ message }) => message));
      }),
  });

  async #tick(): Promise<void> {
    const scheduled = scheduledDeliveries(this.#table, digestDelivery, this.#queue(this.#reportMessages));
    const fail = ({ error }: { error: Error }) => {
      throw error;
    };
    const own = {
      ...scheduled,
      find: (item: Parameters<typeof scheduled.find>[0]) =>
        this.#isOwn(item.pk) ? scheduled.find(item) : Promise.resolve(null),
    };
    await announceDue({ table: this.#table, now: this.now }, own, () => {}).then((failures) => failures.forEach(fail));
  }

  #isOwn = (pk: string) => pk.includes(this.workspaceId);

  #work(message: ReportMessage): Promise<void> {
    let written = 0;
    const digests = {
      metrics: async () => [metric],
      figure: async ({ name }: MetricRecord) => ({ name, value: '1', lines: [] }),
      published: async () => [],
      event: digestSent(this.#table),
      now: this.now,
    };
    const deps: DeliveryDeps<DigestRecord, StoredDigestMail> = {
      kind: DIGESTS,
      deliveries: digestRepository(this.#table),
      runs: deliveryRuns(this.#table, DIGESTS),
      open: (run) => openDigest(digests, run),
      workspace: async () => ({ name: 'Test', companyId: 'company' }),
      members: async () => MEMBERS,
      admins: async () => [],
      mails: { send: (mail) => this.#queue(this.#mailMessages).send([{ message: mail }]) },
      queue: this.#queue(this.#reportMessages),
      now: this.now,
      isOver: () => this.#restless && written++ > 0,
    };
    if (message.op === 'delivery-due') return runDueDelivery(deps, message);
    if (message.op === 'delivery-run') return continueRun(deps, message);
    throw new Error(message.op);
  }

  #send(mail: Extract<MailMessage, { kind: 'delivery' }>): Promise<void> {
    return sendDelivery<StoredDigestMail>(
      this.#mailDeps(),
      {
        kind: DIGESTS,
        deliveries: digestRepository(this.#table),
        runs: deliveryRuns(this.#table, DIGESTS),
        unsubscribe: { of: async () => 'token', read: async () => undefined },
        ...composeDigest({ objects: { read: () => Promise.reject(new Error('digests have no files')) } }),
      },
      mail,
    );
  }

  #mailDeps(): Parameters<typeof sendDelivery>[0] {
    return {
      members: async () => MEMBERS,
      user: async (id) => ({ id, active: true, email: MEMBERS.get(id)!.name }) as UserRecord,
      mailer: {
        send: (to) =>
          writing(this.#crash, { command: 'SendEmail', input: {} }, async () => {
            this.sent.push(to);
          }),
      },
      refused: expect.unreachable,
      now: this.now,
    };
  }
}

describe('a digest whose workers crash', () => {
  it('reaches each recipient once, at whichever write they crash', async () => {
    const calm = new World(() => undefined);
    await calm.run();
    expect(calm.sent.toSorted()).toEqual(['ann', 'bob']);
    expect(calm.writes).toBeGreaterThan(10);
    for (const isRestless of [false, true]) {
      for (const when of ['before', 'after'] as const) {
        for (let crashAt = 0; crashAt < calm.writes; crashAt++) {
          let crashed: Write | undefined;
          const world = new World((index, write) => {
            if (index !== crashAt) return undefined;
            crashed = write;
            return when;
          }, isRestless);
          await world.run();
          const scene = `${when} write ${crashAt}, ${crashed?.command}`;
          // SES has taken the mail, and the sender crashed before it recorded that.
          const isTwice =
            when === 'after' ? crashed?.command === 'SendEmail' : JSON.stringify(crashed?.input).includes('#sentAt');
          expect([...new Set(world.sent)].sort(), scene).toEqual(['ann', 'bob']);
          expect(world.sent.length, scene).toBe(isTwice ? 3 : 2);
          const { run, mails, events } = await world.state();
          expect(run, scene).toMatchObject({ status: 'sent', trigger: { kind: 'schedule' } });
          expect(
            mails.map(({ status }) => status),
            scene,
          ).toEqual(['sent', 'sent']);
          expect(
            mails.every(({ content }) => content === undefined),
            scene,
          ).toBe(true);
          expect(events, scene).toBe(1);
        }
      }
    }
  });
});
