import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Bench } from '../bench.ts';
import type { Deployment } from '../deployment.ts';
import type { Result } from '../result.ts';
import { scaled } from '../scale.ts';
import { rounds, spread } from '../spread.ts';

const STARTS = scaled(30, 3);
const UNCHANGED_ROUNDS = 7;
const CHANGED_ROUNDS = 3;
const CHANGED = 50;
const MAX_REQUESTS = 10;

/** The command line beside bare Node, and deployments of a folder of files. */
export async function definitions({ deployment }: Bench): Promise<Result> {
  const program = await builtProgram(deployment);
  const starts = await startsOf(program, deployment.scratch('starts'));
  const project = givenProject(deployment.scratch('project'));
  const deploy = deployer(program, project.folder, deployment);
  const first = await deploy();
  const unchanged = await rounds(scaled(UNCHANGED_ROUNDS), deploy);
  const requests = await requestsOf(deploy, deployment.credentials.baseUrl);
  if (requests > MAX_REQUESTS) throw new Error(`an unchanged deployment sent ${requests} requests`);
  const changed = await rounds(scaled(CHANGED_ROUNDS), (round) => {
    project.change(round);
    return deploy();
  });
  const seconds = (all: readonly number[]) => spread(all.map((ms) => ms / 1000));
  const { total, kinds } = project;
  return {
    title: 'The command line, and definitions as files',
    rows: [
      {
        what: '`analytics --version`',
        unit: 'ms',
        measured: spread(starts.map(({ ours }) => ours)),
        reference: spread(starts.map(({ bare }) => bare)),
        ratio: spread(starts.map(({ ours, bare }) => ours / bare)),
      },
      {
        what: 'what that takes longer than an empty program',
        unit: 'ms',
        measured: spread(starts.map(({ ours, bare }) => ours - bare)),
        goal: { of: 'measured', atMost: 60 },
      },
      { what: `first deployment of ${total} objects`, unit: 's', measured: seconds([first]) },
      {
        what: `deployment of ${total} unchanged objects`,
        unit: 's',
        measured: seconds(unchanged),
        goal: { of: 'measured', atMost: 3 },
      },
      {
        what: `deployment with ${project.changed} changed objects`,
        unit: 's',
        measured: seconds(changed),
        goal: { of: 'measured', atMost: 5 },
      },
    ],
    notes: [
      `${STARTS} starts of each program, in turn. The objects are ${kinds}. Each figure is of a process from its start to its end.`,
      `A deployment in which nothing has changed sends ${requests} requests, at most ${MAX_REQUESTS}.`,
    ],
    bound: 'the processors: a changed object is checked and written by the function of its kind.',
  };
}

/** The command line, made from the sources that are measured. */
async function builtProgram({ root }: Deployment): Promise<string> {
  await ended(spawn(process.execPath, [join(root, 'infra/clients/generate.ts')], { cwd: root, stdio: 'ignore' }));
  return join(root, 'clients/cli/dist/analytics.js');
}

async function ended(child: ReturnType<typeof spawn>): Promise<void> {
  const complaints: string[] = [];
  child.stderr?.on('data', (chunk) => complaints.push(String(chunk)));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with ${code}: ${complaints.join('')}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Both in turn, so that what disturbs one round disturbs both. */
async function startsOf(program: string, folder: string): Promise<{ ours: number; bare: number }[]> {
  const empty = join(folder, 'empty.js');
  writeFileSync(empty, '');
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const start = (...args: string[]) =>
    timed(() =>
      ended(spawn(process.execPath, args, { cwd: folder, env: { HOME: folder }, stdio: ['ignore', 'ignore', 'pipe'] })),
    );
  // The first of each reads the files from the disk.
  for (const args of [[empty], [program, '--version']]) await start(...args);
  return rounds(STARTS, async () => ({ bare: await start(empty), ours: await start(program, '--version') }));
}

const KINDS: Readonly<Record<string, { folder: string; count: number; text(i: number, version: number): string }>> = {
  'saved queries': {
    folder: 'queries',
    count: 200,
    text: (i, version) => `name: Query ${i}\nsql: SELECT ${i} AS n, ${version} AS version\n`,
  },
  pipelines: {
    folder: 'pipelines',
    count: 100,
    text: (i) =>
      `name: Pipeline ${i}\nstatus: paused\nsteps:\n  - { id: a, type: transform_sql, config: { sql: SELECT ${i} AS n } }\n`,
  },
  dashboards: {
    folder: 'dashboards',
    count: 80,
    text: (i) =>
      `name: Board ${i}\ncards:\n  - { id: note, cardType: text, position: { x: 0, y: 0, w: 4, h: 4 }, textContent: Board ${i} }\n`,
  },
  terms: { folder: 'terms', count: 80, text: (i) => `name: Term ${i}\ndefinition: What ${i} means\n` },
  groups: { folder: 'groups', count: 40, text: (i) => `name: Group ${i}\n` },
};

/** A folder with objects of several kinds. */
function givenProject(folder: string) {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write('analytics.yaml', 'project: bench\n');
  const counts = Object.entries(KINDS).map(([kind, { folder: place, count, text }]) => {
    const own = scaled(count);
    for (let i = 0; i < own; i += 1) write(`${place}/object-${i}.yaml`, text(i, 0));
    return { kind, own };
  });
  const { folder: place, text } = KINDS['saved queries']!;
  const changed = Math.min(CHANGED, counts[0]!.own);
  return {
    folder,
    changed,
    total: counts.reduce((sum, { own }) => sum + own, 0),
    kinds: counts.map(({ kind, own }) => `${own} ${kind}`).join(', '),
    change(round: number) {
      for (let i = 0; i < changed; i += 1) write(`${place}/object-${i}.yaml`, text(i, round + 1));
    },
  };
}

/** Deploys the folder, and returns the milliseconds that it took. */
function deployer(program: string, cwd: string, { credentials }: Deployment) {
  const { baseUrl, apiKey } = credentials;
  return (_round?: number, url = baseUrl): Promise<number> => {
    const env = { HOME: cwd, ANALYTICS_URL: url, ANALYTICS_TOKEN: apiKey };
    const args = [program, 'deploy', '--yes'];
    return timed(() => ended(spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })));
  };
}

/** The number of requests, counted on their way. */
async function requestsOf(deploy: (round: number, url: string) => Promise<number>, endpoint: string): Promise<number> {
  let count = 0;
  const server = createServer(async (incoming, outgoing) => {
    count += 1;
    const body = await buffer(incoming);
    const { host: _, connection: __, ...headers } = incoming.headers;
    const passed = request(endpoint + incoming.url, { method: incoming.method!, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode!, reply.headers);
      reply.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    passed.end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    await deploy(0, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return count;
}
