/** An error as Lambda reports it to the caller of a function. */
export function errorObject(cause) {
  if (cause instanceof Error || (cause && typeof cause === 'object' && 'message' in cause && 'stack' in cause)) {
    return {
      errorType: cause.name ?? 'Error',
      errorMessage: cause.message,
      trace: typeof cause.stack === 'string' ? cause.stack.split('\n') : [],
    };
  }
  return { errorType: typeof cause, errorMessage: String(cause), trace: [] };
}

/** The runtime's own errors have names such as `Runtime.ImportModuleError`. */
export function runtimeError(name, message, cause) {
  const error = new Error(message, { cause });
  error.name = name;
  if (cause?.stack) error.stack = `${name}: ${message}\n${cause.stack.split('\n').slice(1).join('\n')}`;
  return error;
}
