import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CORE_SCHEMA, load } from 'js-yaml'
import { withoutAddedBreak } from './open-end.ts'

/** A reader that is none of ours. Of each text its value in a form that can be compared, undefined where it is no YAML to it. */
export interface Judge {
  readonly name: string
  read(texts: readonly string[]): readonly unknown[]
}

export const JS_YAML: Judge = {
  name: 'js-yaml',
  read: (texts) => texts.map(readToItsEnd),
}

function readToItsEnd(text: string): unknown {
  const value = readOne(text)
  return text.endsWith('\n') || value === undefined ? value : withoutAddedBreak(value, readOne(`${text}z`))
}

function readOne(text: string): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA })
  } catch {
    return undefined
  }
}

/** Go's yaml.v3, where there is Go: built from scripts/fuzz/go-judge. */
export function goYaml(): Judge | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'go-judge-'))
  const command = join(folder, 'judge')
  const { status } = spawnSync('go', ['build', '-o', command, '.'], { cwd: 'scripts/fuzz/go-judge', stdio: 'ignore' })
  process.once('exit', () => rmSync(folder, { recursive: true }))
  return status === 0 ? { name: 'yaml.v3', read: (texts) => readAll(command, texts) } : undefined
}

const ROOM = 2 ** 30

function readAll(command: string, texts: readonly string[]): readonly unknown[] {
  const input = texts.map((text) => JSON.stringify(text)).join('\n')
  const { stdout, stderr, status } = spawnSync(command, { input, encoding: 'utf8', maxBuffer: ROOM })
  if (status !== 0) throw new Error(`the judge failed: ${stderr}`)
  return stdout
    .split('\n')
    .slice(0, texts.length)
    .map((line) => decoded(JSON.parse(line)))
}

type Answer = { readonly value?: GoValue; readonly fault?: string }
type GoValue = null | string | boolean | { readonly [kind: string]: unknown }

function decoded({ fault, value }: Answer): unknown {
  return fault === undefined ? plain(value ?? null) : undefined
}

function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('list' in value && Array.isArray(value.list)) return value.list.map(plain)
  const entries: unknown = 'map' in value ? value.map : undefined
  if (Array.isArray(entries)) return Object.fromEntries(entries.map(([key, member]: [string, unknown]) => [key, plain(member)]))
  return `go:${JSON.stringify(value)}`
}
