import type { Writable } from 'node:stream';

export declare const FRAME: Readonly<
  Record<'invoke' | 'ready' | 'initError' | 'log' | 'head' | 'chunk' | 'done' | 'memory', number>
>;

/** Returns the result of `channel.write`: false means to wait for `drain`. */
export declare function writeFrame(
  channel: Writable,
  kind: number,
  header?: unknown,
  body?: Uint8Array,
  callback?: (error?: Error | null) => void,
): boolean;

export declare class FrameReader {
  constructor(onFrame: (kind: number, header: unknown, body: Buffer) => void);
  push(chunk: Buffer): void;
}
