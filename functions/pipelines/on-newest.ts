import { AppError } from '../../shared/errors/app-error.ts';

const MOST_TRIES = 5;

/** Repeats a change that does not build on what the client has read, when somebody else changes the pipeline meanwhile. */
export async function onNewest<T>(change: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'PIPELINE_CHANGED')) throw error;
      if (tries === MOST_TRIES) throw new AppError('SERVICE_BUSY', { cause: error });
    }
  }
}
