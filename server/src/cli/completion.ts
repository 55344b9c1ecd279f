import { Argument, type Command } from 'commander';
import { command } from './context.ts';
import { say } from './language.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** What may follow a command: subcommands, values of its first argument and options. */
interface Level {
  /** The words that lead to it, each after a space: ` zone add`. */
  readonly at: string;
  readonly candidates: readonly Candidate[];
}

interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** Prints a script made from the command table. */
export function completionCommand(loadCommands: () => Promise<Command[]>): Command {
  return command('completion')
    .addArgument(new Argument('<shell>', 'the shell that reads the script').choices(shells))
    .action(async (shell: Shell) => {
      const commands = await loadCommands();
      const root = {
        at: '',
        candidates: [...commands.map(candidateOf), { word: '--config', about: 'settings file' }],
      };
      const levels = [root, ...commands.flatMap((each) => levelsOf(each, ''))];
      process.stdout.write(writers[shell](levels));
    });
}

const candidateOf = (each: Command): Candidate => ({ word: each.name(), about: each.description() });

function levelsOf(each: Command, parent: string): Level[] {
  const at = `${parent} ${each.name()}`;
  const values = each.registeredArguments[0]?.argChoices ?? [];
  const candidates = [
    ...each.commands.map(candidateOf),
    ...values.map((word) => ({ word, about: '' })),
    ...each.options.map(({ long, description }) => ({ word: long ?? '', about: description })),
  ];
  return [{ at, candidates }, ...each.commands.flatMap((sub) => levelsOf(sub, at))];
}

/** Lists the paths of commands for a `case` of a POSIX-like shell. */
const paths = (levels: readonly Level[], separator: string) =>
  levels
    .slice(1)
    .map(({ at }) => quoted(at))
    .join(separator);

/** Single quotes mean the same in bash and zsh; fish escapes them with a backslash. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const quotedForFish = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const writers: Readonly<Record<Shell, (levels: readonly Level[]) => string>> = {
  bash: (levels) => `# gatehouse completion bash > /etc/bash_completion.d/gatehouse
_gatehouse() {
  local at= i candidates=
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${paths(levels, ' | ')}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at" in
${levels.map(({ at, candidates }) => `    ${quoted(at)}) candidates=${quoted(candidates.map(({ word }) => word).join(' '))} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$candidates" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _gatehouse gatehouse
`,
  zsh: (levels) => `#compdef gatehouse
# gatehouse completion zsh > /usr/local/share/zsh/site-functions/_gatehouse
_gatehouse() {
  local at= word
  local -a candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      ${paths(levels, '|')}) at="$at $word" ;;
    esac
  done
  case "$at" in
${levels.map(({ at, candidates }) => `    ${quoted(at)}) candidates=(${candidates.map(({ word, about }) => quoted(`${word}:${say(about)}`)).join(' ')}) ;;`).join('\n')}
  esac
  _describe -t commands gatehouse candidates || _files
}
compdef _gatehouse gatehouse
`,
  fish: (levels) => `# gatehouse completion fish > ~/.config/fish/completions/gatehouse.fish
function __gatehouse_candidates
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${levels
        .slice(1)
        .map(({ at }) => quotedForFish(at))
        .join(' ')}
        set at "$at $word"
    end
  end
  switch "$at"
${levels.map(({ at, candidates }) => `    case ${quotedForFish(at)}\n      printf '%s\\t%s\\n' ${candidates.map(({ word, about }) => `${quotedForFish(word)} ${quotedForFish(say(about))}`).join(' ')}`).join('\n')}
  end
end
complete -c gatehouse -a '(__gatehouse_candidates)'
`,
};
