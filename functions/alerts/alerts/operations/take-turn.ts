import type { OneTime } from '../../../../shared/platform/storage/one-time.ts';

/** Takes one of the turns of the name. Each is free again some seconds after it was taken. */
export async function takesTurn(
  turns: OneTime<object>,
  name: string,
  { max, seconds }: { max: number; seconds: number },
): Promise<boolean> {
  for (let turn = 0; turn < max; turn++) {
    if (await turns.putOnce(`${name}#${turn}`, seconds)) return true;
  }
  return false;
}
