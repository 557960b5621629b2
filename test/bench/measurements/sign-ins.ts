import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { startServer } from '../child.ts';
import { HttpClient, type Reply } from '../http-client.ts';
import type { Result, Row } from '../result.ts';
import { scaled } from '../scale.ts';
import { percentile, ratios, rounds, spread } from '../spread.ts';

const ROUNDS = 5;
const SEQUENTIAL = 20;
const CONCURRENT = 24;
/** Fewer than the attempts that an account may have in progress at an address. */
const CLIENTS = 4;
const REFERENCE = join(import.meta.dirname, '../references/bare-argon2id.ts');

/** Sign-ins with a password against a bare server that checks the same kind of hash. */
export async function signIns({ platform, deployment }: Bench): Promise<Result> {
  const { PASSWORD_COST = '' } = await platform.variablesOf('auth');
  const server = await startServer([REFERENCE, PASSWORD_COST]);
  const client = new HttpClient();
  const { email, password } = deployment.credentials;
  const post = (path: string, body: object) => client.send('POST', platform.endpoint + path, body);
  const signIn = () => accepted(post('/api/auth/login', { email, password }));
  const bare = () => accepted(client.send('GET', server.url));
  try {
    for (const warmUp of [signIn, bare]) await rounds(scaled(SEQUENTIAL), warmUp);
    const one = await rounds(ROUNDS, async () => ({ ours: await latencies(signIn), theirs: await latencies(bare) }));
    const many = await rounds(ROUNDS, async () => ({ ours: await throughput(signIn), theirs: await throughput(bare) }));
    const renewed = await renewals(post, JSON.parse((await signIn()).text).refreshToken);
    const rate = (of: 'ours' | 'theirs') => many.map((round) => round[of]);
    return {
      title: 'Signing in',
      rows: [
        compared(one, 50),
        compared(one, 95),
        {
          what: `sign-ins by ${CLIENTS} clients`,
          unit: '/s',
          measured: spread(rate('ours')),
          reference: spread(rate('theirs')),
          ratio: ratios(rate('theirs'), rate('ours')),
          goal: { of: 'ratio', atMost: 2 },
        },
        { what: 'a renewed access token, p50', unit: 'ms', measured: spread([percentile(renewed, 50)]) },
      ],
      notes: [
        `${ROUNDS} rounds of ${scaled(SEQUENTIAL)} sign-ins one after the other, then ${ROUNDS} of ${scaled(CONCURRENT, CLIENTS)} by ${CLIENTS} clients. The bare server checks an Argon2id hash of the same memory and passes (2^${PASSWORD_COST} KiB) and nothing else; it is one process, while the platform has one for each client.`,
        'A sign-in also counts the attempt against three limits, reads the account and its workspaces, stores the sign-in and its entry in the audit log, and signs a token.',
      ],
      bound: 'the processors, which the hash of every sign-in keeps busy, and the requests to the table.',
    };
  } finally {
    server.stop();
    client.close();
  }
}

async function accepted(sent: Promise<Reply>): Promise<Reply> {
  const reply = await sent;
  if (reply.status !== 200) throw new Error(`answered ${reply.status}: ${reply.text}`);
  return reply;
}

const latencies = async (request: () => Promise<Reply>): Promise<number[]> =>
  (await rounds(scaled(SEQUENTIAL), request)).map(({ ms }) => ms);

async function throughput(request: () => Promise<Reply>): Promise<number> {
  const each = Math.ceil(scaled(CONCURRENT, CLIENTS) / CLIENTS);
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: CLIENTS }, () => rounds(each, request)));
  return (each * CLIENTS) / ((performance.now() - startedAt) / 1000);
}

function compared(found: readonly { ours: number[]; theirs: number[] }[], percent: number): Row {
  const ours = found.map((round) => percentile(round.ours, percent));
  const theirs = found.map((round) => percentile(round.theirs, percent));
  return {
    what: `a sign-in, p${percent}`,
    unit: 'ms',
    measured: spread(ours),
    reference: spread(theirs),
    ratio: ratios(ours, theirs),
    goal: { of: 'ratio', atMost: 2 },
  };
}

/** Each refresh token works once, and its reply has the next one. */
async function renewals(post: (path: string, body: object) => Promise<Reply>, first: string): Promise<number[]> {
  let refreshToken = first;
  return rounds(scaled(SEQUENTIAL), async () => {
    const reply = await accepted(post('/api/auth/refresh', { refreshToken }));
    ({ refreshToken } = JSON.parse(reply.text) as { refreshToken: string });
    return reply.ms;
  });
}
