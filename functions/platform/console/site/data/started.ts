import { timeText } from '../ui/moment.ts';
import { toast } from '../ui/toast.tsx';
import { type Call, replyTo } from './client.ts';

/**
 * Starts what a person may want more than once, such as a test. If an earlier try has started it, whose reply was lost,
 * the page says so: nothing is started twice, and the next time it is started once more.
 */
export async function started<T>(call: Call<T>): Promise<T> {
  const { reply, doneAt } = await replyTo(call);
  if (doneAt !== undefined)
    toast(`You started this at ${timeText(doneAt)}, when the reply was lost. To start it once more, repeat it.`);
  return reply;
}
