import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const HERE = fileURLToPath(new URL('.', import.meta.url))

/** One recorded run of the tool: `case.yaml` says what it shows, `input/` is what it reads, `stdout` and `stderr` are what it says. */
export interface Transcript {
  readonly name: string
  /** The folder in which the tool runs. */
  readonly folder: string
  readonly description: string
  /** The source of the rule that the run shows: `seed 000 rule 41`. */
  readonly source?: string
  readonly args: readonly string[]
  readonly exitCode: number
  /** In a value, `{folder}` is the folder. */
  readonly environment: Readonly<Record<string, string>>
  /** The text of the file that `stdin` names. */
  readonly stdin: string
}

const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  description: (value) => typeof value === 'string' && value !== '',
  source: (value) => value === undefined || (typeof value === 'string' && value !== ''),
  args: (value) => Array.isArray(value) && value.every((arg) => typeof arg === 'string'),
  exitCode: (value) => Number.isInteger(value),
  environment: (value) => value === undefined || (typeof value === 'object' && value !== null),
  stdin: (value) => value === undefined || typeof value === 'string',
}

/** Every transcript, by folder. Throws for a stray file and for a `case.yaml` that says anything else or too little. */
export function readTranscripts(): readonly Transcript[] {
  const folders = readdirSync(HERE, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders.map(({ name }) => readTranscript(name, join(HERE, name)))
}

function readTranscript(name: string, folder: string): Transcript {
  const fields: Record<string, unknown> = parse(readFileSync(join(folder, 'case.yaml'), 'utf8')) ?? {}
  const faults = new Set([...Object.keys(fields), ...Object.keys(FIELDS)].filter((key) => !(FIELDS[key]?.(fields[key]) ?? false)))
  if (faults.size > 0) throw new Error(`${name}/case.yaml: wrong or unknown: ${[...faults].join(', ')}`)
  const {
    stdin,
    environment: given = {},
    ...rest
  } = fields as Pick<Transcript, 'description' | 'args' | 'exitCode'> & Partial<Pick<Transcript, 'source' | 'environment' | 'stdin'>>
  const environment = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, value.replaceAll('{folder}', folder)]))
  const known = ['case.yaml', 'input', 'stdout', 'stderr', ...(stdin === undefined ? [] : [stdin])]
  const stray = readdirSync(folder).filter((file) => !known.includes(file))
  if (stray.length > 0) throw new Error(`${name}: stray ${stray.join(', ')}`)
  return { ...rest, environment, name, folder, stdin: stdin === undefined ? '' : readFileSync(join(folder, stdin), 'utf8') }
}

/**
 * Returns the folder in which a transcript runs: its own, for `convert` a copy. `convert` reads every file of the repository around a tree,
 * and this repository has thousands.
 *
 * @param copies  a temporary folder
 */
export function placeOfRun({ args, folder, name }: Transcript, copies: string): string {
  if (args[0] !== 'convert') return folder
  const copy = join(copies, name)
  cpSync(folder, copy, { recursive: true })
  return copy
}

/** Where stdout or stderr is recorded. */
export function recordOf({ folder }: Transcript, stream: 'stdout' | 'stderr'): string {
  return join(folder, stream)
}

/** Returns what is recorded; a stream that says nothing has no file. */
export function readRecord(transcript: Transcript, stream: 'stdout' | 'stderr'): string {
  const file = recordOf(transcript, stream)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
