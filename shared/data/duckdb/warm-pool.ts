import { type Engine, type EngineOptions, openEngine, type ReusableEngine } from './engine.ts';
import { quoteLiteral } from './quoting.ts';

/** What an engine is taken for. */
export interface EngineUse {
  /** The name of the work, such as a run, whose parts may use the same instance in turn. */
  owner: string;
  /** Whether the engine is locked before an author's text runs in it. */
  locks: boolean;
  /**
   * Whether the work is so small that one thread takes less processor time: with more threads, some busy-wait while one
   * works.
   */
  isLight?: boolean;
}

export interface WarmPool {
  /** Returns a new instance, which the caller must close. */
  take(timezone?: string): Promise<Engine>;
  /** Returns an instance that is new or was given back by the same owner. The caller must give it back or close it. */
  takeFor(use: EngineUse): Promise<ReusableEngine>;
  /** Resets an engine whose work has succeeded and keeps it for the same owner, or closes it. */
  giveBack(engine: ReusableEngine, use: EngineUse): Promise<void>;
  /** Opens the next instance while no caller waits for it. */
  prepare(): void;
  /** Closes the instances that no caller has. */
  close(): Promise<void>;
}

/** A step and its gates use two at once. */
const MAX_KEPT = 2;

/** Opens an instance before it is needed, because opening takes longer than most statements over a few rows. */
export function warmPool(options: EngineOptions): WarmPool {
  let next: Promise<ReusableEngine> | undefined;
  let kept: ReusableEngine[] = [];
  let owner: string | undefined;

  async function open(): Promise<ReusableEngine> {
    const opened = next;
    next = undefined;
    return (await opened?.catch(() => undefined)) ?? (await openEngine(options));
  }

  /** Takes an engine that the owner has given back. Those of another owner are closed. */
  function findKept({ owner: name, locks, isLight = false }: EngineUse): {
    found: ReusableEngine | undefined;
    others: ReusableEngine[];
  } {
    const others = name === owner ? [] : kept;
    if (name !== owner) kept = [];
    owner = name;
    // A locked engine serves only work that locks, and its number of threads is fixed. So work takes the most
    // restricted engine that suits it, and leaves the others for work that needs them.
    const isLess = ({ threads }: ReusableEngine) => threads < options.threads;
    const usable = kept.filter((engine) => !engine.isLocked || (locks && (isLight || !isLess(engine))));
    const found =
      usable.find((engine) => engine.isLocked && isLess(engine)) ??
      usable.find(({ isLocked }) => isLocked) ??
      usable[0];
    kept = kept.filter((engine) => engine !== found);
    return { found, others };
  }

  return {
    async take(timezone) {
      const engine = await open();
      try {
        if (timezone !== undefined) await engine.run(`SET TimeZone = ${quoteLiteral(timezone)}`);
        return engine;
      } catch (error) {
        await engine.close();
        throw error;
      }
    },

    async takeFor(use) {
      const { found, others } = findKept(use);
      // The work must not fail because of an engine that it does not use.
      await Promise.allSettled(others.map((engine) => engine.close()));
      const engine = found ?? (await open());
      try {
        if (!engine.isLocked) await engine.useThreads(use.isLight ? 1 : options.threads);
      } catch (error) {
        await engine.close();
        throw error;
      }
      if (use.locks) engine.confine();
      return engine;
    },

    async giveBack(engine, use) {
      const isClean = use.owner === owner && (await engine.reset());
      if (!isClean || use.owner !== owner || kept.length === MAX_KEPT) return engine.close();
      kept.push(engine);
    },

    prepare() {
      next ??= openEngine(options);
      next.catch(() => undefined);
    },

    async close() {
      const prepared = await next?.catch(() => undefined);
      const unused = [...kept, ...(prepared ? [prepared] : [])];
      [next, kept, owner] = [undefined, [], undefined];
      await Promise.all(unused.map((engine) => engine.close()));
    },
  };
}
