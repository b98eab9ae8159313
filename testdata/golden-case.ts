import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** One run that is recorded: `case.yaml` says what it shows, `input.yaml` goes in, `expected.yaml` comes out. */
export interface GoldenCase {
  readonly description: string
  /** Where the rule comes from: `seed 000, Configuration Injection`. */
  readonly source?: string
  readonly exitCode: 0 | 1
  /** Why a second run on the output differs from the first; absent when it must not. */
  readonly notIdempotent?: string
  /** The version of a catalog function; the newest when it is absent. Bundles have no way to name another one. */
  readonly version?: string
  /** The ResourceList as kpt sends it. */
  readonly input: string
  /** Where stdout is recorded, byte for byte. */
  readonly expectedFile: string
}

/** The files of a case folder; anything else in it is a stray file. */
export const CASE_FILES: readonly string[] = ['case.yaml', 'input.yaml', 'expected.yaml']

const isSentence = (value: unknown): boolean => typeof value === 'string' && value !== ''

const FIELDS: Readonly<Record<string, { readonly rule: string; readonly holds: (value: unknown) => boolean }>> = {
  description: { rule: 'must be set', holds: isSentence },
  source: { rule: 'must be a text or absent', holds: (value) => value === undefined || isSentence(value) },
  exitCode: { rule: 'must be 0, 1 or absent', holds: (value) => value === undefined || value === 0 || value === 1 },
  version: { rule: 'must be a text or absent', holds: (value) => value === undefined || isSentence(value) },
  notIdempotent: { rule: 'must be the reason as a text, or absent', holds: (value) => value === undefined || isSentence(value) },
}

/** Reads a case folder. Throws when a file is missing or `case.yaml` says anything but the five fields above. */
export function readGoldenCase(folder: string): GoldenCase {
  const fields: Record<string, unknown> = parse(readFileSync(join(folder, 'case.yaml'), 'utf8')) ?? {}
  const unknown = Object.keys(fields).filter((key) => !Object.hasOwn(FIELDS, key))
  const wrong = Object.entries(FIELDS).filter(([key, { holds }]) => !holds(fields[key]))
  const faults = [...unknown.map((key) => `\`${key}\` is unknown`), ...wrong.map(([key, { rule }]) => `\`${key}\` ${rule}`)]
  if (faults.length > 0) throw new Error(`${join(folder, 'case.yaml')}: ${faults.join(', ')}`)
  return {
    exitCode: 0,
    ...(fields as Pick<GoldenCase, 'description'>),
    input: readFileSync(join(folder, 'input.yaml'), 'utf8'),
    expectedFile: join(folder, 'expected.yaml'),
  }
}
