import type { Deployment } from '../deployment.ts';
import type { Result } from '../result.ts';
import { rounds, spread } from '../spread.ts';

const WARM_ROUNDS = 3;

/** `npm start` until it is ready: on fresh sources, and again on what the first time left. */
export async function startUp(deployment: Deployment, coldMs: number): Promise<Result> {
  const warm = await rounds(WARM_ROUNDS, async () => {
    await deployment.stop();
    return deployment.start();
  });
  return {
    title: 'From the start of the platform to ready',
    rows: [
      { what: 'nothing built, nothing deployed', unit: 's', measured: spread([coldMs / 1000]) },
      { what: 'nothing changed since the last start', unit: 's', measured: spread(warm.map((ms) => ms / 1000)) },
    ],
    notes: [
      'The first start builds the functions, synthesizes and deploys the template, and creates the first company.',
    ],
  };
}
