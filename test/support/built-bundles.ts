import { build } from '../../infra/build/index.ts';

/** Builds before the first test file: files that run at the same time would build at the same time. */
export default async function setup(): Promise<void> {
  await build();
}
