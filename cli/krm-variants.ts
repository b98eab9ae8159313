import { Command, CommanderError } from 'commander'
import { turnOnDebugLogs } from '../src/debug-log.ts'
import { StagingError } from '../src/folder/staging.ts'
import { GitError, Interruption } from '../src/git/run-git.ts'
import { hideKnownSecrets, watchSecrets } from '../src/known-secrets.ts'
import { printable, printableLines, printableMessage, printableText } from '../src/printable.ts'
import { WireError } from '../src/resource-list/wire-error.ts'
import { FunctionError } from '../src/result.ts'
import { didYouMean } from '../src/schema/nearest-name.ts'
import { refuseRepeats } from './command-options.ts'
import type { ExitCode, Host } from './host.ts'
import { withCommandHint } from './other-tools.ts'
import { distinctResults, printResults } from './print/print-results.ts'
import { nameFile, systemFault, UsageError } from './usage-error.ts'

/** The width of all help texts, so that they can be recorded. */
const HELP_WIDTH = 100

const EXAMPLE = `
Example:
  krm-variants plan examples/fleet`

/** Loads what adds each command, in the order of the help. */
const COMMANDS = {
  init: async () => (await import('./init/init.ts')).addInit,
  import: async () => (await import('./import/import.ts')).addImport,
  convert: async () => (await import('./convert/convert.ts')).addConvert,
  plan: async () => (await import('./plan/plan.ts')).addPlan,
  diff: async () => (await import('./diff/diff.ts')).addDiff,
  explain: async () => (await import('./explain/explain.ts')).addExplain,
  outdated: async () => (await import('./outdated/outdated.ts')).addOutdated,
  rings: async () => (await import('./rings/rings.ts')).addRings,
  promote: async () => (await import('./promote/promote.ts')).addPromote,
  check: async () => (await import('./check/check.ts')).addCheck,
  render: async () => (await import('./render/render.ts')).addRender,
  resolve: async () => (await import('./resolve/resolve.ts')).addResolve,
  run: async () => (await import('./run/run.ts')).addRun,
  simulate: async () => (await import('./simulate/simulate.ts')).addSimulate,
  catalog: async () => (await import('./catalog/catalog.ts')).addCatalog,
  adopt: async () => (await import('./adopt/adopt.ts')).addAdopt,
  sync: async () => (await import('./sync/sync.ts')).addSync,
  cel: async () => (await import('./cel/cel.ts')).addCel,
  schema: async () => (await import('./schema/schema.ts')).addSchema,
  fn: async () => (await import('./fn/fn.ts')).addFn,
  graph: async () => (await import('./graph/graph.ts')).addGraph,
  rule: async () => (await import('./rule.ts')).addRule,
  completion: async () => (await import('./completion.ts')).addCompletion,
} as const

/** The command that describes all others. */
const COMPLETION = 'completion'

/** Returns what adds the commands that a call may need: the one that it names, else all. Only the code of these commands is loaded. */
async function commandsFor(name: string | undefined) {
  const isOne = name !== undefined && name !== COMPLETION && isCommand(name)
  return Promise.all((isOne ? [COMMANDS[name]] : Object.values(COMMANDS)).map((load) => load()))
}

function isCommand(name: string): name is keyof typeof COMMANDS {
  return Object.hasOwn(COMMANDS, name)
}

/**
 * Runs the tool with the given arguments and returns the exit code. All output passes through the host. Text that is no data for another
 * program is made printable here, for every command and input.
 */
export async function krmVariants(args: readonly string[], streams: Host): Promise<ExitCode> {
  watchSecrets()
  const host = withPrintableText(streams)
  turnOnDebugLogs(host.environment.KRM_VARIANTS_DEBUG, host.warn)
  let exitCode: ExitCode = 0
  const finish = (code: ExitCode) => {
    exitCode = code
  }
  const program = new Command('krm-variants')
    .description('PackageVariantSets turned into package variants in git, before anything is applied')
    .version(host.version)
    .exitOverride()
    .configureOutput({
      writeOut: host.write,
      writeErr: host.warn,
      outputError: (text, write) => write(withCommandHint(inOneLine(text), optionsOf(program, args[0]))),
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
    })
    .addHelpText('after', EXAMPLE)
  for (const add of await commandsFor(args[0])) add(program, host, finish)
  refuseRepeats(program)
  try {
    await program.parseAsync(withKnownHelp(program, args), { from: 'user' })
    return exitCode
  } catch (error) {
    return report(error, host)
  }
}

