import { type Command, Option } from 'commander'
import { CelError } from '../../src/cel/cel-error.ts'
import { formatExcerpt } from '../../src/cel/expression-position.ts'
import { compile } from '../../src/cel/program.ts'
import { formatHints } from '../../src/fleet/templates/expression-faults.ts'
import { SCOPE } from '../../src/fleet/templates/template-programs.ts'
import { advise } from '../../src/hints/advise.ts'
import { isRecord, type JsonRecord, lookup, parseJson } from '../../src/json.ts'
import { printable, printableMessage } from '../../src/printable.ts'
import { didYouMean } from '../../src/schema/nearest-name.ts'
import { nameFirst } from '../../src/wording.ts'
import type { ExitCode, Host } from '../host.ts'
import { isFolder } from '../place-kind.ts'
import { printJson } from '../print/print-value.ts'
import { UsageError } from '../usage-error.ts'
import { type CelVariables, namedVariables, variablesAsked } from './cel-variables.ts'

interface CelOptions {
  readonly vars?: string
  readonly target?: string
  readonly jsonl?: boolean
}

const NAMED_KEYS = 30

const EXAMPLES = `
The variables of a template are ${SCOPE.join(', ')}.
Without an expression all variables are printed.

Examples:
  krm-variants cel "'store-' + target.name" --target ber-01/point-of-sale examples/fleet
  krm-variants cel --target ber-01/point-of-sale examples/fleet
  echo '{"repoDefault": "edge"}' | krm-variants cel "repoDefault + '-01'" --vars -`

/** Adds `cel [EXPR] [DIR]`: prints the value of a template's expression, or its error; without an expression the variables. */
export function addCel(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  program
    .command('cel')
    .description('evaluate an expression as a template of a PackageVariantSet does')
    .argument('[expr]', 'the expression')
    .argument('[dir]', 'the folder of --target, - for a ResourceList on stdin (default: ".")')
    .option('--vars <file>', 'take the variables from a YAML or JSON file, - for stdin')
    .addOption(
      new Option('--target <repo/package>', 'take those of the target that has these as repoDefault and packageDefault').conflicts('vars'),
    )
    .addOption(
      new Option('--jsonl', 'read lines {"expr", "vars"} on stdin, write lines {"phase", "value" or "error"}').conflicts([
        'vars',
        'target',
      ]),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (expression: string | undefined, dir: string | undefined, options: CelOptions) =>
      finish(await cel(expression, dir, options, host)),
    )
}

async function cel(first: string | undefined, second: string | undefined, options: CelOptions, host: Host): Promise<ExitCode> {
  if (options.jsonl) return evaluateLines(await host.read(), host)
  const [expression, dir] = second === undefined && namesFolder(first, host) ? [undefined, first] : [first, second]
  if (dir !== undefined && options.target === undefined)
    throw new UsageError(`the folder '${dir}' is read for a target only: --target REPO/PACKAGE gives the variables`)
  if (expression === undefined && options.vars === undefined && options.target === undefined)
    throw new UsageError("an expression is wanted, krm-variants cel 'EXPR', or a target whose variables are shown, --target REPO/PACKAGE")
  const variables = await variablesAsked({ ...options, dir: dir ?? '.' }, host)
  return expression === undefined ? show(variables, host) : evaluate(expression, variables, host)
}

/**
 * Returns true if an argument is a folder and no variable. The folder may be the only argument beside --target, but the name of a variable
 * is an expression.
 */
function namesFolder(argument: string | undefined, host: Host): boolean {
  return argument !== undefined && !SCOPE.includes(argument) && isFolder(host.locate(argument))
}

/** Prints every variable that has a value, by name. */
function show({ names, variables }: CelVariables, host: Host): ExitCode {
  const values = names.filter((name) => variables.has(name)).map((name) => [name, compile(name, names, { advise }).value(variables)])
  host.write(`${printJson(Object.fromEntries(values), 2)}\n`)
  return 0
}

