import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SHARED_MUST_BE_THERE } from '../../testdata/shared-folder.ts'
import { FunctionError } from '../result.ts'
import { evaluate } from '../run.ts'
import { KrmObject } from './krm-object.ts'
import { WireError } from './wire-error.ts'

const REAL = join(import.meta.dirname, '../../../shared/real')
const HEAD = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n'

// The files lie beside the repository and are not part of it; where CI runs they must be there.
const runIfThere = test.skipIf(!existsSync(REAL) && !SHARED_MUST_BE_THERE)

function yamlFiles(folder: string): readonly string[] {
  const names = readdirSync(join(REAL, folder), { recursive: true, withFileTypes: true })
  return names.filter((entry) => entry.isFile() && /\.ya?ml$|^Kptfile$/.test(entry.name)).map((entry) => join(entry.parentPath, entry.name))
}

function documents(file: string): readonly string[] {
  const texts = readFileSync(file, 'utf8').split(/^---(?:[ \t].*)?\r?\n/m)
  return texts.filter((text) => /^[^#\s]/m.test(text))
}

/** A document as an item of a list. */
function asItem(text: string): string {
  const lines = text.replace(/\r/g, '').replace(/\n*$/, '').split('\n')
  return `${lines.map((line, index) => `${index === 0 ? '- ' : line === '' ? '' : '  '}${line}`).join('\n')}\n`
}

/** The lines of the new text that the old one has not, and those that went. */
function difference(before: string, after: string): { added: readonly string[]; gone: readonly string[] } {
  const [old, now] = [before.split('\n'), after.split('\n')]
  let head = 0
  while (head < old.length && old[head] === now[head]) head++
  let tail = 0
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  return { added: now.slice(head, now.length - tail), gone: old.slice(head, old.length - tail) }
}

runIfThere('every real file passes through byte for byte, or is refused with its position', () => {
  const refused: string[] = []
  const files = yamlFiles('.')
  for (const file of files) {
    const text = HEAD + documents(file).map(asItem).join('')
    const outcome = evaluate(() => {}, text)
    if (outcome.exitCode === 1) refused.push(outcome.stderr)
    else expect(outcome.stdout === text, file).toBe(true)
  }
  expect(files.length).toBeGreaterThan(1000)
  for (const message of refused) expect(message).toMatch(/\(line \d+, column \d+\)\n$/)
  console.log(`${files.length} files, ${refused.length} refused`)
})

type Edit = 'done' | 'refused' | 'no object'

/** Sets an annotation and says how that went; throws when a line changed that should not. */
function annotate(text: string): Edit {
  const object = read(text)
  if (object?.kind === undefined || object.name === undefined) return 'no object'
  const before = object.toText()
  const had = object.get(['metadata', 'annotations'])
  try {
    object.set(['metadata', 'annotations', 'example.com/set'], 'yes')
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    expect(error.results[0]?.position).toBeDefined()
    return 'refused'
  }
  const { added, gone } = difference(before, object.toText())
  const created = typeof had === 'object' && had !== null ? 1 : 2
  expect(gone.length, text).toBeLessThanOrEqual(gone.length === 0 ? 0 : 1)
  expect(added.length - gone.length, text).toBeLessThanOrEqual(created)
  expect(object.get(['metadata', 'annotations', 'example.com/set'])).toBe('yes')
  return 'done'
}

function read(text: string): KrmObject | undefined {
  try {
    return KrmObject.fromDocument(text)
  } catch (error) {
    if (error instanceof WireError && error.position !== undefined) return undefined
    throw error
  }
}

runIfThere.each(['yaml', 'packages'])('every object in %s takes an annotation and changes on no other line', (folder) => {
  const counts = new Map<Edit, number>()
  for (const text of yamlFiles(folder).flatMap(documents)) {
    const edit = annotate(text)
    counts.set(edit, (counts.get(edit) ?? 0) + 1)
  }
  expect(counts.get('done')).toBeGreaterThan(100)
  console.log(`${folder}: ${[...counts].map(([edit, count]) => `${count} ${edit}`).join(', ')}`)
})
