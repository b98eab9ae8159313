import { Argument, Command } from 'commander'
import type { ExitCode, Host } from './host.ts'

const SHELLS = ['bash', 'zsh', 'fish']
/** The argument with which the scripts ask for the words that complete a line. */
const WORDS = 'complete'

const NOTES = `
Examples:
  source <(krm-variants completion bash)
  krm-variants completion zsh > "\${fpath[1]}/_krm-variants"
  krm-variants completion fish > ~/.config/fish/completions/krm-variants.fish`

/** Adds `completion SHELL`: prints the script of a shell. The script calls the same command for the words that may follow. */
export function addCompletion(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  program
    .command('completion')
    .description('print the script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', NOTES)
    .action(async (shell: string) => {
      const completer = await describe(program)
      host.writeData(printed(() => completer.setup(program.name(), program.name(), shell)).join(''))
      finish(0)
    })
  program
    .command(WORDS, { hidden: true })
    .argument('[words...]')
    .action(async (words: readonly string[]) => {
      const completer = await describe(program)
      host.writeData(orFiles(printed(() => completer.parse([...words]))).join(''))
      finish(0)
    })
}

/** Returns the commands for the library, which adds its own commands for the scripts and the words. */
async function describe(program: Command) {
  const { default: tab } = await import('@bomb.sh/tab/commander')
  const described = new Command(program.name())
  for (const command of program.commands) if (!['completion', WORDS].includes(command.name())) described.addCommand(command)
  return tab(described, { completionCommandName: 'completion' })
}

/** Returns the lines that an action prints to the console: the library has no other output. */
function printed(act: () => void): readonly string[] {
  const lines: string[] = []
  const { log } = console
  console.log = (line: string) => void lines.push(`${line}\n`)
  try {
    act()
  } finally {
    console.log = log
  }
  return lines
}

/**
 * Makes the shell complete file names where no word is known, since most arguments are folders. `:4` forbids file names, `:0` allows them
 * (cobra's directives).
 */
function orFiles(lines: readonly string[]): readonly string[] {
  return lines.join('') === ':4\n' ? [':0\n'] : lines
}
