import { Argument, type Command, type Option } from 'commander'
import type { ExitCode, Host } from './host.ts'

/** The argument with which the scripts ask for the words that complete a line. */
const WORDS = 'complete'

// The words of the line are passed on as arguments, never as a text that the shell reads: the line may hold `$(rm -r .)` or `> file`.

const BASH = `# bash completion for krm-variants
__krm_variants_complete() {
    local cur prev words cword line
    if declare -F _get_comp_words_by_ref > /dev/null; then
        _get_comp_words_by_ref -n "=:" cur prev words cword
    else
        words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD cur=\${COMP_WORDS[COMP_CWORD]}
    fi
    COMPREPLY=()
    while IFS= read -r line; do
        COMPREPLY+=("\${line%%$'\\t'*}")
    done < <(command krm-variants complete -- "\${words[@]:1:cword}" 2> /dev/null)
    # bash replaces what is behind the last of its word breaks.
    if [[ $cur == *=* && $COMP_WORDBREAKS == *=* ]]; then COMPREPLY=("\${COMPREPLY[@]#*=}"); fi
}
complete -o default -F __krm_variants_complete krm-variants
`

const ZSH = `#compdef krm-variants
# zsh completion for krm-variants
_krm-variants() {
    local line value
    local -a offered
    while IFS= read -r line; do
        value=\${line%%$'\\t'*}
        offered+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
    done < <(command krm-variants complete -- "\${(@)words[2,CURRENT]}" 2> /dev/null)
    if (( \${#offered} )); then _describe krm-variants offered; else _files; fi
}
compdef _krm-variants krm-variants
# Not when the script is sourced.
if [ "\${funcstack[1]}" = "_krm-variants" ]; then _krm-variants; fi
`

const FISH = `# fish completion for krm-variants
function __krm_variants_offers
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    set --global __krm_variants_offered (command krm-variants complete -- $words[2..-1] "$last" 2> /dev/null)
    test (count $__krm_variants_offered) -gt 0
end
complete -c krm-variants -e
complete -c krm-variants -n __krm_variants_offers -f -a '$__krm_variants_offered'
`

/** The script of each shell. A shell that gets no words completes file names, since most arguments are folders. */
const SCRIPTS: ReadonlyMap<string, string> = new Map([
  ['bash', BASH],
  ['zsh', ZSH],
  ['fish', FISH],
])

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
    .addArgument(new Argument('<shell>', 'the shell').choices([...SCRIPTS.keys()]))
    .addHelpText('after', NOTES)
    .action((shell: string) => {
      host.writeData(SCRIPTS.get(shell) ?? '')
      finish(0)
    })
  program
    .command(WORDS, { hidden: true })
    .argument('[words...]')
    .action((words: readonly string[]) => {
      host.writeData(
        wordsAfter(program, words)
          .map(({ word, description }) => `${word}\t${description}\n`)
          .join(''),
      )
      finish(0)
    })
}

interface Offered {
  readonly word: string
  readonly description: string
}

/**
 * Returns the words that complete the last word of a line; none where any text or a file name may follow.
 *
 * @param line  the words behind the name of the tool, the last one as far as it is typed
 */
function wordsAfter(program: Command, line: readonly string[]): readonly Offered[] {
  // bash without bash-completion makes three words of `--format=sarif`.
  const typed = line.at(-1) === '=' ? '' : (line.at(-1) ?? '')
  const place = placeBehind(
    program,
    line.slice(0, -1).filter((word) => word !== '='),
  )
  const [, name = '', value] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? []
  const offered = value === undefined ? offeredAt(place, typed) : prefixed(`${name}=`, choicesOf(optionOf(place.command, name)))
  return offered.filter(({ word }) => word.startsWith(typed))
}

/** The place at the end of a line: the command, the option that has no value yet, and the number of arguments before. */
interface Place {
  readonly command: Command
  readonly option?: Option | undefined
  readonly count: number
}

function placeBehind(program: Command, words: readonly string[]): Place {
  let place: Place = { command: program, count: 0 }
  for (const word of words) {
    const { command, option, count } = place
    const found = count === 0 ? command.commands.find((each) => each.name() === word) : undefined
    if (option !== undefined) place = { command, count }
    else if (word.startsWith('-')) place = { command, count, option: word.includes('=') ? undefined : optionOf(command, word) }
    else place = found === undefined ? { command, count: count + 1 } : { command: found, count: 0 }
  }
  return place
}

/** Returns an option of a command that takes a value. */
function optionOf(command: Command, name: string): Option | undefined {
  return command.options.find((option) => (option.long === name || option.short === name) && (option.required || option.optional))
}

function offeredAt({ command, option, count }: Place, typed: string): readonly Offered[] {
  if (option !== undefined) return choicesOf(option)
  const help = command.createHelp()
  if (typed.startsWith('-'))
    return help.visibleOptions(command).flatMap(({ long, description }) => (long ? [{ word: long, description: lineOf(description) }] : []))
  if (command.commands.length > 0)
    return count > 0 ? [] : help.visibleCommands(command).map((each) => ({ word: each.name(), description: lineOf(each.description()) }))
  const { registeredArguments: known } = command
  return choicesOf(known[count] ?? known.find(({ variadic }) => variadic))
}

function choicesOf(of: Pick<Option, 'argChoices'> | undefined): readonly Offered[] {
  return (of?.argChoices ?? []).map((word) => ({ word, description: '' }))
}

function prefixed(prefix: string, offered: readonly Offered[]): readonly Offered[] {
  return offered.map(({ word, description }) => ({ word: `${prefix}${word}`, description }))
}

function lineOf(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}
