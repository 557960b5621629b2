/**
 * Sends what is asked for in the same moment in requests of at most `max`. `send` replies to all in order, or rejects
 * for all.
 */
export function gather<Asked, Reply>(
  max: number,
  send: (asked: Asked[]) => Promise<(() => Reply | Promise<Reply>)[]>,
): (asked: Asked) => Promise<Reply> {
  interface Waiting {
    asked: Asked;
    resolve(reply: Reply | Promise<Reply>): void;
    reject(error: unknown): void;
  }
  let waiting: Waiting[] = [];
  const sendAll = () => {
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; start += max) void sendSome(all.slice(start, start + max));
  };
  const sendSome = async (some: Waiting[]) => {
    try {
      const replies = await send(some.map(({ asked }) => asked));
      for (const [index, { resolve, reject }] of some.entries()) {
        try {
          resolve(replies[index]!());
        } catch (error) {
          reject(error);
        }
      }
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  };
  return (asked) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setTimeout(sendAll);
      waiting.push({ asked, resolve, reject });
    });
}
