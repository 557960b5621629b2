import { type Board, showBoard } from '../../browser/board.ts';
import { configOf } from '../../browser/dom.ts';
import { showComments } from './comments/panel.ts';
import { connectText } from './comments/quoting.ts';
import { sectionsDiscussed } from './comments/sections-discussed.ts';
import { showMark } from './mark.ts';
import { showContents } from './reading/contents.ts';
import { reportReading } from './reading/heartbeat.ts';
import { showValues } from './reading/values.ts';
import { offerSearch } from './search.ts';
import { offerSignOut } from './sign-out.ts';
import { storyAccess } from './story-access.ts';

interface Config extends Board {
  storyId: string;
  view: 'draft' | 'published';
  mayModerate: boolean;
  /** Whether the reader may accept and reject suggestions. */
  mayDecide: boolean;
  /** Whether comments can be about words of the text. */
  mayQuote: boolean;
}

void show(configOf<Config>());

async function show(config: Config): Promise<void> {
  offerSignOut();
  offerSearch();
  const sections = showContents();
  reportReading(config.storyId, sections);
  showBoard(config, storyAccess(config));
  const values = showValues(config);
  void showMark('story', config.storyId);
  const panel = await showComments(sectionsDiscussed(config));
  if (!panel) return;
  connectText(panel, config);
  await values;
  panel.markAgain();
}
