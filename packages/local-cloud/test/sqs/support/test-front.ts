import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowEverything } from '../../../core/access/authorizer.ts';
import { type Clock, systemClock } from '../../../core/clock.ts';
import { Faults } from '../../../core/faults.ts';
import { Front } from '../../../core/front.ts';
import type { CloudContext, LocalService } from '../../../core/service.ts';

export const REGION = 'us-east-1';
export const ACCOUNT = '000000000000';

/** A front on a free port, with the context that services need. */
export class TestFront {
  readonly faults = new Faults(() => 0);
  readonly clock: Clock;
  readonly dataDir: string;
  readonly log: string[] = [];
  readonly #services = new Map<string, LocalService>();
  #front = new Front();
  #port = 0;

  constructor(clock: Clock = systemClock, dataDir = mkdtempSync(join(tmpdir(), 'local-cloud-'))) {
    this.clock = clock;
    this.dataDir = dataDir;
  }

  async listen(): Promise<this> {
    this.#port = await this.#front.listen(0);
    return this;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** For any SDK client. */
  get clientConfig() {
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    return { region: REGION, endpoint: this.endpoint, credentials, maxAttempts: 1 };
  }

  context(service: string): CloudContext {
    const dataDir = join(this.dataDir, service);
    mkdirSync(dataDir, { recursive: true });
    return {
      region: REGION,
      accountId: ACCOUNT,
      dataDir,
      clock: this.clock,
      faults: this.faults,
      authorizer: allowEverything,
      random: () => 0.5,
      endpoint: () => this.endpoint,
      log: (message) => this.log.push(message),
    };
  }

  add<S extends LocalService>(service: S): S {
    this.#services.set(service.signingName, service);
    this.#front.add(service);
    return service;
  }

  /** Closes every service and the listener; the data stays. The next `listen` uses another port. */
  async stop(): Promise<void> {
    for (const service of this.#services.values()) await service.close();
    this.#services.clear();
    await this.#front.close();
    this.#front = new Front();
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
