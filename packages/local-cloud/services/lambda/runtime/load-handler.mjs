import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runtimeError } from './error-object.mjs';
import { isStreaming } from './response-stream.mjs';

/** Lambda tries the module's bare name first, then these endings in order. */
const ENDINGS = ['', '.js', '.mjs', '.cjs'];

/**
 * Loads `folder/module.export` (nested exports with dots) from the unpacked bundle; throws the runtime's own errors.
 */
export async function loadHandler(root, handlerName) {
  const match = /^((?:.*\/)?)([^/.][^/]*?)\.(.+)$/.exec(handlerName);
  if (!match || handlerName.includes('..')) {
    throw runtimeError('Runtime.MalformedHandlerName', `Bad handler: '${handlerName}' is not a valid handler name.`);
  }
  const [, folder, moduleName, exportPath] = match;
  const base = resolve(root, folder, moduleName);
  const file = ENDINGS.map((ending) => base + ending).find((path) => path !== base && existsSync(path));
  if (!file) throw runtimeError('Runtime.ImportModuleError', `Error: Cannot find module '${moduleName}'`);

  const module = await importModule(file);
  let found = module;
  for (const part of exportPath.split('.')) found = found?.[part];
  if (found === undefined) {
    // A CommonJS module whose exports Node cannot detect has them all on `default`.
    found = module.default;
    for (const part of exportPath.split('.')) found = found?.[part];
  }
  if (found === undefined) {
    throw runtimeError('Runtime.HandlerNotFound', `${handlerName} is undefined or not exported`);
  }
  if (typeof found !== 'function') {
    throw runtimeError('Runtime.HandlerNotFound', `${handlerName} is not a function`);
  }
  if (found.length >= 3 && !isStreaming(found)) {
    throw runtimeError(
      'Runtime.CallbackHandlerDeprecated',
      'The Node.js runtime of Lambda has no callback-based handlers any more: make the handler async, with two parameters.',
    );
  }
  return found;
}

async function importModule(file) {
  try {
    return await import(pathToFileURL(file).href);
  } catch (cause) {
    if (cause instanceof SyntaxError)
      throw runtimeError('Runtime.UserCodeSyntaxError', `SyntaxError: ${cause.message}`, cause);
    if (cause?.code === 'MODULE_NOT_FOUND' || cause?.code === 'ERR_MODULE_NOT_FOUND') {
      throw runtimeError('Runtime.ImportModuleError', `Error: ${cause.message}`, cause);
    }
    throw cause;
  }
}
