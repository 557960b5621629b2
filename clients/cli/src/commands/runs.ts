import { setTimeout as sleep } from 'node:timers/promises';
import { type Analytics, ApiError, ConnectionError } from '../../../typescript/src/index.ts';
import { command, type Session } from '../command.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { idOf } from '../find.ts';
import { duration, localTime, printable, statusText, table } from '../output.ts';
import { paramsOf } from './query.ts';

const word = (brief: string, placeholder: string) => ({ brief, parse: String, placeholder });
const positional = (...parameters: object[]) => ({ kind: 'tuple', parameters }) as const;
const option = (brief: string, placeholder: string) =>
  ({ kind: 'parsed', parse: String, brief, placeholder, optional: true }) as const;
const toggle = (brief: string) => ({ kind: 'boolean', brief, optional: true, withNegated: false }) as const;

const WATCHING = {
  watch: toggle('Follow the run to its end'),
  timeout: {
    kind: 'parsed',
    parse: Number,
    brief: 'Stop watching after this many seconds',
    placeholder: 'SECONDS',
    optional: true,
  },
  cancelOnInterrupt: toggle('Cancel the run when watching is interrupted'),
  logs: toggle('Also print the log of each step once it has ended'),
} as const;

interface WatchFlags {
  watch?: boolean;
  timeout?: number;
  cancelOnInterrupt?: boolean;
  logs?: boolean;
}

export const run = command<WatchFlags & { param?: readonly string[]; fullRefresh?: boolean }, [pipeline: string]>({
  brief: 'Start a pipeline',
  changes: true,
  parameters: {
    positional: positional(word('Name or id of the pipeline', 'pipeline')),
    flags: {
      param: {
        kind: 'parsed',
        parse: String,
        variadic: true,
        brief: 'A parameter, as name=value',
        placeholder: 'NAME=VALUE',
        optional: true,
      },
      fullRefresh: toggle('Read everything again'),
      ...WATCHING,
    },
    aliases: { p: 'param', w: 'watch' },
  },
  async run(session, flags, pipeline) {
    const { api, signal } = session;
    const id = await idOf(api.pipelines, 'pipeline', pipeline, { signal });
    const parameters = paramsOf(flags.param ?? []);
    const body = { ...(parameters && { parameters }), ...(flags.fullRefresh && { fullRefresh: true }) };
    await started(session, await api.pipelines.start(id, body as never, { signal }), flags);
  },
});

export const retry = command<WatchFlags & { from?: string }, [run: string]>({
  brief: 'Continue a failed run, or repeat it from a step',
  changes: true,
  parameters: {
    positional: positional(word('Id of the run', 'run')),
    flags: { from: option('Repeat from this step', 'STEP'), ...WATCHING },
    aliases: { w: 'watch' },
  },
  async run(session, flags, id) {
    const body = flags.from === undefined ? {} : { fromStep: flags.from };
    await started(session, await session.api.runs.retry(id, body as never, { signal: session.signal }), flags);
  },
});

export const cancel = command<object, [run: string]>({
  brief: 'Cancel a run',
  changes: true,
  parameters: { positional: positional(word('Id of the run', 'run')) },
  async run({ api, terminal, signal }, _, id) {
    const { status } = (await api.runs.cancel(id, { signal })) as { status: string };
    if (terminal.isJson) terminal.out(JSON.stringify({ id, status }));
    else terminal.note(`${id} is ${status === 'cancelled' ? 'cancelled' : 'being cancelled'}.`);
  },
});

export const watch = command<WatchFlags, [run: string]>({
  brief: 'Follow a run to its end',
  parameters: {
    positional: positional(word('Id of the run', 'run')),
    flags: { timeout: WATCHING.timeout, cancelOnInterrupt: WATCHING.cancelOnInterrupt, logs: WATCHING.logs },
  },
  run: (session, flags, id) => follow(session, id, flags),
});

const STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;

interface ListedRun {
  id: string;
  status: string;
  createdAt: string;
  finishedAt: string | null;
  pipelineId: string;
}

