import { type Application, buildCommand, type Command, proposeCompletions } from '@stricli/core';
import type { CliContext } from '../command.ts';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** The program itself proposes the words, so a script never grows old. */
const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = {
  bash: `_analytics() {
  local IFS=$'\\n'
  COMPREPLY=($(analytics complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _analytics analytics`,
  zsh: `#compdef analytics
_analytics() {
  local -a words_found
  words_found=("\${(@f)$(analytics complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -- $words_found
}
compdef _analytics analytics`,
  powershell: `Register-ArgumentCompleter -Native -CommandName analytics -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '""' }
  analytics complete -- @words 2>$null | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}`,
  fish: `complete -c analytics -f -a '(analytics complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`,
};

export const completion: Command<CliContext> = buildCommand({
  docs: { brief: 'Print the completions for a shell, to be evaluated by it' },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ brief: 'bash, zsh, fish or powershell', parse: shellOf, placeholder: 'shell' }],
    },
  },
  func(this: CliContext, _flags: object, shell: (typeof SHELLS)[number]) {
    this.process.stdout.write(`${SCRIPTS[shell]}\n`);
  },
});

function shellOf(text: string): (typeof SHELLS)[number] {
  const shell = SHELLS.find((each) => each === text);
  if (!shell) throw new Error(`"${text}" is not one of ${SHELLS.join(', ')}`);
  return shell;
}

/** What may follow the words typed so far, one proposal a line. */
export async function complete(
  app: Application<CliContext>,
  words: readonly string[],
  process: NodeJS.Process,
): Promise<void> {
  const proposals = await proposeCompletions(app, words, { process });
  process.stdout.write(proposals.map(({ completion }) => `${completion}\n`).join(''));
}
