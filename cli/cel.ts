import { readFileSync, statSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { CelError } from '../src/cel/cel-error.ts'
import { formatExcerpt } from '../src/cel/excerpt.ts'
import { compile } from '../src/cel/program.ts'
import { prepareVariables, type Variables } from '../src/cel/variables.ts'
import { SCOPE } from '../src/fleet/variables.ts'
import { describeRead } from '../src/fleet/what-was-read.ts'
import { isRecord, type JsonRecord, type JsonValue, lookup } from '../src/json.ts'
import { KrmObject } from '../src/resource-list/krm-object.ts'
import type { ResourceList } from '../src/resource-list/resource-list.ts'
import { didYouMean } from '../src/schema/nearest-name.ts'
import type { ExitCode, Host } from './host.ts'
import { printJson } from './print-value.ts'
import { readInput } from './read-input.ts'
import { type TargetPlace, targetPlaces } from './target-variables.ts'
import { UsageError } from './usage-error.ts'

interface CelOptions {
  readonly vars?: string
  readonly target?: string
  readonly jsonl?: boolean
}

const EXAMPLES = `
The variables of a template are ${SCOPE.join(', ')}.

Examples:
  krm-variants cel "'store-' + target.name" --target ber-01/point-of-sale examples/fleet
  echo '{"repoDefault": "edge"}' | krm-variants cel "repoDefault + '-01'" --vars -`

/** `cel EXPR [DIR]`: what an expression of a template gives, or why it gives nothing. */
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

async function cel(
  expression: string | undefined,
  dir: string | undefined,
  { vars, target, jsonl = false }: CelOptions,
  host: Host,
): Promise<ExitCode> {
  if (dir !== undefined && target === undefined)
    throw new UsageError(`the folder '${dir}' is read for a target only: --target REPO/PACKAGE gives the variables`)
  if (jsonl) return evaluateLines(await host.read(), host)
  if (expression === undefined) throw new UsageError("an expression is wanted: krm-variants cel 'EXPR'")
  const { names, variables } = target === undefined ? await fileVariables(vars, host) : await targetVariables(target, dir ?? '.', host)
  try {
    host.write(`${compile(expression, names).evaluate(variables)}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof CelError)) throw error
    host.warn(explain(expression, error))
    host.warn(nearVariables(error, names))
    if (vars === undefined && target === undefined) host.warn(nameSource(error))
    return 1
  }
}

interface Named {
  readonly names: readonly string[]
  readonly variables: Variables
}

async function fileVariables(file: string | undefined, host: Host): Promise<Named> {
  if (file === undefined) return named({})
  const text = file === '-' ? await host.read() : readText(file, host)
  const name = file === '-' ? 'stdin' : file
  const values = KrmObject.fromDocument(text, { path: name, index: 0, line: 1 })
  if (!values.isMap())
    throw new UsageError(`'${name}' must hold a map of variables, ${text.trim() === '' ? 'and is empty' : 'got something else'}`)
  return named(values.toJson())
}

function readText(file: string, host: Host): string {
  const place = host.locate(file)
  if (!(statSync(place, { throwIfNoEntry: false })?.isFile() ?? false)) throw new UsageError(`no file '${file}' to read`)
  return readFileSync(place, 'utf8')
}

/** Variables with names of their own are known besides those of a template. */
function named(values: JsonRecord): Named {
  return { names: [...new Set([...SCOPE, ...Object.keys(values)])], variables: prepareVariables(new Map(Object.entries(values))) }
}

/** @throws UsageError when no target is at this place, or more than one */
async function targetVariables(target: string, dir: string, host: Host): Promise<Named> {
  const { list } = await readInput(dir, host)
  const places = targetPlaces(list)
  const [place, ...others] = places.filter((each) => `${each.repo}/${each.package}` === target)
  if (place === undefined) throw noTarget(target, places, list)
  if (others.length > 0)
    throw new UsageError(`several targets are '${target}':\n${[place, ...others].map(({ description }) => `  ${description}`).join('\n')}`)
  return { names: SCOPE, variables: place.variables }
}

function noTarget(target: string, places: readonly TargetPlace[], { items }: ResourceList): UsageError {
  const names = [...new Set(places.map((place) => `${place.repo}/${place.package}`))]
  return new UsageError(`no target '${target}'${names.length === 0 ? `; read ${describeRead(items)}` : didYouMean(target, names)}`)
}

/** The error with a caret below the place, and the keys that were there where one was missing. */
function explain(expression: string, { phase, message, line, column, missingKey }: CelError): string {
  const excerpt = phase === 'compile' || line === undefined || column === undefined ? '' : `${formatExcerpt(expression, line, column)}\n`
  const keys = missingKey === undefined ? '' : `the keys are ${missingKey.keys.join(', ')}${didYouMean(missingKey.key, missingKey.keys)}\n`
  return `${phase} error: ${message}\n${excerpt}${keys}`
}

/** cel-go's words for a name that is not known. */
const UNDECLARED = /undeclared reference to '([^']+)'/g

/** A line for each unknown name that is nearly a variable. */
function nearVariables({ phase, message }: CelError, names: readonly string[]): string {
  const unknown = phase === 'compile' ? Array.from(message.matchAll(UNDECLARED), ([, name = '']) => name) : []
  return [...new Set(unknown)]
    .map((name) => ({ name, hint: names.includes(name) ? '' : didYouMean(name, names) }))
    .map(({ name, hint }) => (hint === '' ? '' : `no variable '${name}'${hint}\n`))
    .join('')
}

/** Where variables come from, when there were none to evaluate with. */
function nameSource({ missingVariable }: CelError): string {
  if (missingVariable === undefined) return ''
  return '--target REPO/PACKAGE gives the variables of a target, --vars FILE those of a file\n'
}

function evaluateLines(input: string, host: Host): ExitCode {
  const lines = input.split('\n').filter((line) => line.trim() !== '')
  host.write(lines.map((line, i) => `${printJson(evaluateLine(line, i + 1))}\n`).join(''))
  return 0
}

/** @throws UsageError when the line is no such JSON */
function evaluateLine(line: string, number: number): JsonRecord {
  const request = parseLine(line)
  const expression = request && lookup(request, 'expr')
  const vars = (request && lookup(request, 'vars')) ?? {}
  if (typeof expression !== 'string' || !isRecord(vars)) throw new UsageError(`line ${number} of stdin must be {"expr": TEXT, "vars": {…}}`)
  const { names, variables } = named(vars)
  try {
    return { phase: 'ok', value: compile(expression, names).evaluate(variables) }
  } catch (error) {
    if (error instanceof CelError) return { phase: error.phase, error: error.message }
    throw error
  }
}

function parseLine(line: string): JsonRecord | undefined {
  try {
    const value: JsonValue = JSON.parse(line)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
