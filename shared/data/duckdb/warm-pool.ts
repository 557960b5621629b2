import { type Engine, type EngineOptions, openEngine } from './engine.ts';
import { quoteLiteral } from './quoting.ts';

export interface WarmPool {
  /** Returns a new instance, which the caller must close. */
  take(timezone?: string): Promise<Engine>;
  /** Opens the next instance while no caller waits for it. */
  prepare(): void;
}

/**
 * Opens an instance before it is needed, because opening takes longer than most statements over a few rows. Each
 * instance is used once.
 */
export function warmPool(options: EngineOptions): WarmPool {
  let next: Promise<Engine> | undefined;
  return {
    async take(timezone) {
      const opened = next;
      next = undefined;
      const engine = (await opened?.catch(() => undefined)) ?? (await openEngine(options));
      try {
        if (timezone !== undefined) await engine.run(`SET TimeZone = ${quoteLiteral(timezone)}`);
        return engine;
      } catch (error) {
        await engine.close();
        throw error;
      }
    },

    prepare() {
      next ??= openEngine(options);
      next.catch(() => undefined);
    },
  };
}
