declare module 'pg-copy-streams' {
  import type { Readable, Writable } from 'node:stream';
  import type { Submittable } from 'pg';

  export function from(text: string): Writable & Submittable & { rowCount: number };
  export function to(text: string): Readable & Submittable & { rowCount: number };
}

declare module 'pg-cursor' {
  import type { CustomTypesConfig, QueryArrayResult, Submittable } from 'pg';

  export default class Cursor implements Submittable {
    constructor(text: string, values: unknown[], config: { rowMode: 'array'; types: CustomTypesConfig });
    submit: Submittable['submit'];
    read(count: number): Promise<(string | null)[][]>;
    read(count: number, done: (error: Error | null, rows: (string | null)[][], result: QueryArrayResult) => void): void;
    close(): Promise<void>;
  }
}
