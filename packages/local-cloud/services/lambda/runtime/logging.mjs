import { format } from 'node:util';

const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];
const METHODS = { trace: 'TRACE', debug: 'DEBUG', log: 'INFO', info: 'INFO', warn: 'WARN', error: 'ERROR' };

/**
 * Makes `console` write one log event per call, in the function's log format, and splits output to `process.stdout` and
 * `process.stderr` into one log event per line. Everything goes through `emit`, on the channel of the response, so that
 * no log event arrives after the response that it preceded.
 */
export function installLogging(emit) {
  const json = process.env.AWS_LAMBDA_LOG_FORMAT === 'JSON';
  const lowest = json ? Math.max(0, LEVELS.indexOf(process.env.AWS_LAMBDA_LOG_LEVEL ?? 'TRACE')) : 0;
  const logging = {
    requestId: undefined,
    error(label, error) {
      write('ERROR', [label, json ? Object.assign(new Error(error.errorMessage), error) : JSON.stringify(error)]);
    },
    flush() {
      for (const stream of streams) stream.flush();
    },
  };

  function write(level, values) {
    if (LEVELS.indexOf(level) < lowest) return;
    const timestamp = new Date().toISOString();
    if (json) emit(jsonLine(timestamp, level, logging.requestId, values));
    else emit(`${timestamp}\t${logging.requestId ?? 'undefined'}\t${level}\t${format(...values)}`);
  }

  for (const [method, level] of Object.entries(METHODS)) console[method] = (...values) => write(level, values);
  const streams = [process.stdout, process.stderr].map((stream) => captureLines(stream, emit));
  return logging;
}

function jsonLine(timestamp, level, requestId, values) {
  const entry = { timestamp, level, requestId };
  if (values.length === 1) {
    try {
      return JSON.stringify({ ...entry, message: values[0] }, readableErrors);
    } catch {
      return JSON.stringify({ ...entry, message: format(values[0]) });
    }
  }
  const error = values.find((value) => value instanceof Error);
  return JSON.stringify({
    ...entry,
    message: format(...values),
    ...(error && {
      errorType: error.errorType ?? error.name,
      errorMessage: error.message,
      stackTrace: error.trace ?? error.stack?.split('\n'),
    }),
  });
}

function readableErrors(_key, value) {
  if (!(value instanceof Error)) return value;
  return { errorType: value.name, errorMessage: value.message, stackTrace: value.stack?.split('\n'), ...value };
}

function captureLines(stream, emit) {
  let partial = '';
  stream.write = (chunk, encoding, callback) => {
    partial += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    const lines = partial.split('\n');
    partial = lines.pop();
    for (const line of lines) if (line !== '') emit(line);
    const done = typeof encoding === 'function' ? encoding : callback;
    if (done) process.nextTick(done);
    return true;
  };
  return {
    flush() {
      if (partial !== '') emit(partial);
      partial = '';
    },
  };
}
