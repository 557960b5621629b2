import { stripTypeScriptTypes } from 'node:module';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import type { CodePosition, ConsoleLine, SandboxErrorCode, SandboxSettings } from './messages.ts';
import { prelude } from './prelude.ts';
import { consoleLines, MAX_LINES } from './received.ts';
import { ownTask, processorMs } from './thread-time.ts';

/** With a larger stack, deep recursion and deep JSON would overflow the stack of the thread itself. */
const STACK_BYTES = 128 * 1024;
const FILE = 'code.js';
/** The longest text of console lines that the prelude makes is shorter; a longer one was forged. */
const MAX_LINES_TEXT = 16 * 1024 * 1024;

export async function loadEngine(wasmModule: WebAssembly.Module): Promise<QuickJSWASMModule> {
  const { default: variant } = await import('@jitl/quickjs-wasmfile-release-sync');
  // The package declares the types of its CommonJS module, whose default export has another one around it.
  return newQuickJSWASMModuleFromVariant(newVariant(variant as unknown as typeof variant.default, { wasmModule }));
}

/** An error of the author's code. */
export class GuestFailure extends Error {
  readonly code: SandboxErrorCode;
  readonly position: CodePosition | undefined;

  constructor(code: SandboxErrorCode, message: string, position?: CodePosition) {
    super(message);
    this.code = code;
    this.position = position;
  }
}

/**
 * Runs the author's code in its own QuickJS runtime: no modules, no network, no host objects, and limited memory, stack
 * and time. It must not be used again after a failure.
 */
export class Guest {
  readonly #settings: SandboxSettings;
  readonly #context: QuickJSContext;
  #driver: QuickJSHandle | undefined;
  readonly #task = ownTask();
  /** No clock passes before this moment of `performance.now()`. */
  #earliestEnd = 0;
  /** In processor time. */
  #end = 0;

  private constructor(settings: SandboxSettings, runtime: QuickJSRuntime) {
    this.#settings = settings;
    runtime.setMemoryLimit(settings.memoryMb * 1024 * 1024);
    runtime.setMaxStackSize(STACK_BYTES);
    runtime.setInterruptHandler(() => this.#isOver());
    this.#context = runtime.newContext();
  }

  /** Parses the code and finds its function. Throws `GuestFailure`. */
  static open(settings: SandboxSettings, quickJs: QuickJSWASMModule): Guest {
    const guest = new Guest(settings, quickJs.newRuntime());
    guest.#load();
    return guest;
  }

  #load(): void {
    const { entrypoint, language, code } = this.#settings;
    const make = this.#evaluate(prelude(this.#settings), '<sandbox>');
    this.#evaluate(language === 'typescript' ? withoutTypes(code) : code, FILE).dispose();
    const isFunction = this.#evaluate(`typeof ${entrypoint} === 'function'`, '<sandbox>');
    if (this.#context.dump(isFunction) !== true) {
      throw new GuestFailure('CODE_ERROR', `The code must declare a function ${entrypoint}.`);
    }
    this.#driver = this.#call(make, this.#evaluate(entrypoint, '<sandbox>'));
  }

  /** Calls the author's function with a batch (JSON text) and returns the cells as JSON text. Throws `GuestFailure`. */
  run(batch: string): string {
    const run = this.#context.getProp(this.#driver!, 'run');
    const result = this.#call(run, this.#context.newString(batch));
    const text = this.#context.getString(result);
    result.dispose();
    run.dispose();
    return text;
  }

  /** Lines written to the console since the last call; none if the sandbox is no longer usable. */
  takeLines(): ConsoleLine[] {
    if (!this.#driver) return [];
    try {
      const lines = this.#call(this.#context.getProp(this.#driver, 'lines'));
      const text = this.#context.getString(lines);
      if (text.length > MAX_LINES_TEXT) return [];
      const found: unknown = JSON.parse(text);
      if (!Array.isArray(found)) return [];
      return consoleLines(found.slice(0, MAX_LINES + 1).map((line) => ({ level: line?.[0], message: line?.[1] })));
    } catch {
      return [];
    }
  }

  #evaluate(code: string, file: string): QuickJSHandle {
    return this.#within(() => this.#context.evalCode(code, file, { type: 'global' }));
  }

  #call(callee: QuickJSHandle, argument?: QuickJSHandle): QuickJSHandle {
    const { undefined: nothing } = this.#context;
    return this.#within(() => this.#context.callFunction(callee, nothing, ...(argument ? [argument] : [])));
  }

  #within(work: () => ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
    const { batchMs } = this.#settings;
    this.#earliestEnd = performance.now() + batchMs;
    this.#end = (processorMs(this.#task) ?? 0) + batchMs;
    const result = work();
    if (!result.error) return result.value;
    const thrown: unknown = this.#context.dump(result.error);
    throw this.#failureOf(thrown);
  }

  /** Processor time counts, which is never more than has passed on the clock: the clock is cheaper to read. */
  #isOver(): boolean {
    const now = performance.now();
    if (now <= this.#earliestEnd) return false;
    const usedMs = processorMs(this.#task);
    if (usedMs === undefined || usedMs >= this.#end) return true;
    this.#earliestEnd = now + (this.#end - usedMs);
    return false;
  }

  #failureOf(thrown: unknown): GuestFailure {
    const { batchMs, memoryMb } = this.#settings;
    const { name, message, stack } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as {
      name?: unknown;
      message?: unknown;
      stack?: unknown;
    };
    const position = typeof stack === 'string' ? positionIn(stack) : undefined;
    if (name === 'InternalError' && message === 'interrupted') {
      return new GuestFailure('TIMEOUT', `The code took longer than ${batchMs} ms for one batch`, position);
    }
    if (name === 'InternalError' && message === 'out of memory') {
      return new GuestFailure('OUT_OF_MEMORY', `The code needs more than ${memoryMb} MB`, position);
    }
    const shown =
      typeof message === 'string'
        ? `${typeof name === 'string' ? name : 'Error'}: ${message}`
        : `The code threw ${JSON.stringify(thrown)}`;
    return new GuestFailure('CODE_ERROR', shown.slice(0, 1000), position);
  }
}

/** The innermost position of a stack trace that is in the author's code. */
function positionIn(stack: string): CodePosition | undefined {
  const found = /code\.js:(\d+):(\d+)/.exec(stack);
  return found ? { line: Number(found[1]), column: Number(found[2]) } : undefined;
}

/** Types are replaced by blanks, so that all positions in the code stay the same. */
function withoutTypes(code: string): string {
  try {
    return stripTypeScriptTypes(code, { mode: 'strip' });
  } catch (error) {
    throw new GuestFailure('CODE_ERROR', `SyntaxError: ${(error as Error).message.split('\n')[0]}`);
  }
}