export const runs = command<{ status?: (typeof STATUSES)[number]; limit?: number }, [pipeline?: string]>({
  brief: 'List runs, newest first: of a pipeline, or of all',
  parameters: {
    positional: positional({ ...word('Name or id of the pipeline', 'pipeline'), optional: true }),
    flags: {
      status: { kind: 'enum', values: STATUSES, brief: 'Only runs with this status', optional: true },
      limit: { kind: 'parsed', parse: Number, brief: 'Maximum number of runs', placeholder: 'N', default: '20' },
    },
  },
  async run({ api, terminal, signal }, { status, limit = 20 }, pipeline) {
    const pipelineId = pipeline && (await idOf(api.pipelines, 'pipeline', pipeline, { signal }));
    const query = { limit: Math.min(limit, 100), ...(status && { status }), ...(pipelineId && { pipelineId }) };
    const found: ListedRun[] = [];
    for await (const run of api.runs.listAll(query, { signal })) {
      if (found.length >= limit) break;
      found.push(run as unknown as ListedRun);
    }
    if (terminal.isJson) return terminal.out(JSON.stringify(found));
    if (found.length === 0) return terminal.note('There are no such runs.');
    const names = pipelineId ? new Map<string, string>() : await pipelineNames(api, signal);
    const rows = found.map(({ id, status, createdAt, finishedAt, pipelineId: of }) => {
      const ms = finishedAt ? Date.parse(finishedAt) - Date.parse(createdAt) : undefined;
      const took = ms === undefined ? '–' : duration(ms);
      const shown = statusText({ paint: (_, text) => text }, status);
      return [shown, ...(pipelineId ? [] : [names.get(of) ?? of]), id, localTime(createdAt), took];
    });
    const columns = [
      ...['STATUS', ...(pipelineId ? [] : ['PIPELINE']), 'RUN', 'CREATED'].map((name) => ({ name })),
      { name: 'TOOK', isNumber: true },
    ];
    terminal.out(table(terminal, columns, rows));
  },
});

async function pipelineNames({ pipelines }: Analytics, signal: AbortSignal): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for await (const { id, name } of pipelines.list({ limit: 100 }, { signal })) names.set(id, name);
  return names;
}

const FOLLOW_EVERY_MS = 2_000;

export const logs = command<{ follow?: boolean; attempt?: number }, [run: string, step?: string]>({
  brief: 'Print the log of a step; by default of the first that failed',
  parameters: {
    positional: positional(word('Id of the run', 'run'), { ...word('Id of the step', 'step'), optional: true }),
    flags: {
      follow: toggle('Go on until the run is over'),
      attempt: {
        kind: 'parsed',
        parse: Number,
        brief: 'The attempt; the latest by default',
        placeholder: 'N',
        optional: true,
      },
    },
    aliases: { f: 'follow' },
  },
  async run({ api, terminal, signal }, { follow, attempt }, id, step) {
    const chosen = step ?? (await firstStep(api, id, signal));
    let last = 0;
    for (;;) {
      const isOver = !['queued', 'running', 'waiting'].includes((await api.runs.get(id, { signal })).status);
      const tail = await api.runs.getStepLogs(id, chosen, attempt === undefined ? {} : { attempt }, { signal });
      if (tail.truncated && last === 0) terminal.note('Earlier lines are omitted.');
      for (const line of tail.lines.slice(last)) printLine(terminal, chosen, line);
      last = tail.truncated ? last : tail.lines.length;
      if (!follow || isOver) return;
      await sleep(FOLLOW_EVERY_MS, undefined, { signal });
    }
  },
});

async function firstStep(api: Analytics, id: string, signal: AbortSignal): Promise<string> {
  const run = (await api.runs.get(id, { signal })) as unknown as { steps: { stepId: string; status: string }[] };
  const found =
    run.steps.find(({ status }) => status === 'failed') ??
    run.steps.find(({ status }) => status === 'running') ??
    run.steps.at(-1);
  if (!found) throw new CommandError(EXIT.failed, 'The run has no steps yet.', 'NO_STEPS');
  return found.stepId;
}

async function started(session: Session, run: unknown, flags: WatchFlags): Promise<void> {
  const { terminal } = session;
  const { id, status } = run as { id: string; status: string };
  if (flags.watch) {
    if (!terminal.isJson) terminal.note(`run ${id}`);
    return follow(session, id, flags);
  }
  if (terminal.isJson) terminal.out(JSON.stringify(run));
  else {
    terminal.out(id);
    terminal.note(`The run is ${status}. Follow it: analytics watch ${id}`);
  }
}

