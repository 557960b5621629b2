/**
 * The program of an execution environment: loads the handler, then answers invocations that arrive one by one on file
 * descriptor 3. It behaves like Lambda's Node.js runtime and never outlives its service.
 */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { Socket } from 'node:net';
import { errorObject } from './error-object.mjs';
import { FRAME, FrameReader, writeFrame } from './frames.mjs';
import { contextOf } from './handler-context.mjs';
import { loadHandler } from './load-handler.mjs';
import { installLogging } from './logging.mjs';
import { installStreaming, isStreaming, ResponseStream } from './response-stream.mjs';

const MEMORY_REPORT_INTERVAL_MS = 100;
/** Reading it takes as long as a small part of a short call, and the service does not look more often. */
const MEMORY_READ_INTERVAL_MS = 50;

// Reusing compiled code saves a third of a start.
enableCompileCache(process.argv[2]);

const channel = new Socket({ fd: 3, readable: true, writable: true });
const logging = installLogging((line) => writeFrame(channel, FRAME.log, undefined, Buffer.from(line)));
installStreaming();

/** SIGKILL to the whole group, because native threads and child processes must not linger. */
function dieAtOnce() {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.kill(process.pid, 'SIGKILL');
  }
}
channel.on('close', dieAtOnce);
channel.on('error', dieAtOnce);

let current;
let isCompiledKept = false;

let rssBytes = 0;
let rssReadAt = Number.NEGATIVE_INFINITY;

function residentBytes() {
  const now = performance.now();
  if (now - rssReadAt >= MEMORY_READ_INTERVAL_MS) {
    rssBytes = process.memoryUsage.rss();
    rssReadAt = now;
  }
  return rssBytes;
}

function crash(exitCode, label, error) {
  logging.error(label, error);
  logging.flush();
  const kind = current ? FRAME.done : FRAME.initError;
  const header = current ? { rssBytes: residentBytes(), error, last: true } : error;
  writeFrame(channel, kind, header, undefined, () => process.exit(exitCode));
}
process.on('uncaughtException', (cause) => crash(129, 'Uncaught Exception', errorObject(cause)));
process.on('unhandledRejection', (reason) =>
  crash(128, 'Unhandled Promise Rejection', {
    errorType: 'Runtime.UnhandledPromiseRejection',
    errorMessage: String(reason),
    trace: errorObject(reason).trace,
  }),
);

async function answer(handler, call, eventBytes) {
  const event = JSON.parse(eventBytes.toString('utf8'));
  if (!isStreaming(handler)) {
    const result = await handler(event, contextOf(call, process.env));
    return Buffer.from(serialize(result));
  }
  const stream = new ResponseStream(channel, handler);
  const running = handler(event, stream, contextOf(call, process.env));
  if (typeof running?.then !== 'function') throw new Error('Streaming does not support non-async handlers.');
  await running;
  await Promise.race([stream.finished, stream.failed]);
  return undefined;
}

function serialize(result) {
  try {
    return JSON.stringify(result === undefined ? null : result) ?? 'null';
  } catch {
    throw new Error('Unable to stringify response body');
  }
}

async function invoke(handler, call, eventBytes) {
  current = call;
  logging.requestId = call.requestId;
  const watch = process.platform === 'linux' ? undefined : setInterval(reportMemory, MEMORY_REPORT_INTERVAL_MS);
  let body;
  let error;
  try {
    body = await answer(handler, call, eventBytes);
  } catch (cause) {
    error = errorObject(cause);
    logging.error('Invoke Error', error);
  }
  clearInterval(watch);
  logging.flush();
  current = undefined;
  writeFrame(channel, FRAME.done, { rssBytes: residentBytes(), error }, body);
  if (!isCompiledKept) setImmediate(flushCompileCache);
  isCompiledKept = true;
}

function reportMemory() {
  writeFrame(channel, FRAME.memory, { rssBytes: residentBytes() });
}

try {
  const handler = await loadHandler(process.env.LAMBDA_TASK_ROOT, process.env._HANDLER);
  const reader = new FrameReader((_kind, call, eventBytes) => invoke(handler, call, eventBytes));
  channel.on('data', (chunk) => reader.push(chunk));
  logging.flush();
  writeFrame(channel, FRAME.ready, { rssBytes: residentBytes() });
} catch (cause) {
  crash(1, 'Uncaught Exception', errorObject(cause));
}
