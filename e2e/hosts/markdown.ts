/** A command of a document and, when the document shows it, what it prints. */
export interface Command {
  readonly line: number
  readonly command: string
  readonly output?: string
  /** A need of the command that a test does not have: `a registry`. */
  readonly needs?: string
}

interface Block {
  readonly language: string
  /** Of the first line within. */
  readonly line: number
  readonly lines: readonly string[]
  /** The need that the comment above the block names. */
  readonly needs?: string
}

const FENCE = /^(?:<!-- needs (.+) -->\n)?```(.*)\n((?:.*\n)*?)```$/gm

/** Languages of blocks that hold commands. */
const COMMANDS: readonly string[] = ['console', 'shell', 'sh', 'bash']

/** The beginning of a command; a block with such a line must be marked as commands. */
const COMMAND_LINE = /^(\$ )?(kpt|npm|npx|node|git|krm-variants|docker|podman|kustomize|kubectl|\.\/|dist\/)\b/

/**
 * The commands of a document, in order: in blocks marked `console` or as a shell. Lines that begin with `$ ` are commands and the
 * others between them their output; in a block without `$ ` every line is a command. A `\` at the end continues a line.
 * Throws when a block that is not marked holds a command.
 */
export function readCommands(markdown: string): Command[] {
  const blocks = readBlocks(markdown)
  const unmarked = blocks.find(({ language, lines }) => language === '' && lines.some((line) => COMMAND_LINE.test(line)))
  if (unmarked !== undefined) throw new Error(`line ${unmarked.line}: a block with commands must be marked, as console or text`)
  return blocks.filter(({ language }) => COMMANDS.includes(language)).flatMap(commandsOf)
}

/** The files that a document shows: blocks of YAML whose first line is a comment with a path. */
export function readFiles(markdown: string): Map<string, string> {
  const blocks = readBlocks(markdown).filter(({ language }) => language === 'yaml')
  const named = blocks.map(({ lines }) => [lines[0]?.match(/^# (\S+\.yaml|\S*Kptfile)$/)?.[1] ?? '', `${lines.join('\n')}\n`] as const)
  return new Map(named.filter(([path]) => path !== ''))
}

function readBlocks(markdown: string): Block[] {
  return [...markdown.matchAll(FENCE)].map(({ 0: whole, 1: needs, 2: language = '', 3: text = '', index }) => {
    const line = countLines(markdown.slice(0, index + whole.indexOf('```'))) + 1
    return { language, line, lines: text.trimEnd().split('\n'), ...(needs !== undefined && { needs }) }
  })
}

function countLines(text: string): number {
  return text.split('\n').length
}

function commandsOf({ line, lines, needs }: Block): Command[] {
  const joined = joinContinued(lines, line)
  const transcript = joined.some(({ text }) => text.startsWith('$ '))
  const commands: { line: number; command: string; output?: string; needs?: string }[] = []
  for (const { text, line } of joined) {
    const last = commands.at(-1)
    if (!transcript || text.startsWith('$ ')) {
      const command = text.replace(/^\$ /, '')
      if (!/^(#|$)/.test(command))
        commands.push({ line, command, ...(transcript && { output: '' }), ...(needs !== undefined && { needs }) })
    } else if (last !== undefined) last.output = `${last.output ?? ''}${text}\n`
  }
  return commands
}

function joinContinued(lines: readonly string[], first: number): { text: string; line: number }[] {
  const joined: { text: string; line: number }[] = []
  for (const [index, text] of lines.entries()) {
    const last = joined.at(-1)
    if (last?.text.endsWith('\\')) last.text = `${last.text.slice(0, -1)}${text.trimStart()}`
    else joined.push({ text, line: first + index })
  }
  return joined
}
