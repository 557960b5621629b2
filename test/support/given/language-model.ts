import { newId } from '../../../shared/platform/storage/ids.ts';
import { type AiAnswer, aiScripts } from '../ai-provider.ts';
import { deployed } from '../setup/ask.ts';

/** A script for the language model, which answers questions with the key in them. The key has no digits. */
export async function scripted(...answers: AiAnswer[]) {
  const key = `key-${newId().replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!)}`;
  const scripts = aiScripts((await deployed()).aiProvider);
  await scripts.put(key, answers);
  const asked = async () => (await scripts.asked(key)).map(({ body }) => JSON.stringify(body));
  return { key, asked };
}
