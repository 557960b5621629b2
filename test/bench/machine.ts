import { arch, availableParallelism, cpus, loadavg, platform, totalmem } from 'node:os';

/** What the figures were measured on. */
export interface Machine {
  date: string;
  processor: string;
  cores: number;
  memoryGb: number;
  system: string;
  node: string;
  /** Average number of busy processes in the minute before the start: above zero, others took part of the machine. */
  load: number;
}

export function describeMachine(): Machine {
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${arch()}`,
    node: process.version,
    load: Number((loadavg()[0] ?? 0).toFixed(1)),
  };
}