/** Prints the value of an expression: a text as one line, any other value as JSON with a note that a template needs a text. */
function evaluate(expression: string, { names, types, variables, source, absent }: CelVariables, host: Host): ExitCode {
  try {
    const program = compile(expression, types ?? names, { advise })
    try {
      host.write(`${printable(program.evaluate(variables))}\n`)
    } catch (error) {
      if (!(error instanceof CelError) || error.phase !== 'convert') throw error
      host.write(`${printJson(program.value(variables))}\n`)
      host.warn(`a template needs a string: ${printableMessage(`${error.message}${formatHints(error)}`)}\n`)
    }
    return 0
  } catch (error) {
    if (!(error instanceof CelError)) throw error
    host.warn(explain(expression, error))
    if (source === 'nowhere') host.warn(nameSource(error))
    if (absent !== undefined)
      host.warn(
        nameAbsent(
          error,
          absent,
          names.filter((name) => variables.has(name)),
        ),
      )
    return 1
  }
}

/** Returns the error with a caret below its place, the existing keys if a key is missing, and hints that may fix the expression. */
function explain(expression: string, error: CelError): string {
  const { phase, message, line, column, missingKey } = error
  const excerpt = phase === 'compile' || line === undefined || column === undefined ? '' : `\n${formatExcerpt(expression, line, column)}`
  const keys = missingKey === undefined ? '' : `\n${printable(describeKeys(missingKey))}`
  return `${phase} error: ${printableMessage(`${message}${excerpt}`)}${keys}${printableMessage(formatHints(error))}\n`
}

function describeKeys({ key, keys }: NonNullable<CelError['missingKey']>): string {
  return keys.length === 0 ? 'there are no keys' : `the keys are ${nameFirst(keys, NAMED_KEYS)}${didYouMean(key, keys)}`
}

/** Returns the options that supply variables, if a variable without a value was the cause; else ''. */
function nameSource({ missingVariable }: CelError): string {
  if (missingVariable === undefined) return ''
  return '--target REPO/PACKAGE gives the variables of a target, --vars FILE those of a file\n'
}

/** Returns the reason why a variable of the target has no value, and the variables that have one; '' for another error. */
function nameAbsent({ missingVariable }: CelError, absent: ReadonlyMap<string, string>, known: readonly string[]): string {
  const reason = missingVariable === undefined ? undefined : absent.get(missingVariable)
  if (reason === undefined) return ''
  return `'${missingVariable}' has no value for this target: ${printable(reason)}; the variables with a value are ${known.join(', ')}\n`
}

/** Evaluates each line `{"expr", "vars"}` of stdin and writes a line `{"phase", "value" or "error"}`, in the same order. */
function evaluateLines(input: string, host: Host): ExitCode {
  const lines = input.split('\n').filter((line) => line.trim() !== '')
  host.write(lines.map((line, i) => `${printJson(evaluateLine(line, i + 1))}\n`).join(''))
  return 0
}

/** Evaluates one line of stdin. @throws UsageError when the line is no JSON object with `expr` and `vars` */
function evaluateLine(line: string, number: number): JsonRecord {
  const request = parseLine(line)
  const expression = request && lookup(request, 'expr')
  const vars = (request && lookup(request, 'vars')) ?? {}
  if (typeof expression !== 'string' || !isRecord(vars)) throw new UsageError(`line ${number} of stdin must be {"expr": TEXT, "vars": {…}}`)
  const { names, variables } = namedVariables(vars)
  try {
    return { phase: 'ok', value: compile(expression, names, { advise }).evaluate(variables) }
  } catch (error) {
    if (error instanceof CelError) return { phase: error.phase, error: error.message }
    throw error
  }
}

function parseLine(line: string): JsonRecord | undefined {
  const value = parseJson(line)
  return isRecord(value) ? value : undefined
}