/**
 * Returns an error of commander in one line: line breaks of arguments are escaped. The line break before commander's own question is kept.
 */
function inOneLine(text: string): string {
  return printableText(text).replaceAll(/\n(?!$|\(Did you mean )/g, '\\n')
}

function withPrintableText(streams: Host): Host {
  return {
    ...streams,
    write: (text) => streams.write(printableLines(hideKnownSecrets(text))),
    warn: (text) => streams.warn(printableLines(hideKnownSecrets(text))),
  }
}

/**
 * Returns the arguments.
 *
 * @throws UsageError for help of a command that is none: commander would print the help of the tool and no error
 */
function withKnownHelp(program: Command, args: readonly string[]): string[] {
  const [command, name] = args
  const names = program
    .createHelp()
    .visibleCommands(program)
    .map((each) => each.name())
  if (command !== 'help' || name === undefined || name.startsWith('-') || names.includes(name)) return [...args]
  throw new UsageError(`no command '${name}' to help with; the commands are ${names.join(', ')}${didYouMean(name, names)}`)
}

/** Returns the long options of a command. */
function optionsOf(program: Command, name: string | undefined): readonly string[] {
  const command = program.commands.find((each) => each.name() === name) ?? program
  return [...command.options.flatMap(({ long }) => long ?? []), '--help']
}

/** Says what went wrong: the user's faults and those of the file system in a line each, a bug with its trace. */
function report(error: unknown, host: Host): ExitCode {
  if (error instanceof Interruption) return 130
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1
  if (error instanceof StagingError) return reportUnwritten(error, host)
  const fault = systemFault(error)
  if (error instanceof FunctionError) host.warn(printResults(distinctResults(error.results)))
  else if (isToldInOneLine(error)) host.warn(`krm-variants: ${printableMessage(error.message)}\n`)
  else if (fault !== undefined)
    host.warn(`krm-variants: cannot ${isOfWriting(error) ? 'write' : 'read'} ${printable(faultyFile(error, host))}: ${fault}\n`)
  else host.warn(`krm-variants: this is a bug\n${error instanceof Error ? error.stack : String(error)}\n`)
  return 1
}

function reportUnwritten({ place, cause, isPartial }: StagingError, host: Host): ExitCode {
  const fate = isPartial ? 'part of the changes is made, and every file whole; the next run makes the rest' : 'nothing was changed'
  host.warn(`krm-variants: cannot write ${printable(nameFile(place, host))}: ${systemFault(cause) ?? String(cause)}; ${fate}\n`)
  return 1
}

function isToldInOneLine(error: unknown): error is Error {
  return error instanceof WireError || error instanceof UsageError || error instanceof GitError
}

/** Returns true if an error of node:fs is of a call that writes; an open that finds no space is one. */
function isOfWriting(error: unknown): boolean {
  const { code, syscall } = error instanceof Error ? { code: '', syscall: '', ...error } : { code: '', syscall: '' }
  return WRITING_CALLS.has(syscall) || NO_ROOM.has(code)
}

const WRITING_CALLS: ReadonlySet<string> = new Set([
  'write',
  'mkdir',
  'mkdtemp',
  'rename',
  'copyfile',
  'rm',
  'rmdir',
  'unlink',
  'symlink',
  'chmod',
])
const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EFBIG'])

/** Returns the name of the file that an error of node:fs concerns. */
function faultyFile(error: unknown, host: Host): string {
  if (!(error instanceof Error && 'path' in error && typeof error.path === 'string')) return 'the input'
  return nameFile(error.path, host)
}
