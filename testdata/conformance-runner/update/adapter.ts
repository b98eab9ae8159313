import { equalJson, type JsonRecord, type JsonValue } from '../../../src/json.ts'
import { mergePackages } from '../../../src/merge/merge-packages.ts'
import type { MergedPackage } from '../../../src/merge/merged-package.ts'
import { objectsIn } from '../../../src/merge/package-files.ts'
import { packageOfTexts, textsOf } from '../../../src/merge/package-of-texts.ts'
import { formatResult, hasErrors, type Result } from '../../../src/result.ts'
import type { Adapter } from '../adapter.ts'
import { lostLines } from '../mutations/kept-lines.ts'
import { casesOfList } from '../run-tree.ts'
import { KNOWN_DIFFERENCES } from './known-differences.ts'
import { lostEdits } from './lost-edits.ts'
import { meaningOf } from './meaning.ts'
import { expectedOf, readVector, type Texts, type UpdateVector } from './vector.ts'

/** The vectors of `kpt pkg update`: equal in meaning, with the comments that kpt loses, and a warning for each edit that lost. */
export const PORCH_UPDATE: Adapter = {
  folder: 'porch/update',
  cases: casesOfList,
  known: KNOWN_DIFFERENCES,
  run: (vector) => compare(readVector(vector)).map((what) => ({ what })),
}

function compare(vector: UpdateVector): readonly string[] {
  const expected = expectedOf(vector)
  const merged = merge(vector)
  const { error } = expected
  if (error !== undefined) return hasErrors(merged.results) ? [] : [`must fail (${error}), but succeeds`]
  if (hasErrors(merged.results)) return [`must succeed, but fails: ${merged.results.map(formatResult).join('; ')}`]
  const files = textsOf(merged.files)
  return [
    ...compareFiles(files, expected),
    ...(vector.strategy === 'resource-merge' ? [...compareLines(vector.input, files), ...compareWarnings(vector, merged.results)] : []),
    ...compareSecondRun(vector, files),
  ]
}

function merge({ strategy, input }: UpdateVector): MergedPackage {
  const [original, upstream, downstream] = [input.original, input.updated, input.local].map(packageOfTexts)
  return mergePackages({ original: original ?? new Map(), upstream: upstream ?? new Map(), downstream: downstream ?? new Map(), strategy })
}

function compareFiles(ours: Texts, theirs: Texts): readonly string[] {
  return [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].sort().flatMap((path) => {
    const [a, b] = [meaningOf(path, ours[path]), meaningOf(path, theirs[path])]
    return equalJson(a, b) ? [] : [`${path} must be ${print(b)}, is ${print(a)}`]
  })
}

function print(value: JsonValue | undefined): string {
  return value === undefined ? 'not there' : JSON.stringify(value)
}

/** Every comment of the downstream, and every line that need not change, is still there, but for what upstream changed in the original. */
function compareLines({ original, updated, local }: UpdateVector['input'], after: Texts): readonly string[] {
  return Object.keys(local).flatMap((path) => {
    const kept = documentsOf(path, after[path] ?? '')
    const isUpstreams = (line: string) => holds(original[path], line) && !holds(updated[path], line)
    return documentsOf(path, local[path] ?? '').flatMap(([identity, text]) => {
      const now = kept.find(([other]) => other === identity)?.[1]
      const lost = now === undefined ? [] : lostLines(text, now).filter((line) => !isUpstreams(line))
      return lost.map((line) => `${path} lost ${JSON.stringify(line)}`)
    })
  })
}

/** A line, or a comment at the end of one. */
function holds(text: string | undefined, line: string): boolean {
  return text?.split('\n').some((other) => other === line || (line.startsWith('#') && other.endsWith(line))) === true
}

function documentsOf(path: string, text: string): readonly (readonly [identity: string, text: string])[] {
  const objects = objectsIn(packageOfTexts({ [path]: text }).get(path))
  return objects.map((object) => [JSON.stringify(object.ref), object.toText()])
}

/** An edit that is gone is told of. */
function compareWarnings({ input, ...vector }: UpdateVector, results: readonly Result[]): readonly string[] {
  const told = results.filter(({ tags }) => tags.rule === 'edit-lost')
  return lostEdits(input, expectedOf({ input, ...vector })).flatMap(({ path, field, value }) => {
    const isTold = told.some((result) => result.file?.path === path && (result.field?.path ?? []).every((step, at) => step === field[at]))
    return isTold ? [] : [`must warn that ${path} ${field.join('.')} loses ${JSON.stringify(value)}`]
  })
}

/** Once more with what is upstream now: nothing changes. */
function compareSecondRun({ strategy, input }: UpdateVector, files: Texts): readonly string[] {
  const again =
    strategy === 'fast-forward' ? undefined : merge({ strategy, input: { ...input, original: input.updated, local: files }, expected: {} })
  return again === undefined || equalJson(textsOf(again.files) as JsonRecord, files as JsonRecord)
    ? []
    : ['a second update must change nothing']
}
