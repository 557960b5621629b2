import { el, newName } from '../../browser/dom.ts';
import { ApiError } from './api.ts';
import type { LinkPost } from './link-access.ts';

interface Turn {
  role: 'user' | 'assistant';
  content: string;
}

/** The server takes so many turns of so many characters. */
const MAX_TURNS = 20;
const MAX_CHARACTERS = 2000;

/** A box below the cards where readers ask about the rows. */
export function showAsk({ perHour }: { perHour: number }, post: LinkPost): void {
  const id = newName('ask');
  const input = el('textarea', { id, rows: '2', maxlength: String(MAX_CHARACTERS), required: true });
  const button = el('button', { type: 'button', class: 'main' }, 'Ask');
  const log = el('div', { class: 'answers', role: 'log', 'aria-live': 'polite' });
  const limit = el('p', { class: 'hint' }, limitText(perHour));
  // Not a form: the frame of an embedded view submits none.
  const form = el('div', { class: 'asking' }, el('label', { for: id }, 'Your question'), input, button);
  const box = el('section', { class: 'ask', 'aria-labelledby': `${id}-title` });
  box.append(el('h2', { id: `${id}-title` }, 'Ask about these cards'), log, form, limit);
  document.querySelector('main .grid')?.after(box);

  const history: Turn[] = [];
  const ask = async () => {
    const message = input.value.trim();
    if (message === '' || button.disabled) return;
    button.disabled = true;
    const answer = el('p', { class: 'answer', 'aria-busy': 'true' }, 'One moment …');
    log.append(el('p', { class: 'question' }, message), answer);
    try {
      const reply = await post('ask', { message, history: history.slice(-MAX_TURNS) });
      const { answer: text, remainingThisHour } = (await reply.json()) as { answer: string; remainingThisHour: number };
      answer.textContent = text;
      history.push({ role: 'user', content: message }, { role: 'assistant', content: text.slice(0, MAX_CHARACTERS) });
      limit.textContent = limitText(perHour, remainingThisHour);
      input.value = '';
    } catch (error) {
      answer.classList.add('issue');
      answer.textContent = issueText(error);
    }
    answer.removeAttribute('aria-busy');
    button.disabled = false;
  };
  button.addEventListener('click', () => void ask());
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void ask();
  });
}

const limitText = (perHour: number, left?: number): string =>
  `An AI provider gets up to 50 rows of each of the first eight cards, and answers from them. It can be wrong. ${
    left === undefined
      ? `Readers together can ask ${perHour} ${perHour === 1 ? 'question' : 'questions'} an hour.`
      : `${left} ${left === 1 ? 'question is' : 'questions are'} left this hour.`
  }`;

function issueText(error: unknown): string {
  if (!(error instanceof ApiError)) return 'The server cannot be reached.';
  if (error.code !== 'SHARE_AI_SPENT') return error.message;
  const at = new Date(Date.now() + (error.retryAfter ?? 3600) * 1000);
  return `No questions are left this hour. Ask again after ${at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}.`;
}
