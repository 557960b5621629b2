import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Credentials } from '../../infra/seed.ts';
import { call } from '../support/http.ts';
import { StartedPlatform } from '../support/started-platform.ts';
import { bodyWith, givenObjects, givenOrders, type Ids, pathWith, type Session } from './request-soak/given-objects.ts';
import { type Json, mutated } from './request-soak/mutations.ts';
import { membersAt, type Operation, operationsOf } from './request-soak/operations.ts';
import { Choices } from './value-soak/random.ts';

/**
 * `npm run soak:requests [minutes] [first seed] [credentials.json]`: takes the example of every request body of the
 * OpenAPI document, with ids of objects that exist, and sends it with members replaced by hostile values, left out,
 * repeated and added. Every reply is a success or a rejection, never 5xx, comes in time and shows nothing of the
 * inside, and what was accepted can be read afterwards. Ends with 1 if it finds something. Starts a platform of its own
 * unless it is given the credentials of a running one.
 */
const minutes = Number(process.argv[2] ?? 10);
const firstSeed = Number(process.argv[3] ?? 0);
const running = process.argv[4];
const EACH_ROUND = 5;
const CLIENTS = 3;
const SLOW_MS = 20_000;
const SIGN_IN_EVERY_MS = 8 * 60_000;
/** They would take rights or objects away that the soak itself needs. */
const LEFT_OUT = [
  'login',
  'changePassword',
  'transferCompany',
  'setSsoEnforcement',
  'deleteDashboards',
  'updateCompanyMember',
];
const INTERNALS = /node_modules|\.ts:\d|\.mjs:\d|at async|ConditionExpression|AnalyticsData|TransactionCanceled|ECONN/;

/** The platform of a soak has no AI provider. */
const EXPECTED = /"code":"AI_NOT_CONFIGURED"/;

const findings = new Map<string, number>();
const statuses: Record<number, number> = {};
let requests = 0;

if (running) await soak(JSON.parse(await readFile(running, 'utf8')) as Credentials);
else {
  const dataDir = await mkdtemp(join(tmpdir(), 'soak-requests-'));
  const platform = new StartedPlatform(dataDir);
  try {
    await platform.start();
    await soak(platform.credentials);
  } finally {
    await platform.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
console.log(`${requests} requests from seed ${firstSeed} in ${minutes} min: ${JSON.stringify(statuses)}`);
console.log(`${findings.size} findings`);
process.exitCode = findings.size === 0 ? 0 : 1;

async function soak({ baseUrl, email, password, ...seeded }: Credentials): Promise<void> {
  const until = performance.now() + minutes * 60_000;
  const { body: document } = await call(baseUrl, 'GET', '/api/openapi.json');
  const operations = operationsOf(document).filter(({ operationId }) => !LEFT_OUT.includes(operationId));
  const session: Session = { baseUrl, token: '' };
  let { workspaceId } = seeded;
  let signedInAt = Number.NEGATIVE_INFINITY;
  const signIn = async () => {
    if (performance.now() - signedInAt < SIGN_IN_EVERY_MS) return;
    const reply = await call(baseUrl, 'POST', '/api/auth/login', { body: { email, password, workspaceId } });
    if (!reply.body.accessToken) throw new Error(`the sign-in was answered by ${JSON.stringify(reply.body)}`);
    session.token = reply.body.accessToken;
    signedInAt = performance.now();
  };
  await signIn();
  const workspace = await call(baseUrl, 'POST', '/api/workspaces', { token: session.token, body: { name: 'Soak' } });
  workspaceId = workspace.body.id;
  signedInAt = Number.NEGATIVE_INFINITY;
  await signIn();
  const common = await givenOrders(session);
  const scim = await call(baseUrl, 'POST', '/api/scim/tokens', {
    token: session.token,
    body: { name: 'soak', workspaceId },
  });
  let seed = firstSeed;
  for (let round = firstSeed; performance.now() < until; round += 1) {
    await signIn();
    const ids = await givenObjects(session, common, round);
    const queue = Array.from({ length: EACH_ROUND }, () => operations).flat();
    const client = async () => {
      for (let next = queue.pop(); next && performance.now() < until; next = queue.pop()) {
        const token = next.path.startsWith('/scim/') ? scim.body.token : session.token;
        await play(document, { ...session, token }, next, ids, seed++);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  }
}

async function play(document: Json, session: Session, operation: Operation, ids: Ids, seed: number): Promise<void> {
  const { text, change } = mutated(new Choices(seed), bodyWith(operation.example, ids), (path) =>
    membersAt(document, operation.schema, path),
  );
  const path = `/api${pathWith(operation.path, ids)}`;
  const send = (method: string, body?: string) =>
    timed(() =>
      call(session.baseUrl, method, path, {
        token: session.token,
        headers: body === undefined ? {} : { 'content-type': operation.type },
        ...(body === undefined ? {} : { text: body }),
      }),
    );
  let reply = await send(operation.method, text);
  // A machine that is busy may answer so once.
  if (reply.status >= 500) reply = await send(operation.method, text);
  requests += 1;
  statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
  report(operation, seed, change, reply);
  if (reply.status < 300 && operation.isReadable) report(operation, seed, `read after ${change}`, await send('GET'));
}

interface Timed {
  status: number;
  text: string;
  ms: number;
}

async function timed(send: () => ReturnType<typeof call>): Promise<Timed> {
  const startedAt = performance.now();
  try {
    const { status, bytes } = await send();
    return { status, text: bytes.toString(), ms: performance.now() - startedAt };
  } catch (error) {
    return { status: 599, text: String(error), ms: performance.now() - startedAt };
  }
}

/** Prints the first finding of each operation and kind. */
function report({ operationId }: Operation, seed: number, change: string, { status, text, ms }: Timed): void {
  const isBroken = status >= 500 && !EXPECTED.test(text);
  const kind = isBroken
    ? `${status}`
    : ms > SLOW_MS
      ? 'slow'
      : status >= 400 && INTERNALS.test(text)
        ? 'shows the inside'
        : undefined;
  if (!kind) return;
  const name = `${operationId} ${kind}`;
  findings.set(name, (findings.get(name) ?? 0) + 1);
  if (findings.get(name)! > 3) return;
  console.error(`seed ${seed} ${name} after ${Math.round(ms)} ms: ${change.slice(0, 300)}: ${text.slice(0, 300)}`);
}
