import { type Engine, type EngineOptions, openEngine } from './engine.ts';
import { quoteLiteral } from './quoting.ts';

export interface WarmPool {
  /** A fresh instance, which is the caller's to close. */
  take(timezone?: string): Promise<Engine>;
  /** Opens the next instance while nobody waits for it. */
  prepare(): void;
}

/** To open an instance takes longer than most statements of one row: here one is open before it is asked for. Each serves once. */
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