/** Prints what happens, a line for each change; the exit status says how the run ended. */
async function follow(session: Session, id: string, { timeout, cancelOnInterrupt, logs }: WatchFlags): Promise<void> {
  const { api, signal } = session;
  const deadline = timeout === undefined ? undefined : AbortSignal.timeout(timeout * 1000);
  const ended = AbortSignal.any([signal, ...(deadline ? [deadline] : [])]);
  const startedAt = Date.now();
  try {
    const { status, failed } = await untilEnd(session, id, { logs: logs === true, signal: ended });
    over(session, { id, status, failed, ms: Date.now() - startedAt });
  } catch (error) {
    if (signal.aborted) {
      if (cancelOnInterrupt) await api.runs.cancel(id);
      const what = cancelOnInterrupt
        ? 'The run is being cancelled.'
        : `The run goes on. Cancel it: analytics cancel ${id}`;
      throw new CommandError(EXIT.interrupted, what, 'INTERRUPTED', { id });
    }
    if (!deadline?.aborted) throw error;
    throw new CommandError(EXIT.timeout, `The run continues; stopped watching after ${timeout} s.`, 'WATCH_TIMEOUT', {
      id,
    });
  }
}

/** The status that the run ends with, and its first failed step. */
async function untilEnd(session: Session, id: string, { logs, signal }: { logs: boolean; signal: AbortSignal }) {
  const { api, terminal } = session;
  let failed: string | undefined;
  const logged = new Set<string>();
  const show = ({ stepId, status, error }: StepStatus) => {
    if (status === 'failed') failed ??= stepId;
    const why = error ? `  ${error.code}  ${printable(error.message)}` : '';
    if (!terminal.isJson) terminal.note(`${statusText(terminal, status)}  ${printable(stepId)}${why}`);
  };
  for await (const { event, data } of api.runs.events(id, { signal })) {
    if (terminal.isJson) terminal.out(JSON.stringify({ type: event, ...data }));
    if (event === 'end') return { status: data.status, failed };
    // What happened before the connection.
    const steps = event === 'snapshot' ? (data.steps as StepStatus[]) : event === 'step.status' ? [data] : [];
    for (const step of steps) {
      if (event === 'snapshot' && step.status === 'queued') continue;
      show(step);
      if (!logs || !LOGGED.includes(step.status) || logged.has(step.stepId)) continue;
      logged.add(step.stepId);
      await printLog(session, { id, step: step.stepId, signal });
    }
  }
  throw new ConnectionError('The events of the run have ended before the run.');
}

/** The statuses of steps that have ended with a log. */
const LOGGED = ['succeeded', 'failed', 'cancelled'];

/** Also reports a log that cannot be read, such as of protected rows, without ending the watch. */
async function printLog(
  { api, terminal }: Session,
  { id, step, signal }: { id: string; step: string; signal: AbortSignal },
): Promise<void> {
  try {
    const { lines } = await api.runs.getStepLogs(id, step, {}, { signal });
    for (const line of lines) printLine(terminal, step, line);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ApiError)) throw error;
    if (!terminal.isJson) terminal.note(`The log of ${step} cannot be read: ${error.problem.detail}`);
  }
}

interface LogLine {
  at: string;
  level: string;
  message: string;
}

function printLine(terminal: Session['terminal'], step: string, line: LogLine): void {
  if (terminal.isJson) terminal.out(JSON.stringify({ type: 'line', step, ...line }));
  else terminal.out(`${localTime(line.at)}  ${line.level.padEnd(5)}  ${printable(line.message)}`);
}

interface StepStatus {
  stepId: string;
  status: string;
  error?: { code: string; message: string } | null;
}

interface Over {
  id: string;
  status: string;
  failed: string | undefined;
  ms: number;
}

function over({ terminal }: Session, { id, status, failed, ms }: Over): void {
  const took = duration(ms);
  if (status === 'succeeded') {
    if (!terminal.isJson) terminal.note(`${terminal.paint('green', 'succeeded')} in ${took}`);
    return;
  }
  const hints = failed ? `\nlog:   analytics logs ${id} ${failed}\nretry: analytics retry ${id} --from ${failed}` : '';
  const members = { id, status, step: failed ?? null };
  throw new CommandError(EXIT.failed, `${status} in ${took}${hints}`, 'RUN_NOT_SUCCEEDED', members);
}

export const backfill = command<object, [pipeline: string, from: string, to: string]>({
  brief: 'Run a pipeline for each day of a period',
  changes: true,
  parameters: {
    positional: positional(
      word('Name or id of the pipeline', 'pipeline'),
      word('First day, as 2026-01-31', 'from'),
      word('Last day', 'to'),
    ),
  },
  async run({ api, terminal, signal }, _, pipeline, from, to) {
    const id = await idOf(api.pipelines, 'pipeline', pipeline, { signal });
    const begun = await api.pipelines.startBackfill(id, { from, to }, { signal });
    if (terminal.isJson) terminal.out(JSON.stringify(begun));
    else terminal.note(`The backfill from ${from} to ${to} has started.`);
  },
});
